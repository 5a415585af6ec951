"""Expressions of SymPy as those of programs and files, which need no SymPy, and back."""

from __future__ import annotations

from typing import Any, Final

from tsc.compiler.exir.symbolic_expressions import SymbolicError, SymbolicExpression
from tsc.compiler.exir.symbols import functions
from tsc.compiler.exir.symbols.sympy_module import sympy

_OF_SYMPY: Final = [
    "Add",
    "Mul",
    "Pow",
    "Max",
    "Min",
    "And",
    "Or",
    "Not",
    "StrictGreaterThan",
    "StrictLessThan",
    "GreaterThan",
    "LessThan",
    "Equality",
    "Unequality",
]
_OF_PYTORCH: Final = [
    "FloorDiv",
    "CleanDiv",
    "Mod",
    "PythonMod",
    "PowByNatural",
    "IntTrueDiv",
    "FloatTrueDiv",
    "FloatPow",
    "ToFloat",
    "TruncToFloat",
    "RoundDecimal",
    "TruncToInt",
    "CeilToInt",
    "FloorToInt",
    "RoundToInt",
]

_FUNCTIONS: Final[dict[str, Any]] = {
    **{name: getattr(sympy, name) for name in _OF_SYMPY},
    **{name: getattr(functions, name) for name in _OF_PYTORCH},
    "OpaqueUnaryFn_sqrt": functions.SquareRoot,
}


def to_expression(found: Any, hint: Any = None) -> SymbolicExpression:
    """As programs hold it, in the order in which SymPy writes terms and factors."""
    if found.is_Symbol:
        told = tuple((name, bool(value)) for name, value in found._assumptions_orig.items())
        return SymbolicExpression("Symbol", (found.name,), told, hint)
    if found.is_Integer:
        return SymbolicExpression("Integer", (int(found),), (), hint)
    if found in (sympy.true, sympy.false):
        return SymbolicExpression("Boolean", (int(bool(found)),), (), hint)
    if found.is_Float:
        return SymbolicExpression("Float", (str(found),), (("precision", False),), hint)
    if found.is_Rational:
        return SymbolicExpression("Rational", (int(found.p), int(found.q)), (), hint)
    parts = tuple(to_expression(each) for each in _ordered_parts(found))
    return SymbolicExpression(found.func.__name__, parts, (), hint)


def _ordered_parts(found: Any) -> Any:
    if found.is_Add:
        return found.as_ordered_terms()
    return found.as_ordered_factors() if found.is_Mul else found.args


def from_expression(found: SymbolicExpression) -> Any:
    """Of SymPy. Raises `SymbolicError` for a function that is not known."""
    if found.symbol is not None:
        return sympy.Symbol(found.symbol, **dict(found.assumptions))
    if found.function == "Boolean":
        return sympy.true if found.arguments[0] else sympy.false
    if found.function == "Float":
        return sympy.Float(str(found.arguments[0]))
    if found.function in ("Integer", "Rational"):
        return sympy.Rational(*found.arguments)
    make = _FUNCTIONS.get(found.function)
    if make is None:
        raise SymbolicError(f"tsc does not know the function {found.function} of sizes")
    return make(*map(from_expression, found.parts))
