"""Scalar expressions as trees of inputs, constants and operators; they are read from TorchScript, and print as it."""

from __future__ import annotations

import ast
from functools import cache

from tsc.compiler.schema.schema_parser import SchemaError
from tsc.compiler.value_classes import value_class

Number = int | float | bool


@value_class
class Input:
    """An argument of the operator, by the name that it has in the schema."""

    name: str

    def __str__(self) -> str:
        return self.name


@value_class
class Constant:
    """A number; of settings of an operator a string or None, too."""

    value: Number | str | None

    def __str__(self) -> str:
        if isinstance(self.value, float) and self.value in (_INFINITY, -_INFINITY):
            return f"float('{self.value}')"
        return repr(self.value)


@value_class
class Apply:
    """An operator, by its name without ``aten::``, on terms: ``exp(self)``."""

    operator: str
    operands: tuple[Term, ...]

    def __str__(self) -> str:
        symbol = _SYMBOLS.get(self.operator)
        if symbol is None:
            return f"torch.{self.operator}({', '.join(map(str, self.operands))})"
        if len(self.operands) == 1:
            return f"{symbol}{_enclosed(self.operands[0])}"
        left, right = self.operands
        return f"{_enclosed(left)} {symbol} {_enclosed(right)}"


@value_class
class Choice:
    """One of two terms. The condition is of numbers and settings: it is the same for all elements."""

    condition: Term
    chosen: Term
    other: Term

    def __str__(self) -> str:
        return (
            f"{_enclosed(self.chosen)} if {_enclosed(self.condition)} else {_enclosed(self.other)}"
        )


Term = Input | Constant | Apply | Choice

_INFINITY = float("inf")

_UNARY: dict[type[ast.AST], tuple[str, str]] = {
    ast.USub: ("neg", "-"),
    ast.Invert: ("bitwise_not", "~"),
}
_BINARY: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("add", "+"),
    ast.Sub: ("sub", "-"),
    ast.Mult: ("mul", "*"),
    ast.Div: ("div", "/"),
    ast.FloorDiv: ("floordiv", "//"),
    ast.Mod: ("remainder", "%"),
    ast.Pow: ("pow", "**"),
    ast.BitAnd: ("bitwise_and", "&"),
    ast.BitOr: ("bitwise_or", "|"),
    ast.BitXor: ("bitwise_xor", "^"),
    ast.LShift: ("bitwise_left_shift", "<<"),
    ast.RShift: ("bitwise_right_shift", ">>"),
    ast.Lt: ("lt", "<"),
    ast.LtE: ("le", "<="),
    ast.Gt: ("gt", ">"),
    ast.GtE: ("ge", ">="),
    ast.Eq: ("eq", "=="),
    ast.NotEq: ("ne", "!="),
    ast.Is: ("__is__", "is"),
}
_SYMBOLS = dict([*_UNARY.values(), *_BINARY.values()])

_FUNCTIONS = """
abs floor ceil trunc round exp exp2 expm1 log log2 log10 log1p sqrt sin cos tan asin acos atan
sinh cosh tanh asinh acosh atanh sigmoid erf erfc floor_divide fmod maximum minimum clamp_min clamp_max where
"""
BASIC = frozenset([*_SYMBOLS, *_FUNCTIONS.split()])
"""The operators that terms are made of. Whatever cannot be said in them is its operator itself."""


@cache
def parse_term(text: str) -> Term:
    """The tree of an expression; SchemaError for what no scalar expression has."""
    return _term(ast.parse(text, mode="eval").body, text)


def _term(node: ast.expr, text: str) -> Term:
    match node:
        case ast.Name():
            return Input(node.id)
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return Constant(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Constant(-value)
        case ast.UnaryOp() if type(node.op) in _UNARY:
            return _apply(_UNARY[type(node.op)][0], [node.operand], text)
        case ast.BinOp():
            return _apply(_BINARY[type(node.op)][0], [node.left, node.right], text)
        case ast.Compare(ops=[comparison], comparators=[right]):
            return _apply(_BINARY[type(comparison)][0], [node.left, right], text)
        case ast.IfExp():
            parts = (_term(each, text) for each in (node.test, node.body, node.orelse))
            return Choice(*parts)
        case ast.Call(func=ast.Name("float"), args=[ast.Constant(str() as value)]):
            return Constant(float(value))
        case ast.Call(func=ast.Attribute(value=ast.Name("torch"), attr=name), keywords=[]):
            return _apply(name, node.args, text)
        case _:
            pass
    raise SchemaError("a scalar expression has nothing like this", text, node.col_offset)


def _apply(operator: str, operands: list[ast.expr], text: str) -> Apply:
    return Apply(operator, tuple(_term(each, text) for each in operands))


def _enclosed(term: Term) -> str:
    """A term as an operand of a symbol."""
    is_compound = isinstance(term, Choice) or (
        isinstance(term, Apply) and term.operator in _SYMBOLS
    )
    return f"({term})" if is_compound else str(term)


def operators_in(term: Term) -> set[str]:
    """The names of the operators that a term applies."""
    found: set[str] = set()
    pending = [term]
    while pending:
        match pending.pop():
            case Apply(operator, operands):
                found.add(operator)
                pending += operands
            case Choice(condition, chosen, other):
                pending += (condition, chosen, other)
            case _:
                pass
    return found


def sole_operator(term: Term) -> str | None:
    """The operator that a term applies to inputs, where it does nothing else."""
    if isinstance(term, Apply) and all(isinstance(each, Input) for each in term.operands):
        return term.operator
    return None
