"""Sizes that are known when a program runs: symbols, and what is computed of them.

Files hold them in the form of ``sympy.srepr``: ``Add(Symbol('s0', integer=True), Integer(1))``. They are read here,
printed as sympy prints them, and computed with ints; nothing in them is called.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tsc.compiler.source import Error

_TOKEN: Final = re.compile(r"\s*(?:(-?\d+)|'([^'\\]*)'|([A-Za-z_]\w*)|([(),=]))")
_MOST_NESTED: Final = 100
_LONGEST: Final = 20_000
_MOST_DIGITS: Final = 20
_LARGEST_EXPONENT: Final = 64


class SymbolicError(Error):
    """A text that is no symbolic expression, or one that has no value."""


@dataclass(frozen=True, slots=True)
class SymbolicExpression:
    """A function of sympy or of PyTorch, and what it is applied to: ``Add`` of expressions, ``Integer`` of an int,
    ``Symbol`` of a name.

    `assumptions` are those of a symbol, or the precision of a float. `hint` is the
    value for which a program was exported, if that is told.
    """

    function: str
    arguments: tuple[SymbolicExpression | int | str, ...]
    assumptions: tuple[tuple[str, bool | int], ...] = ()
    hint: int | float | bool | None = field(default=None, compare=False)

    @property
    def symbol(self) -> str | None:
        """The name, if this is a symbol."""
        return str(self.arguments[0]) if self.function == "Symbol" else None

    @property
    def is_condition(self) -> bool:
        """Whether its value is a truth value."""
        return self.function in _CONDITIONS

    @property
    def parts(self) -> list[SymbolicExpression]:
        """The expressions that this one is computed of."""
        return [each for each in self.arguments if isinstance(each, SymbolicExpression)]

    def value(self, bindings: Mapping[str, int]) -> Any:
        """What it is for values of its symbols. Raises `SymbolicError` where it has no value."""
        if self.symbol is not None:
            if self.symbol not in bindings:
                raise SymbolicError(f"the value of {self.symbol} is not known")
            return bindings[self.symbol]
        if self.function in _NUMBERS:
            return float(self.arguments[0]) if self.function == "Float" else self.arguments[0]  # type: ignore[arg-type]
        compute = _FUNCTIONS.get(self.function)
        if compute is None:
            raise SymbolicError(f"tsc does not compute {self.function}")
        try:
            return compute(*[each.value(bindings) for each in self.parts])
        except (ArithmeticError, TypeError, ValueError) as error:
            raise SymbolicError(f"{self} has no value: {error}") from None

    def solved(self, value: int) -> tuple[str, int] | None:
        """The only symbol in sums and multiples, and what it has to be for the whole to be `value`, rounded down.

        None if that is not told.
        """
        if self.symbol is not None:
            return self.symbol, value
        known = [each for each in self.parts if each.function == "Integer"]
        unknown = [each for each in self.parts if each.function != "Integer"]
        if len(unknown) != 1 or self.function not in ("Add", "Mul"):
            return None
        constants = [int(str(each.arguments[0])) for each in known]
        if self.function == "Add":
            return unknown[0].solved(value - sum(constants))
        factor = math.prod(constants)
        return unknown[0].solved(value // factor) if factor else None

    def __str__(self) -> str:
        """As sympy prints it: ``2*s77 + 1``."""
        if self.symbol is not None or self.function in _NUMBERS:
            return str(self.arguments[0])
        if self.function == "Add":
            return _sum_text(list(map(str, self.parts)))
        if self.function == "Mul":
            return _product_text(self.parts)
        if self.function in _INFIX:
            return _INFIX[self.function].format(*map(_atom_text, self.parts))
        return f"{self.function}({', '.join(map(str, self.parts))})"


_NUMBERS: Final = ("Integer", "Float", "Boolean")
_CONDITIONS: Final = frozenset(
    {
        *("StrictGreaterThan", "StrictLessThan", "GreaterThan", "LessThan"),
        *("Equality", "Unequality", "Eq", "Ne", "And", "Or", "Not", "Boolean"),
    }
)
_INFIX: Final = {
    "FloorDiv": "({}//{})",
    "Pow": "{}**{}",
    "StrictGreaterThan": "{} > {}",
    "StrictLessThan": "{} < {}",
    "GreaterThan": "{} >= {}",
    "LessThan": "{} <= {}",
    "And": "{} & {}",
    "Or": "{} | {}",
    "Not": "~{}",
}


def _sum(*terms: int) -> int:
    return sum(terms)


def _product(*factors: int) -> int:
    return math.prod(factors)


def _power(base: int, exponent: int) -> int:
    if not 0 <= exponent <= _LARGEST_EXPONENT:
        raise ValueError("no size is a power like that")
    return int(base**exponent)


def _quotient(number: int, divisor: int) -> int:
    return number // divisor


def _ratio(number: float, divisor: float) -> float:
    return number / divisor


def _real_power(base: float, exponent: float) -> float:
    return math.pow(base, exponent)


def _all(*conditions: bool) -> bool:
    return all(conditions)


def _any(*conditions: bool) -> bool:
    return any(conditions)


def _quotient_rounded_up(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _remainder(number: int, divisor: int) -> int:
    return number % divisor


def _remainder_of_quotient(base: int, divisor: int, modulus: int) -> int:
    return base // divisor % modulus


_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "Add": _sum,
    "Mul": _product,
    "Pow": _power,
    "PowByNatural": _power,
    "FloorDiv": _quotient,
    "CleanDiv": _quotient,
    "CeilDiv": _quotient_rounded_up,
    "Mod": _remainder,
    "PythonMod": _remainder,
    "ModularIndexing": _remainder_of_quotient,
    "Max": max,
    "Min": min,
    "Abs": abs,
    "IntTrueDiv": _ratio,
    "FloatTrueDiv": _ratio,
    "FloatPow": _real_power,
    "ToFloat": float,
    "TruncToInt": math.trunc,
    "CeilToInt": math.ceil,
    "FloorToInt": math.floor,
    "RoundToInt": round,
    "OpaqueUnaryFn_sqrt": math.sqrt,
    "Equality": operator.eq,
    "Unequality": operator.ne,
    "StrictLessThan": operator.lt,
    "LessThan": operator.le,
    "StrictGreaterThan": operator.gt,
    "GreaterThan": operator.ge,
    "And": _all,
    "Or": _any,
    "Not": operator.not_,
}
"""Those that sizes of inputs, and conditions on them, are made of."""


def _sum_text(terms: list[str]) -> str:
    text = terms[0]
    for each in terms[1:]:
        text += f" - {each[1:]}" if each.startswith("-") else f" + {each}"
    return text


def _product_text(factors: list[SymbolicExpression]) -> str:
    texts = list(map(_atom_text, factors))
    if texts[0] == "-1":
        return "-" + "*".join(texts[1:])
    return "*".join(texts)


def _atom_text(part: SymbolicExpression) -> str:
    """In brackets, if it is a sum or a quotient that stands in something else."""
    return f"({part})" if part.function in ("Add", "FloorDiv") else str(part)


def parse_symbolic_expression(
    text: str, hint: int | float | bool | None = None
) -> SymbolicExpression:
    """The expression that a text of ``sympy.srepr`` spells. Raises `SymbolicError` for another text."""
    if len(text) > _LONGEST:
        raise SymbolicError(f"a symbolic expression has more than {_LONGEST} letters")
    found = _Reader(text).whole()
    return SymbolicExpression(found.function, found.arguments, found.assumptions, hint)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def whole(self) -> SymbolicExpression:
        found = self._expression(self._take(), 0)
        if self._text[self._at :].strip():
            raise self._error()
        return found

    def _expression(self, function: str, depth: int) -> SymbolicExpression:
        if depth > _MOST_NESTED:
            raise SymbolicError("a symbolic expression is nested too deep")
        if function in ("true", "false"):
            return SymbolicExpression("Boolean", (int(function == "true"),))
        if not function.isidentifier():
            raise self._error()
        self._expect("(")
        arguments: list[SymbolicExpression | int | str] = []
        assumptions: list[tuple[str, bool | int]] = []
        mark = self._take()
        while mark != ")":
            self._argument(mark, arguments, assumptions, depth)
            mark = self._take()
            if mark == ",":
                mark = self._take()
        if not arguments:
            raise self._error()
        return SymbolicExpression(function, tuple(arguments), tuple(assumptions))

    def _argument(
        self,
        token: str,
        arguments: list[SymbolicExpression | int | str],
        assumptions: list[tuple[str, bool | int]],
        depth: int,
    ) -> None:
        if token.startswith("'"):
            arguments.append(token[1:])
        elif token.lstrip("-").isdigit():
            arguments.append(_integer(token))
        elif self._text.startswith("=", self._at):
            self._expect("=")
            given = self._take()
            is_number = given.lstrip("-").isdigit()
            assumptions.append((token, _integer(given) if is_number else given == "True"))
        else:
            arguments.append(self._expression(token, depth + 1))

    def _take(self) -> str:
        """The next token; a string begins with its quote."""
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise self._error()
        self._at = match.end()
        number, quoted, name, mark = match.groups()
        return f"'{quoted}" if quoted is not None else number or name or mark

    def _expect(self, wanted: str) -> None:
        if self._take() != wanted:
            raise self._error()

    def _error(self) -> SymbolicError:
        shown = self._text if len(self._text) < 80 else f"{self._text[:80]}…"
        return SymbolicError(f"{shown!r} is no symbolic expression (at letter {self._at})")


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise SymbolicError(f"{digits[:_MOST_DIGITS]}… is too large for a size")
    return int(digits)
