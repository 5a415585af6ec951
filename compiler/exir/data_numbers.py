"""Numbers that are in tensors, and are known when a program runs: what reads, computes, holds and takes them.

Capture and the explanation of what it would do share these tables; nodes are told by their kinds.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import prim
from tsc.compiler.schema import Argument
from tsc.compiler.types import OptionalType, Type, TypeKind

READERS: Final[dict[str, type[int] | type[float] | None]] = {
    "aten::item": None,
    "aten::ScalarImplicit": None,
    "aten::Int": int,
    "aten::IntImplicit": int,
    "aten::Float": float,
    "aten::FloatImplicit": float,
}
"""Read the number in a tensor, or convert one; None leaves it what it is."""
TRUTHS: Final = frozenset({"aten::Bool", "aten::is_nonzero"})
"""Ask for the truth of a tensor or number."""
ARITHMETIC: Final = frozenset(
    {
        *(f"aten::{each}" for each in ("add", "sub", "mul", "div", "floordiv", "remainder")),
        *(f"aten::{each}" for each in ("lt", "gt", "le", "ge", "eq", "ne", "neg", "abs")),
        *(
            "aten::pow",
            "aten::fmod",
            "aten::atan2",
            "prim::max",
            "prim::min",
            "prim::abs",
            "aten::__derive_index",
            "aten::__range_length",
        ),
    }
)
"""Computed on numbers that nobody knows yet, as operators on tensors."""
FUNCTIONS: Final = frozenset(
    {
        *(f"aten::{each}" for each in ("sqrt", "exp", "expm1", "log", "log1p", "log2", "log10")),
        *(f"aten::{each}" for each in ("sin", "cos", "tan", "asin", "acos", "atan", "erf", "erfc")),
        *(f"aten::{each}" for each in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")),
        *("aten::lgamma", "aten::floor", "aten::ceil", "aten::round"),
    }
)
"""Of one number: those of ``math``, as operators on tensors."""
INTEGERS: Final = frozenset({"aten::floor", "aten::ceil"})
"""Those of them that give whole numbers."""
TESTS: Final = frozenset({"aten::isnan", "aten::isinf", "aten::isfinite"})
"""What of a float is asked that gives a truth value."""
LOGIC: Final = frozenset({"aten::__not__", "aten::__and__", "aten::__or__"})
MAKERS: Final = frozenset({"aten::tensor", "aten::as_tensor", "prim::NumToTensor"})
"""Make a tensor of a number."""
HOLDERS: Final = frozenset(
    {
        *(prim.TupleConstruct, prim.ListConstruct, prim.DictConstruct, prim.TupleUnpack),
        *(prim.ListUnpack, prim.TupleIndex, prim.TupleSlice, "prim::unchecked_cast"),
        *("aten::append", "aten::len", "aten::__is__", "aten::__isnot__"),
        *("aten::extend", "aten::reverse", "aten::copy", "aten::list", "aten::clear"),
    }
)
"""Put things into containers, or take them out, whatever they are."""
PLACED: Final = frozenset(
    {
        *(prim.TupleConstruct, prim.ListConstruct, prim.DictConstruct, "prim::unchecked_cast"),
        *("aten::__is__", "aten::__isnot__"),
    }
)
"""Take anything first, and ask nothing of it."""
MOVED: Final = frozenset(
    {"aten::add", "aten::add_", "aten::mul", "aten::slice", "aten::pop", "aten::Delete"}
)
"""Of a list: what is in it is put elsewhere. Other arguments have to be known."""
ASKED: Final = frozenset(
    {"aten::sum", "prim::max", "prim::min", "aten::any", "aten::all", "aten::__contains__"}
)
"""Of a list: what is in it is computed with."""
INDEXED: Final = frozenset({"aten::__getitem__", "aten::_set_item", "aten::insert"})
"""The same, at an index that has to be known."""

_POSITIONS: Final = frozenset(
    {
        *(("aten::select", "index"), ("aten::select_scatter", "index"), ("aten::roll", "shifts")),
        *(("aten::triu", "diagonal"), ("aten::tril", "diagonal")),
    }
)
"""Whole numbers that say where elements are, and not how many a result has."""
_RANGES: Final = frozenset({"aten::arange", "aten::range", "aten::linspace", "aten::logspace"})
_SCALED: Final = ("aten::upsample", "aten::interpolate", "aten::__interpolate", "aten::dropout")


def takes_late_number(name: str, argument: Argument) -> bool:
    """Whether a number that is known when the program runs may be this argument: sizes do not follow from it."""
    if (name, argument.name) in _POSITIONS:
        return True
    if name in _RANGES:
        return False
    type = argument.type
    inner = type.element if isinstance(type, OptionalType) else type
    return inner.kind is TypeKind.NumberType or (
        inner.kind is TypeKind.FloatType and not name.startswith(_SCALED)
    )


def may_be_size(name: str, argument: Argument) -> bool:
    """Whether a whole number out of a tensor may be this argument, as a symbol that sizes are made of."""
    if name in _RANGES:
        return name == "aten::arange" and argument.type.kind is TypeKind.NumberType
    return _is_symbolic(argument.declared_type)


def _is_symbolic(type: Type) -> bool:
    return type.kind is TypeKind.SymIntType or any(map(_is_symbolic, type.contained))


def told_of_size(name: str, argument: Argument) -> str:
    """What to say of a number that may be no such argument."""
    return f"the argument {argument.name} of {name} is a number that data decides, and so may be the size of its result"


TEXTS: Final = frozenset({"aten::str", "aten::format", "aten::percentFormat"})
"""Make texts of what they are given."""
