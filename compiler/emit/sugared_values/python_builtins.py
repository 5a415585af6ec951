"""Python's own names: those TorchScript has, exception classes, and those it has not."""

from __future__ import annotations

import builtins
from typing import Final

from tsc.compiler.emit.protocols import SugaredValue
from tsc.compiler.emit.sugared_values import (
    AssertionErrorClass,
    BuiltinFunction,
    CastValue,
    ExceptionClass,
    MagicMethod,
    PrintValue,
    SliceClass,
    SpecialFormValue,
)
from tsc.compiler.ir import prim
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import BOOL, COMPLEX, FLOAT, INT, STRING

GLOBALS: Final[dict[str, SugaredValue]] = {
    "AssertionError": AssertionErrorClass(),
    "print": PrintValue(),
    "slice": SliceClass(),
    "int": MagicMethod("__int__", CastValue(INT, "aten::Int")),
    "float": MagicMethod("__float__", CastValue(FLOAT, "aten::Float")),
    "complex": MagicMethod("__complex__", CastValue(COMPLEX, "aten::Complex")),
    "bool": MagicMethod("__bool__", CastValue(BOOL, "aten::Bool")),
    "str": MagicMethod("__str__", CastValue(STRING, "aten::str")),
    **{
        name: MagicMethod(f"__{name}__", BuiltinFunction(f"aten::{name}"))
        for name in ("len", "hex", "oct", "round")
    },
    **{name: BuiltinFunction(f"prim::{name}") for name in ("min", "max", "abs", "id")},
    **{
        name: BuiltinFunction(f"aten::{name}")
        for name in ("all", "any", "bin", "chr", "divmod", "hash", "ord", "pow", "sorted", "sum")
    },
    "tuple": SpecialFormValue(prim.TupleConstruct),
    "list": SpecialFormValue("prim::list"),
    "dict": SpecialFormValue("prim::dict"),
    "range": SpecialFormValue("prim::range"),
    "zip": SpecialFormValue("prim::zip"),
    "enumerate": SpecialFormValue("prim::enumerate"),
    "reversed": SpecialFormValue("prim::reversed"),
    "getattr": SpecialFormValue(prim.GetAttr),
    "hasattr": SpecialFormValue(prim.HasAttr),
    "isinstance": SpecialFormValue(prim.isinstance),
    "rangelist": BuiltinFunction(prim.rangelist),
}
"""Names that hide a module's own, as in PyTorch."""

_WAYS_OUT: Final[dict[str, str | None]] = {
    "map": "write a list comprehension",
    "filter": "write a loop with an if",
    "set": "use a Dict[T, bool], or a list",
    "frozenset": "use a Dict[T, bool], or a list",
    "type": "use isinstance(x, T)",
    "repr": "use str(x)",
    "format": "use an f-string or str.format",
    "iter": "loop over it",
    "next": "index it",
    "super": "call the function by its name",
    "setattr": "assign to the attribute",
    "bytes": "use a str or a List[int]",
    "bytearray": "use a List[int]",
    "eval": "call a function, or choose with if",
    "exec": "call a function, or choose with if",
    "open": "read the file beforehand, and pass what is in it as an argument",
    "input": "pass the text as an argument",
    "callable": "functions are known when the program is compiled: call it",
    "object": "use None",
}
_EXCEPTIONS: Final = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def exception_class(name: str) -> SugaredValue | None:
    """A builtin exception, for ``raise``."""
    return ExceptionClass(f"builtins.{name}") if name in _EXCEPTIONS else None


def refuse_unsupported_builtin(name: str, range: SourceRange) -> None:
    """Say by name what Python has and TorchScript has not."""
    if name.startswith("_") or not hasattr(builtins, name):
        return
    raise CompileError(
        f"Python builtin '{name}' is currently not supported in TorchScript",
        range,
        code=codes.NO_PYTHON_BUILTIN,
        hint=_WAYS_OUT.get(name),
    )
