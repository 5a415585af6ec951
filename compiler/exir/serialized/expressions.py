"""Symbolic expressions as files hold them: in the form of ``sympy.srepr``, and by the kind of number that they are."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.symbolic_expressions import SymbolicExpression

_BOOLEAN: Final = frozenset(
    {"Boolean", "Equality", "Unequality", "StrictGreaterThan", "StrictLessThan", "GreaterThan"}
    | {"LessThan", "And", "Or", "Not", "Eq", "Ne"}
)
_FLOATING: Final = frozenset(
    {"Float", "ToFloat", "IntTrueDiv", "FloatTrueDiv", "FloatPow", "TruncToFloat", "RoundDecimal"}
)
_INTEGRAL: Final = frozenset(
    {"Integer", "TruncToInt", "FloorToInt", "CeilToInt", "RoundToInt", "FloorDiv", "CleanDiv"}
    | {"CeilDiv", "Mod", "PythonMod", "ModularIndexing", "PowByNatural", "LShift", "RShift"}
)


def expression_text(expression: SymbolicExpression) -> str:
    """``Add(Symbol('s0', integer=True), Integer(1))``: what `parse_symbolic_expression` reads."""
    if expression.function == "Boolean":
        return "true" if expression.arguments[0] else "false"
    parts = [
        expression_text(each) if isinstance(each, SymbolicExpression) else repr(each)
        for each in expression.arguments
    ]
    parts += [f"{name}={value}" for name, value in expression.assumptions]
    return f"{expression.function}({', '.join(parts)})"


def number_type(expression: SymbolicExpression) -> type[int] | type[float] | type[bool]:
    """What an expression is when its symbols have values."""
    function = expression.function
    if function in _BOOLEAN:
        return bool
    if function in _FLOATING or function.startswith("OpaqueUnaryFn_"):
        return float
    if function in _INTEGRAL:
        return int
    if expression.symbol is not None:
        return int if ("integer", True) in expression.assumptions else float
    return float if float in map(number_type, expression.parts) else int
