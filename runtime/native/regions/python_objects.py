"""Values as objects of Python, and back, through the C functions of the interpreter, which holds its lock meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir

from tsc.compiler.types import TupleType
from tsc.runtime.native.code.interpreter import interpreter_function
from tsc.runtime.native.regions.forms import (
    INTEGER,
    NOTHING,
    PAIR,
    REAL,
    TEXT,
    TRUTH,
    Form,
    ListForm,
    Native,
    OptionalForm,
    TupleForm,
)
from tsc.runtime.native.regions.llvm_types import BIT, BYTE, DOUBLE, POINTER, WORD, llvm_type

NONE: Final = ir.VoidType()
INT32: Final = ir.IntType(32)

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
    "PyUnicode_FromKindAndData": (POINTER, [INT32, POINTER, WORD]),
    "PyUnicode_Find": (WORD, [POINTER, POINTER, WORD, WORD, INT32]),
    **{
        f"_PyUnicode_Is{kind}": (INT32, [INT32])
        for kind in ("Alpha", "DecimalDigit", "Digit", "Numeric", "Whitespace")
    },
    "PyErr_NoMemory": (POINTER, []),
    "PyErr_Occurred": (POINTER, []),
    "PyErr_SetObject": (NONE, [POINTER, POINTER]),
    "PyErr_CheckSignals": (INT32, []),
    "PyEval_SaveThread": (POINTER, []),
    "PyEval_RestoreThread": (NONE, [POINTER]),
    "PyObject_CallOneArg": (POINTER, [POINTER, POINTER]),
    "PyObject_CallNoArgs": (POINTER, [POINTER]),
    "Py_IncRef": (NONE, [POINTER]),
    "Py_DecRef": (NONE, [POINTER]),
    "malloc": (POINTER, [WORD]),
    "realloc": (POINTER, [POINTER, WORD]),
    "memcpy": (POINTER, [POINTER, POINTER, WORD]),
    "memmove": (POINTER, [POINTER, POINTER, WORD]),
    "free": (NONE, [POINTER]),
}


def interpreter_symbols() -> dict[str, int]:
    """The addresses of the interpreter's C functions."""
    names = [name for name in SIGNATURES if name.startswith(("Py", "_Py"))]
    return {name: interpreter_function(name) for name in names}


