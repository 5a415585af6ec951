"""The operators of Python: the names of their special methods, and what they do to host values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Operator:
    """``left <symbol> right``: `name` and `reflected` are those of the special methods."""

    symbol: str
    name: str
    reflected: str
    apply: Callable[[Any, Any], Any]
    apply_in_place: Callable[[Any, Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class UnaryOperator:
    """An operator of one value, or a builtin function that has a special method; `symbol` as messages have it."""

    symbol: str
    name: str
    apply: Callable[[Any], Any]


def _arithmetic(symbol: str, name: str, word: str = "") -> Operator:
    word = word or name
    return Operator(
        symbol, name, f"r{name}", getattr(operator, word), getattr(operator, f"i{word.strip('_')}")
    )


def _comparison(symbol: str, name: str, mirrored: str) -> Operator:
    return Operator(symbol, name, mirrored, getattr(operator, name))


EQUAL: Final = _comparison("==", "eq", "eq")
BINARY: Final[dict[str, Operator]] = {
    "+": _arithmetic("+", "add"),
    "-": _arithmetic("-", "sub"),
    "*": _arithmetic("*", "mul"),
    "/": _arithmetic("/", "truediv"),
    "floordiv": _arithmetic("//", "floordiv"),
    "%": _arithmetic("%", "mod"),
    "pow operator": _arithmetic("**", "pow"),
    "@": _arithmetic("@", "matmul"),
    "&": _arithmetic("&", "and", "and_"),
    "|": _arithmetic("|", "or", "or_"),
    "^": _arithmetic("^", "xor"),
    "<<": _arithmetic("<<", "lshift"),
    ">>": _arithmetic(">>", "rshift"),
    "<": _comparison("<", "lt", "gt"),
    ">": _comparison(">", "gt", "lt"),
    "le": _comparison("<=", "le", "ge"),
    "ge": _comparison(">=", "ge", "le"),
    "eq": EQUAL,
    "ne": _comparison("!=", "ne", "ne"),
}
"""By the kind of the tree."""
ORDERING: Final = frozenset(("<", ">", "<=", ">=", "==", "!="))
"""Symbols of the operators that compare what containers hold."""
COMPARISONS: Final = frozenset(("<", ">", "le", "ge", "eq", "ne", "in", "is", "is not"))
UNARY: Final[dict[str, UnaryOperator]] = {
    "unary minus": UnaryOperator("unary -", "neg", operator.neg),
    "unary plus": UnaryOperator("unary +", "pos", operator.pos),
    "~": UnaryOperator("unary ~", "invert", operator.invert),
}
ABSOLUTE: Final = UnaryOperator("abs()", "abs", abs)
