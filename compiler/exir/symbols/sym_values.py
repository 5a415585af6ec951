"""Numbers of a program that is captured: what is computed of sizes and data, and what it was in this run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from tsc.compiler.source import Error

if TYPE_CHECKING:
    from tsc.compiler.exir.symbols.environment import ShapeEnvironment

_arithmetic: list[Callable[..., Any]] = []


def set_arithmetic(compute: Callable[..., Any]) -> None:
    """What computes with values: it makes new ones, and so stands above them."""
    _arithmetic[:] = [compute]


class SymbolicArithmeticError(Error):
    """Something is asked of symbolic numbers that has no expression."""


class SymValue:
    """An expression over the symbols of an environment, and its value in this run, the `hint`.

    Arithmetic and comparisons give other ones, or plain numbers where nothing is left to be known. Nobody takes one
    for a plain number: ``bool(x)`` and ``int(x)`` are refused, `ShapeEnvironment.guard` and `specialize` decide.
    """

    __slots__ = ("environment", "hint", "_expression")

    def __init__(self, environment: ShapeEnvironment, expression: Any, hint: Any) -> None:
        self.environment = environment
        self._expression = expression
        self.hint = hint

    @property
    def expression(self) -> Any:
        """Of SymPy, with what is known of its symbols by now."""
        return self.environment.replaced(self._expression)

    @property
    def symbol(self) -> Any:
        """What it was made as, whatever has been learnt of it since: for a size of an input, its symbol."""
        return self._expression

    @property
    def constant(self) -> Any:
        """The number that it has been found to be always. None if it may still change."""
        found = self.expression
        return None if found.free_symbols else self.hint

    def __str__(self) -> str:
        return str(self.expression)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self}, hint={self.hint!r})"

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        self._refuse("bool")

    def __int__(self) -> int:
        self._refuse("int")

    def __float__(self) -> float:
        self._refuse("float")

    def _refuse(self, kind: str) -> NoReturn:
        raise Error(f"{self} is not known before the program runs: it is no {kind}")

    def _with(self, operator: str, *others: Any) -> Any:
        return _arithmetic[0](operator, self, *others)

    def _after(self, operator: str, other: Any) -> Any:
        return _arithmetic[0](operator, other, self)

    def __eq__(self, other: object) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._with("operator.eq", other)

    def __ne__(self, other: object) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._with("operator.ne", other)


class SymNumber(SymValue):
    """A number with Python's arithmetic."""

    __slots__ = ()
    __hash__ = SymValue.__hash__

    def __add__(self, other: Any) -> Any:
        return self._with("operator.add", other)

    def __radd__(self, other: Any) -> Any:
        return self._after("operator.add", other)

    def __sub__(self, other: Any) -> Any:
        return self._with("operator.sub", other)

    def __rsub__(self, other: Any) -> Any:
        return self._after("operator.sub", other)

    def __mul__(self, other: Any) -> Any:
        return self._with("operator.mul", other)

    def __rmul__(self, other: Any) -> Any:
        return self._after("operator.mul", other)

    def __truediv__(self, other: Any) -> Any:
        return self._with("operator.truediv", other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._after("operator.truediv", other)

    def __floordiv__(self, other: Any) -> Any:
        return self._with("operator.floordiv", other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._after("operator.floordiv", other)

    def __mod__(self, other: Any) -> Any:
        return self._with("operator.mod", other)

    def __rmod__(self, other: Any) -> Any:
        return self._after("operator.mod", other)

    def __pow__(self, other: Any) -> Any:
        return self._with("operator.pow", other)

    def __rpow__(self, other: Any) -> Any:
        return self._after("operator.pow", other)

    def __neg__(self) -> Any:
        return self._with("operator.neg")

    def __lt__(self, other: Any) -> Any:
        return self._with("operator.lt", other)

    def __le__(self, other: Any) -> Any:
        return self._with("operator.le", other)

    def __gt__(self, other: Any) -> Any:
        return self._with("operator.gt", other)

    def __ge__(self, other: Any) -> Any:
        return self._with("operator.ge", other)


class SymInt(SymNumber):
    """An integer."""

    __slots__ = ()
    __hash__ = SymValue.__hash__


class SymFloat(SymNumber):
    """A floating point number."""

    __slots__ = ()
    __hash__ = SymValue.__hash__


class SymBool(SymValue):
    """A condition."""

    __slots__ = ()
    __hash__ = SymValue.__hash__

    def __and__(self, other: Any) -> Any:
        return self._with("operator.and_", other)

    def __or__(self, other: Any) -> Any:
        return self._with("operator.or_", other)

    def __invert__(self) -> Any:
        return self._with("torch.sym_not")


KINDS: dict[type, type[SymValue]] = {bool: SymBool, int: SymInt, float: SymFloat}
"""The class for a value of each of Python's types."""


def hint_of(value: Any) -> Any:
    """What a number, or a `SymValue`, is in this run."""
    return value.hint if isinstance(value, SymValue) else value
