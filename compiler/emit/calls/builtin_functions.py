"""Builtin functions that are defined by other builtins: ``2 + x`` is ``x + 2``.

They are further overloads of their names, tried after the operators. A call is replaced by the
definition's body, whose leaves are literals and, as plain ints, the positions of arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from tsc.compiler.schema import FunctionSchema, parse_schema
from tsc.compiler.value_classes import value_class


@value_class
class Literal:
    """A constant."""

    value: object


@value_class
class Call:
    """A call of a builtin."""

    name: str
    arguments: tuple[Body, ...]


@value_class
class Asserting:
    """``assert condition, message``, then the result."""

    condition: Body
    message: Body
    result: Body


@value_class
class WithNumbers:
    """Numbers that are made first, as further arguments for the result."""

    numbers: tuple[int, ...]
    result: Body


Body = int | Literal | Call | Asserting | WithNumbers


@value_class
class BuiltinDefinition:
    """A schema and what a call to it stands for."""

    schema: FunctionSchema
    body: Body


def _call(name: str, *arguments: Body) -> Call:
    return Call(name, arguments)


_SCALAR_FIRST: Final[dict[str, Body]] = {
    "mul": _call("aten::mul", 1, 0),
    "add": _call("aten::add", 1, 0),
    "ne": _call("aten::ne", 1, 0),
    "eq": _call("aten::eq", 1, 0),
    "lt": _call("aten::gt", 1, 0),
    "le": _call("aten::ge", 1, 0),
    "gt": _call("aten::lt", 1, 0),
    "ge": _call("aten::le", 1, 0),
    "sub": _call("aten::add", _call("aten::neg", 1), 0),
    "div": _call("aten::mul", _call("aten::reciprocal", 1), 0),
}
_ORDERINGS: Final = ("lt", "le", "gt", "ge")
_TUPLE_SIZES: Final = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}
_ASSERTION_MESSAGE: Final = _call("aten::add", Literal("AssertionError: "), 1)
_OTHERS: Final[dict[str, tuple[tuple[str, Body], ...]]] = {
    "aten::floordiv": (
        ("floordiv(Tensor self, Scalar other) -> Tensor", _call("aten::floor_divide", 0, 1)),
        ("floordiv(Tensor self, Tensor other) -> Tensor", _call("aten::floor_divide", 0, 1)),
    ),
    "aten::__contains__": (
        (
            "__contains__(str self, str key) -> bool",
            WithNumbers(
                (0, -1),
                _call("aten::ne", _call("aten::find", 0, 1, 2, _call("aten::len", 0)), 3),
            ),
        ),
    ),
    "aten::device": (("device(str type) -> Device", _call("aten::device", 0)),),
    "aten::list_with_default": (
        (
            "list_with_default(int[] out_size, int[] defaults) -> int[]",
            Asserting(
                _call("aten::gt", _call("aten::len", 1), _call("aten::len", 0)),
                Literal("AssertionError: "),
                0,
            ),
        ),
    ),
    "aten::_assert": (
        (
            "_assert(bool condition, str message) -> NoneType",
            Asserting(0, _ASSERTION_MESSAGE, Literal(None)),
        ),
        (
            "_assert(Tensor condition, str message) -> NoneType",
            Asserting(_call("aten::Bool", 0), _ASSERTION_MESSAGE, Literal(None)),
        ),
    ),
    "prim::ndim": (("ndim(Tensor a) -> int", _call("aten::dim", 0)),),
    "prim::T": (("T(Tensor a) -> Tensor", _call("aten::numpy_T", 0)),),
    "prim::H": (("H(Tensor a) -> Tensor", _call("aten::matrix_H", 0)),),
    "prim::shape": (("shape(Tensor a) -> int[]", _call("aten::size", 0)),),
}


@cache
def builtin_definitions(name: str) -> tuple[BuiltinDefinition, ...]:
    """The overloads of a builtin, such as ``aten::add``, that are defined by other builtins."""
    texts = [*_scalar_overloads(name), *_tuple_overloads(name), *_OTHERS.get(name, ())]
    return tuple(BuiltinDefinition(parse_schema(schema), body) for schema, body in texts)


def _scalar_overloads(name: str) -> Iterator[tuple[str, Body]]:
    namespace, _, short = name.partition("::")
    if namespace != "aten" or short not in _SCALAR_FIRST:
        return
    for scalar in ("float", "int") if short in _ORDERINGS else ("float", "int", "complex"):
        yield f"{short}({scalar} a, Tensor b) -> Tensor", _SCALAR_FIRST[short]


def _tuple_overloads(name: str) -> Iterator[tuple[str, Body]]:
    short = name.removeprefix("aten::")
    size = _TUPLE_SIZES.get(short)
    if size is not None:
        for scalar in ("float", "int"):
            yield f"{short}({scalar}[{size}] x) -> {scalar}[]", 0
