"""Python's arithmetic on sizes: the functions that exported programs call, by the names of their targets."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tsc.compiler.exir.symbols import functions
from tsc.compiler.exir.symbols.sym_values import (
    SymbolicArithmeticError,
    SymValue,
    hint_of,
    set_arithmetic,
)
from tsc.compiler.exir.symbols.sympy_module import sympy


@dataclass(frozen=True, slots=True)
class _Function:
    """How Python computes it, and what SymPy makes of integers and of floats."""

    concrete: Callable[..., Any]
    of_integers: Callable[..., Any] | None
    of_floats: Callable[..., Any] | None


def compute(target: str, *arguments: Any) -> Any:
    """What ``operator.add``, ``torch.sym_max``, … give: a `SymValue`, or a plain number if that is all it is."""
    function = FUNCTIONS.get(target)
    if function is None:
        raise SymbolicArithmeticError(f"{target} of a symbolic number has no expression")
    hint = function.concrete(*map(hint_of, arguments))
    environment = next((each.environment for each in arguments if isinstance(each, SymValue)), None)
    if environment is None:
        return hint
    expression = _expression(target, function, arguments)
    environment.note_comparison(target, arguments, expression)
    found = environment.value(expression, hint)
    environment.note_computed(target, arguments, found)
    return found


def _expression(target: str, function: _Function, arguments: tuple[Any, ...]) -> Any:
    floats = any(isinstance(hint_of(each), float) for each in arguments)
    make = function.of_floats if floats else function.of_integers
    if make is None:
        raise SymbolicArithmeticError(
            f"{target} of ({', '.join(map(str, arguments))}) has no expression"
        )
    return make(*[_operand(each, floats) for each in arguments])


def _operand(value: Any, as_float: bool) -> Any:
    """Of SymPy; an integer among floats becomes one."""
    found = value.expression if isinstance(value, SymValue) else sympy.sympify(value)
    return functions.ToFloat(found) if as_float and type(hint_of(value)) is int else found


def _power(base: int, exponent: int) -> Any:
    return base**exponent


def _remainder(base: Any, divisor: Any) -> Any:
    natural = base.is_nonnegative and divisor.is_positive
    return (functions.Mod if natural else functions.PythonMod)(base, divisor)


def _negative(value: Any) -> Any:
    return -value


def _identity(value: Any) -> Any:
    return value


def _sum(first: Any, second: Any) -> Any:
    return first + second


def _difference(first: Any, second: Any) -> Any:
    return sympy.expand(first - second)


def _product(first: Any, second: Any) -> Any:
    return first * second


_PYTHON: Final[Any] = operator

FUNCTIONS: Final[dict[str, _Function]] = {
    "operator.add": _Function(_PYTHON.add, _sum, _sum),
    "operator.sub": _Function(_PYTHON.sub, _difference, _difference),
    "operator.mul": _Function(_PYTHON.mul, _product, _product),
    "operator.truediv": _Function(_PYTHON.truediv, functions.IntTrueDiv, functions.FloatTrueDiv),
    "operator.floordiv": _Function(_PYTHON.floordiv, functions.FloorDiv, None),
    "operator.mod": _Function(_PYTHON.mod, _remainder, None),
    "operator.pow": _Function(_power, functions.PowByNatural, functions.FloatPow),
    "operator.neg": _Function(_PYTHON.neg, _negative, _negative),
    "operator.eq": _Function(_PYTHON.eq, sympy.Eq, sympy.Eq),
    "operator.ne": _Function(_PYTHON.ne, sympy.Ne, sympy.Ne),
    "operator.lt": _Function(_PYTHON.lt, sympy.Lt, sympy.Lt),
    "operator.le": _Function(_PYTHON.le, sympy.Le, sympy.Le),
    "operator.gt": _Function(_PYTHON.gt, sympy.Gt, sympy.Gt),
    "operator.ge": _Function(_PYTHON.ge, sympy.Ge, sympy.Ge),
    "operator.and_": _Function(_PYTHON.and_, sympy.And, None),
    "operator.or_": _Function(_PYTHON.or_, sympy.Or, None),
    "torch.sym_not": _Function(_PYTHON.not_, sympy.Not, None),
    "torch.sym_max": _Function(max, functions.Max, functions.Max),
    "torch.sym_min": _Function(min, functions.Min, functions.Min),
    "torch.sym_float": _Function(float, functions.ToFloat, _identity),
    "torch.sym_int": _Function(int, _identity, functions.TruncToInt),
    "torch.sym_sqrt": _Function(math.sqrt, functions.SquareRoot, functions.SquareRoot),
    "math.trunc": _Function(math.trunc, _identity, functions.TruncToInt),
    "math.ceil": _Function(math.ceil, _identity, functions.CeilToInt),
    "math.floor": _Function(math.floor, _identity, functions.FloorToInt),
    "builtins.round": _Function(round, _identity, functions.RoundToInt),
}
"""By target. None where PyTorch has no expression either."""

COMPARISONS: Final = frozenset(f"operator.{name}" for name in ("eq", "ne", "lt", "le", "gt", "ge"))


set_arithmetic(compute)
