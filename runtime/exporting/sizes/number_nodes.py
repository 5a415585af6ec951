"""Numbers made of sizes as nodes of a graph: ``sym_size`` of a tensor, and Python's arithmetic on those."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final, TypeAlias

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.symbols.sym_values import SymbolicArithmeticError
from tsc.compiler.exir.targets import Target

_FOLDED: Final = {
    "Add": Target("operator.add"),
    "Mul": Target("operator.mul"),
    "Max": Target("torch.sym_max"),
    "Min": Target("torch.sym_min"),
}
_CALLED: Final = {
    "FloorDiv": Target("operator.floordiv"),
    "CleanDiv": Target("operator.floordiv"),
    "Mod": Target("operator.mod"),
    "PythonMod": Target("operator.mod"),
    "Pow": Target("operator.pow"),
    "PowByNatural": Target("operator.pow"),
    "FloatPow": Target("operator.pow"),
    "IntTrueDiv": Target("operator.truediv"),
    "FloatTrueDiv": Target("operator.truediv"),
    "ToFloat": Target("torch.sym_float"),
    "TruncToInt": Target("math.trunc"),
    "CeilToInt": Target("math.ceil"),
    "FloorToInt": Target("math.floor"),
    "RoundToInt": Target("builtins.round"),
    "OpaqueUnaryFn_sqrt": Target("torch.sym_sqrt"),
}

Find: TypeAlias = "Callable[[Any], Argument | None]"
Make: TypeAlias = "Callable[[Target, tuple[Argument, ...], Any], Argument]"


def has_form(expression: Any) -> bool:
    """Whether nodes compute an expression of others."""
    name = expression.func.__name__
    return name in _FOLDED or name in _CALLED


def number_node(expression: Any, find: Find, make: Make) -> Argument:
    """An expression of SymPy as a node: the one that `find` knows, or new ones by `make`; a plain number as it is.

    Raises `SymbolicArithmeticError` for a function that no node calls.
    """
    if expression.is_Integer:
        return int(expression)
    if expression.is_Float:
        return float(expression)
    known = find(expression)
    if known is not None:
        return known
    if not has_form(expression):
        raise SymbolicArithmeticError(f"{expression} has no form in exported programs")
    name = expression.func.__name__
    if name in _CALLED:
        args = [number_node(each, find, make) for each in expression.args]
        return make(_CALLED[name], tuple(args), expression)
    return _folded(expression, _FOLDED[name], find, make)


def _folded(expression: Any, target: Target, find: Find, make: Make) -> Argument:
    """A sum, product or extreme of several: computed two by two, in SymPy's order."""
    terms = expression.args
    nodes = [number_node(each, find, make) for each in terms]

    def both(first: tuple[Any, Argument], second: tuple[Any, Argument]) -> tuple[Any, Argument]:
        whole = expression.func(first[0], second[0])
        return whole, make(target, (first[1], second[1]), whole)

    return reduce(both, list(zip(terms, nodes)))[1]