class PythonObjects:
    """Emits the conversions into one function."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.builder: Any = ir.IRBuilder()
        self.tuple_names: dict[TupleType, str] = {}
        """What makes named tuples, by type."""

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

    # -- From Python -------------------------------------------------------------------------

    def unbox(self, form: Form, taken: Native) -> Native:
        """The native value of an object, whose reference stays with whoever has it."""
        builder = self.builder
        if form is INTEGER:
            return self.call("PyLong_AsLongLong", taken)
        if form is REAL:
            return self.call("PyFloat_AsDouble", taken)
        if form is TRUTH:
            return builder.icmp_unsigned("==", taken, self.constant("true"))
        if form is NOTHING:
            return ir.Constant(BIT, 0)
        if form is PAIR:
            parts = [self.call(f"PyComplex_{part}AsDouble", taken) for part in ("Real", "Imag")]
            return self.aggregate(form, parts)
        if form is TEXT:
            return self.unbox_text(taken)
        if isinstance(form, TupleForm):
            items = [self._item(taken, k, item) for k, item in enumerate(form.items)]
            return self.aggregate(form, items)
        if isinstance(form, OptionalForm):
            return self._unbox_optional(form, taken)
        if isinstance(form, ListForm) and not form.is_python:
            return self.copied_in(form, taken)
        return taken

    def unbox_input(self, form: Form, taken: Native) -> Native:
        """The same for an input, which is None where nothing will read it."""
        if form in (TRUTH, NOTHING) or isinstance(form, OptionalForm | ListForm):
            return self.unbox(form, taken)
        is_set = self.builder.icmp_unsigned("!=", taken, self.constant("none"))
        return self._chosen(
            is_set, lambda: self.unbox(form, taken), ir.Constant(llvm_type(form), None)
        )

    def _item(self, taken: Native, place: int, form: Form) -> Native:
        return self.unbox(form, self.call("PyTuple_GetItem", taken, ir.Constant(WORD, place)))

    def _unbox_optional(self, form: OptionalForm, taken: Native) -> Native:
        there = self.builder.icmp_unsigned("!=", taken, self.constant("none"))
        absent = ir.Constant(
            llvm_type(form.inner), None if llvm_type(form.inner) is POINTER else ir.Undefined
        )
        value = self._chosen(there, lambda: self.unbox(form.inner, taken), absent)
        return self.aggregate(form, [there, value])

    def _chosen(self, condition: Native, make: Any, otherwise: Native) -> Native:
        builder = self.builder
        before = builder.block
        with builder.if_then(condition):
            made = make()
            end = builder.block
        phi = builder.phi(made.type)
        phi.add_incoming(otherwise, before)
        phi.add_incoming(made, end)
        return phi

    def aggregate(self, form: Form, parts: Sequence[Native]) -> Native:
        value: Native = ir.Constant(llvm_type(form), ir.Undefined)
        for place, part in enumerate(parts):
            value = self.builder.insert_value(value, part, place)
        return value

    # -- To Python ---------------------------------------------------------------------------

    def box(self, form: Form, value: Native) -> Native:
        """A new reference to an object."""
        builder = self.builder
        if form is INTEGER:
            return self.call("PyLong_FromLongLong", value)
        if form is REAL:
            return self.call("PyFloat_FromDouble", value)
        if form is TRUTH:
            chosen = builder.select(value, self.constant("true"), self.constant("false"))
            return self.owned(chosen)
        if form is NOTHING:
            return self.owned(self.constant("none"))
        if form is PAIR:
            parts = [builder.extract_value(value, k) for k in range(2)]
            return self.call("PyComplex_FromDoubles", *parts)
        if form is TEXT:
            return self.box_text(value)
        if isinstance(form, TupleForm):
            items = [builder.extract_value(value, k) for k in range(len(form.items))]
            made = self.tuple_of([self.box(*each) for each in zip(form.items, items)])
            return made if form.named is None else self._named_tuple(form.named, made)
        if isinstance(form, OptionalForm):
            return self._box_optional(form, value)
        assert isinstance(form, ListForm)
        is_set = self.builder.icmp_unsigned("!=", value, ir.Constant(POINTER, None))
        otherwise = self.constant("none")
        if form.is_python:
            return self.owned(self.builder.select(is_set, value, otherwise))
        return self._chosen(is_set, lambda: self.box_list(form, value), otherwise)

    def _named_tuple(self, type: TupleType, items: Native) -> Native:
        made = self.call("PyObject_CallOneArg", self.constant(self.tuple_names[type]), items)
        self.call("Py_DecRef", items)
        return made

    def copied_in(self, form: ListForm, taken: Native) -> Native:
        """An own list with what is in one of Python's, which stands for it."""
        raise NotImplementedError

    def unbox_text(self, taken: Native) -> Native:
        """The letters of a string."""
        raise NotImplementedError

    def box_text(self, text: Native) -> Native:
        """A string of Python's with these letters."""
        raise NotImplementedError

    def box_list(self, form: ListForm, value: Native) -> Native:
        """A list of Python's with what is in a list of the region's own."""
        raise NotImplementedError

    def owned(self, taken: Native) -> Native:
        self.call("Py_IncRef", taken)
        return taken

    def _box_optional(self, form: OptionalForm, value: Native) -> Native:
        builder = self.builder
        there, inner = (builder.extract_value(value, k) for k in range(2))
        with builder.if_else(there) as (then, otherwise):
            with then:
                made = self.box(form.inner, inner)
                made_in = builder.block
            with otherwise:
                none = self.owned(self.constant("none"))
                none_in = builder.block
        phi = builder.phi(POINTER)
        phi.add_incoming(made, made_in)
        phi.add_incoming(none, none_in)
        return phi

    def tuple_of(self, items: Sequence[Native]) -> Native:
        """A new tuple, which takes over the references."""
        made = self.call("PyTuple_New", ir.Constant(WORD, len(items)))
        for place, item in enumerate(items):
            self.call("PyTuple_SetItem", made, ir.Constant(WORD, place), item)
        return made
