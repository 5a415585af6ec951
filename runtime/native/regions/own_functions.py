"""Functions in the code of a region: the interpreter's and the C library's, and those that the code has of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir

from tsc.runtime.native.code.interpreter import interpreter_function
from tsc.runtime.native.regions.forms import Native
from tsc.runtime.native.regions.llvm_types import BYTE, DOUBLE, INT32, POINTER, WORD

NONE: Final = ir.VoidType()

SIGNATURES: Final[dict[str, tuple[ir.Type, list[ir.Type]]]] = {
    "PyLong_AsLongLong": (WORD, [POINTER]),
    "PyLong_FromLongLong": (POINTER, [WORD]),
    "PyFloat_AsDouble": (DOUBLE, [POINTER]),
    "PyFloat_FromDouble": (POINTER, [DOUBLE]),
    "PyComplex_RealAsDouble": (DOUBLE, [POINTER]),
    "PyComplex_ImagAsDouble": (DOUBLE, [POINTER]),
    "PyComplex_FromDoubles": (POINTER, [DOUBLE, DOUBLE]),
    "PyTuple_New": (POINTER, [WORD]),
    "PyTuple_SetItem": (INT32, [POINTER, WORD, POINTER]),
    "PyTuple_GetItem": (POINTER, [POINTER, WORD]),
    "PyList_New": (POINTER, [WORD]),
    "PyList_SetItem": (INT32, [POINTER, WORD, POINTER]),
    "PyList_Append": (INT32, [POINTER, POINTER]),
    "PyList_Insert": (INT32, [POINTER, WORD, POINTER]),
    "PyList_Reverse": (INT32, [POINTER]),
    "PyList_Sort": (INT32, [POINTER]),
    "PyList_SetSlice": (INT32, [POINTER, WORD, WORD, POINTER]),
    "PyDict_GetItemWithError": (POINTER, [POINTER, POINTER]),
    "PyDict_SetItem": (INT32, [POINTER, POINTER, POINTER]),
    "PyDict_DelItem": (INT32, [POINTER, POINTER]),
    "PyDict_Size": (WORD, [POINTER]),
    "PyDict_Clear": (NONE, [POINTER]),
    **{f"PyDict_{name}": (POINTER, [POINTER]) for name in ("Keys", "Values", "Items")},
    "PyDict_New": (POINTER, []),
    "PyUnicode_FromKindAndData": (POINTER, [INT32, POINTER, WORD]),
    "PyUnicode_Find": (WORD, [POINTER, POINTER, WORD, WORD, INT32]),
    **{
        f"_PyUnicode_Is{kind}": (INT32, [INT32])
        for kind in ("Alpha", "DecimalDigit", "Digit", "Numeric", "Whitespace")
    },
    "PyOS_double_to_string": (POINTER, [DOUBLE, INT32, INT32, INT32, POINTER]),
    "PyOS_string_to_double": (DOUBLE, [POINTER, POINTER, POINTER]),
    "PyMem_Free": (NONE, [POINTER]),
    "PyErr_NoMemory": (POINTER, []),
    "PyErr_Occurred": (POINTER, []),
    "PyErr_SetObject": (NONE, [POINTER, POINTER]),
    "PyErr_CheckSignals": (INT32, []),
    "PyEval_SaveThread": (POINTER, []),
    "PyEval_RestoreThread": (NONE, [POINTER]),
    "PyObject_CallOneArg": (POINTER, [POINTER, POINTER]),
    "PyObject_CallObject": (POINTER, [POINTER, POINTER]),
    "PyObject_CallNoArgs": (POINTER, [POINTER]),
    "Py_IncRef": (NONE, [POINTER]),
    "Py_DecRef": (NONE, [POINTER]),
    "malloc": (POINTER, [WORD]),
    "realloc": (POINTER, [POINTER, WORD]),
    "memcpy": (POINTER, [POINTER, POINTER, WORD]),
    "memmove": (POINTER, [POINTER, POINTER, WORD]),
    "free": (NONE, [POINTER]),
    "strlen": (WORD, [POINTER]),
}


def interpreter_symbols() -> dict[str, int]:
    """The addresses of the interpreter's C functions."""
    names = [name for name in SIGNATURES if name.startswith(("Py", "_Py"))]
    return {name: interpreter_function(name) for name in names}


class OwnFunctions:
    """Emits calls, and functions that are called."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.builder: Any = ir.IRBuilder()

    def call(self, name: str, *operands: Native) -> Native:
        """A call of one of the interpreter's functions, or of the C library's."""
        function = self.module.globals.get(name)
        if function is None:
            result, parameters = SIGNATURES[name]
            function = ir.Function(self.module, ir.FunctionType(result, parameters), name)
        return self.builder.call(function, operands)

    def constant(self, name: str) -> Native:
        """One of the objects of `object_symbols`."""
        found = self.module.globals.get(f"object_{name}")
        if found is None:
            found = ir.GlobalVariable(self.module, BYTE, f"object_{name}")
        return found

    def load_at(self, object: Native, offset: int, type: ir.Type) -> Native:
        """What lies in an object, so many bytes after its beginning."""
        place = self.builder.gep(object, [ir.Constant(WORD, offset)], source_etype=BYTE)
        return self.builder.load(place, typ=type)

    # -- Functions that a region has of its own ----------------------------------------------

    def own_function(
        self, name: str, define: Callable[[str], ir.Function], place: str = "noinline"
    ) -> ir.Function:
        """A function of the module, defined when it is first called; `place` says whether calls are replaced by it."""
        known = self.module.globals.get(name)
        if known is not None:
            return known
        outer = self.builder
        function = define(name)
        function.linkage = "internal"
        function.attributes.add(place)
        self.builder = outer
        return function

    def begin(self, name: str, result: ir.Type, parameters: Sequence[ir.Type]) -> ir.Function:
        function = ir.Function(self.module, ir.FunctionType(result, parameters), name)
        self.builder = ir.IRBuilder(function.append_basic_block())
        return function
