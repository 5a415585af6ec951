"""Conditions on sizes of arguments, which a program holds in Python: ``(L['x'].size()[0] % 2) == 0``.

They are read into symbolic expressions whose symbols are places (``x.size()[0]``), and written of these. Nothing in
them is run. Facts as of PyTorch 2.13 (`torch.export`'s ``_guards_code``).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tsc.compiler.exir.symbolic_expressions import SymbolicError, SymbolicExpression

_LONGEST: Final = 20_000
_MOST_NESTED: Final = 60
_SIZES: Final = ("size", "stride")
_OPERATORS: Final[dict[type, str]] = {
    ast.Add: "Add",
    ast.Mult: "Mul",
    ast.FloorDiv: "FloorDiv",
    ast.Mod: "PythonMod",
    ast.Div: "IntTrueDiv",
    ast.Pow: "Pow",
    ast.Eq: "Equality",
    ast.NotEq: "Unequality",
    ast.Lt: "StrictLessThan",
    ast.LtE: "LessThan",
    ast.Gt: "StrictGreaterThan",
    ast.GtE: "GreaterThan",
    ast.And: "And",
    ast.Or: "Or",
}
_CALLS: Final = {
    "max": "Max",
    "min": "Min",
    "float": "ToFloat",
    "abs": "Abs",
    "math.trunc": "TruncToInt",
    "math.ceil": "CeilToInt",
    "math.floor": "FloorToInt",
    "math.sqrt": "OpaqueUnaryFn_sqrt",
}
_WRITTEN: Final = {
    "Add": " + ",
    "Mul": "*",
    "FloorDiv": " // ",
    "CleanDiv": " // ",
    "Mod": " % ",
    "PythonMod": " % ",
    "IntTrueDiv": " / ",
    "FloatTrueDiv": " / ",
    "Pow": "**",
    "PowByNatural": "**",
    "FloatPow": "**",
    "Equality": " == ",
    "Unequality": " != ",
    "StrictLessThan": " < ",
    "LessThan": " <= ",
    "StrictGreaterThan": " > ",
    "GreaterThan": " >= ",
    "And": " and ",
    "Or": " or ",
}


@dataclass(frozen=True, slots=True)
class ArgumentGuard:
    """A condition whose symbols are places in arguments, and its text for errors."""

    condition: SymbolicExpression
    text: str

    @property
    def places(self) -> list[str]:
        """What it is about, each once: ``x.size()[0]``, or an argument that is a number."""
        found: dict[str, None] = {}
        waiting = [self.condition]
        while waiting:
            each = waiting.pop(0)
            if each.symbol is not None:
                found[each.symbol] = None
            waiting += each.parts
        return list(found)


def parse_guard(text: str) -> ArgumentGuard:
    """A condition in Python. Raises `SymbolicError` for one that is not about sizes and numbers."""
    if len(text) > _LONGEST:
        raise SymbolicError(f"a guard has more than {_LONGEST} letters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return ArgumentGuard(_expression(tree.body, 0), _plain(ast.unparse(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unknown(text) from None


def _unknown(text: str) -> SymbolicError:
    shown = text if len(text) < 80 else f"{text[:80]}…"
    return SymbolicError(f"{shown!r} is no condition on sizes that tsc knows")


def _expression(found: ast.expr, depth: int) -> SymbolicExpression:
    if depth > _MOST_NESTED:
        raise SymbolicError("a guard is nested too deep")
    match found:
        case ast.Constant(value=bool() as truth):
            return SymbolicExpression("Boolean", (int(truth),))
        case ast.Constant(value=int() as number):
            return _integer(number)
        case ast.Constant(value=float() as number):
            return SymbolicExpression("Float", (repr(number),))
        case ast.UnaryOp(ast.USub(), operand):
            return _negated(_expression(operand, depth + 1))
        case ast.UnaryOp(ast.Not(), operand):
            return SymbolicExpression("Not", (_expression(operand, depth + 1),))
        case ast.BinOp(left, ast.Sub(), right):
            first, second = [_expression(each, depth + 1) for each in (left, right)]
            return SymbolicExpression("Add", (first, _negated(second)))
        case ast.BinOp(left, operator, right):
            return _applied(operator, found, [left, right], depth)
        case ast.BoolOp(operator, values):
            return _applied(operator, found, values, depth)
        case ast.Compare(left, operators, others):
            return _comparison(operators, [left, *others], found, depth)
        case ast.Call(func, args, []) if ast.unparse(func) in _CALLS and args:
            parts = [_expression(each, depth + 1) for each in args]
            return SymbolicExpression(_CALLS[ast.unparse(func)], tuple(parts))
        case _:
            return SymbolicExpression("Symbol", (_place(found),), (("integer", True),))


def _integer(number: int) -> SymbolicExpression:
    return SymbolicExpression("Integer", (number,))


def _negated(found: SymbolicExpression) -> SymbolicExpression:
    return SymbolicExpression("Mul", (_integer(-1), found))


def _applied(
    operator: ast.AST, whole: ast.expr, operands: list[ast.expr], depth: int
) -> SymbolicExpression:
    if type(operator) not in _OPERATORS:
        raise _unknown(ast.unparse(whole))
    parts = [_expression(each, depth + 1) for each in operands]
    return SymbolicExpression(_OPERATORS[type(operator)], tuple(parts))


def _comparison(
    operators: list[ast.cmpop], operands: list[ast.expr], whole: ast.expr, depth: int
) -> SymbolicExpression:
    """``a < b < c`` as two conditions."""
    pairs = zip(operators, pairwise(operands), strict=True)
    found = [_applied(operator, whole, list(pair), depth) for operator, pair in pairs]
    return found[0] if len(found) == 1 else SymbolicExpression("And", tuple(found))


def _place(found: ast.expr) -> str:
    """An argument, or a size or stride of one: the root is an element of ``L``."""
    match found:
        case ast.Subscript(ast.Call(ast.Attribute(base, name), [], []), ast.Constant(int() as dim)):
            if name in _SIZES:
                return f"{_argument(base)}.{name}()[{dim}]"
        case ast.Call(ast.Attribute(base, "storage_offset"), [], []):
            return f"{_argument(base)}.storage_offset()"
        case _:
            return _argument(found)
    raise _unknown(ast.unparse(found))


def _argument(found: ast.expr) -> str:
    """``L['d']['k'][0]`` as ``d['k'][0]``."""
    match found:
        case ast.Subscript(ast.Name("L"), ast.Constant(str() as name)):
            return name
        case ast.Subscript(base, ast.Constant(str() | int() as key)):
            return f"{_argument(base)}[{key!r}]"
        case _:
            raise _unknown(ast.unparse(found))


def _plain(text: str) -> str:
    """With arguments by their names."""
    pieces = text.split("L['")
    return pieces[0] + "".join(each.replace("']", "", 1) for each in pieces[1:])


def source_of(name: str) -> str:
    """An argument in guards by its name in errors: ``L['d']['k'][0]`` for ``d['k'][0]``."""
    root, bracket, path = name.partition("[")
    return f"L[{root!r}]{bracket}{path}"


def solved_source(source: str, factor: int, offset: int) -> str:
    """What a size follows from that is ``factor`` times it and ``offset`` more."""
    return f"(({source} - ({offset})) // {factor})"


def guard_text(condition: SymbolicExpression, sources: Mapping[str, str]) -> str:
    """A condition in Python; `sources` tell what symbols stand for: ``L['x'].size()[0]``.

    Raises `SymbolicError` for a function that Python has not.
    """
    if condition.symbol is not None:
        return sources[condition.symbol]
    if condition.function in ("Integer", "Float"):
        text = str(condition.arguments[0])
        return f"({text})" if text.startswith("-") else text
    parts = [guard_text(each, sources) for each in condition.parts]
    if condition.function in _WRITTEN:
        return f"({_WRITTEN[condition.function].join(parts)})"
    if condition.function == "Not":
        return f"(not {parts[0]})"
    for name, function in _CALLS.items():
        if function == condition.function:
            return f"{name}({', '.join(parts)})"
    raise SymbolicError(f"{condition} has no form in Python")
