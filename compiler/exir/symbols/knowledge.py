"""What is known of symbols: their ranges, what equals what, what divides what, and which conditions hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from tsc.compiler.exir.symbols.functions import CleanDiv, FloorDiv, IntTrueDiv, Max, Mod, TruncToInt
from tsc.compiler.exir.symbols.intervals import ANYTHING, Interval, bounds, decided, difference
from tsc.compiler.exir.symbols.sympy_module import sympy

_MOST_SYMBOLS = 5


class Knowledge:
    """Learns conditions, and simplifies and decides others by them.

    Of two symbols that are equal the one with the larger value, then the later name, is replaced: that is how
    PyTorch chooses the names that are left.
    """

    def __init__(self) -> None:
        self.ranges: dict[Any, Interval] = {}
        self.hints: dict[Any, Any] = {}
        self._equal: dict[Any, Any] = {}
        self._whole: set[Any] = set()
        self._facts: set[Any] = set()

    def replaced(self, expression: Any) -> Any:
        """The same with symbols that are known to be others, or to be a number, replaced."""
        while found := [each for each in expression.free_symbols if each in self._equal]:
            expression = expression.xreplace({each: self._equal[each] for each in found})
            if not (expression.is_Relational or expression.is_Boolean):
                expression = sympy.expand(expression)
        return expression

    def simplified(self, expression: Any) -> Any:
        """Replaced, and with quotients and maxima that are known to be something simpler."""
        expression = self.replaced(expression)
        if not expression.has(FloorDiv, TruncToInt, Max):
            return expression
        simpler = {
            each: self._simpler(each)
            for kind in (Max, TruncToInt, FloorDiv)
            for each in expression.atoms(kind)
        }
        return expression.xreplace({key: each for key, each in simpler.items() if each != key})

    def _simpler(self, part: Any) -> Any:
        if isinstance(part, Max):
            return self._maximum(part)
        if isinstance(part, TruncToInt):
            inner = part.args[0]
            return FloorDiv(*inner.args) if isinstance(inner, IntTrueDiv) else part
        base, divisor = part.args
        if isinstance(part, CleanDiv) or self.replaced(Mod(base, divisor)) not in self._whole:
            return part
        return CleanDiv(base, divisor)

    def _maximum(self, part: Any) -> Any:
        """Without a number that the rest always reaches."""
        numbers = [each for each in part.args if each.is_Integer]
        others = [each for each in part.args if not each.is_Integer]
        if numbers and any(bounds(each, self.ranges).lower >= int(max(numbers)) for each in others):
            return Max(*others)
        return part

    def decided(self, condition: Any) -> bool | None:
        """Whether a condition always holds or never does. None where this is not known."""
        condition = self.simplified(condition)
        if condition.is_Boolean and not condition.free_symbols:
            return bool(condition)
        if canonical(condition) in self._facts:
            return True
        if canonical(sympy.Not(condition)) in self._facts:
            return False
        if condition.is_Relational and condition.rel_op == "==":
            remainder = condition.lhs - condition.rhs
            if isinstance(remainder, Mod) and remainder in self._whole:
                return True
        return decided(condition, self.ranges)

    def allows(self, assignment: Mapping[Any, int]) -> bool:
        """Whether nothing that is known speaks against symbols having these values."""
        for symbol, value in assignment.items():
            interval = self.ranges.get(symbol, ANYTHING)
            if not interval.lower <= value <= interval.upper:
                return False
        values = {symbol: sympy.Integer(value) for symbol, value in assignment.items()}
        return all(_may_hold(fact, values) for fact in self._facts)

    def learn(self, condition: Any) -> None:
        """A condition holds from now on."""
        condition = self.simplified(condition)
        if isinstance(condition, sympy.And):
            for each in condition.args:
                self.learn(each)
            return
        self._facts.add(canonical(condition))
        if not condition.is_Relational or len(condition.free_symbols) > _MOST_SYMBOLS:
            return
        if condition.rel_op == "!=":
            self._exclude(condition)
            return
        self._narrow(condition)
        if condition.rel_op == "==":
            self._equate(condition)

    def define(self, symbol: Any, value: Any) -> None:
        """A symbol stands for a value from now on, whichever of them is the larger one."""
        if symbol in self._equal:
            self.learn(sympy.Eq(symbol, value))
        else:
            self._replace(symbol, value)

    def narrow(self, symbol: Any, interval: Interval) -> None:
        """A symbol lies in an interval, too; where one value is left, the symbol is that number."""
        self.ranges[symbol] = self.ranges.get(symbol, ANYTHING) & interval
        if self.ranges[symbol].single is not None and symbol in self.hints:
            self._equal[symbol] = sympy.Integer(self.ranges[symbol].single)

    def _narrow(self, relation: Any) -> None:
        if not relation.is_Relational:
            return
        whole = sympy.expand(relation.lhs - relation.rhs)
        for each in _without_quotient(whole, relation.rel_op):
            self._narrow(each)
        for symbol in whole.free_symbols:
            factor = whole.coeff(symbol)
            rest = sympy.expand(whole - factor * symbol)
            if not factor.is_Integer or factor == 0 or not symbol.is_integer or rest.has(symbol):
                continue
            other = bounds(-rest, self.ranges)
            self.narrow(symbol, _allowed(relation.rel_op, other, int(factor)))

    def _exclude(self, relation: Any) -> None:
        """A number at the end of a range is no longer in it."""
        where = difference(relation, self.ranges)
        if where.lower == 0:
            self._narrow(sympy.Gt(relation.lhs, relation.rhs))
        elif where.upper == 0:
            self._narrow(sympy.Lt(relation.lhs, relation.rhs))

    def _equate(self, relation: Any) -> None:
        whole = sympy.expand(relation.lhs - relation.rhs)
        if isinstance(whole, Mod):
            self._whole.add(whole)
            return
        backed = [each for each in whole.free_symbols if each in self.hints]
        if not backed or whole.has(Mod, FloorDiv):
            return
        symbol = max(backed, key=lambda each: (self.hints[each], each.name))
        factor = whole.coeff(symbol)
        rest = sympy.expand(whole - factor * symbol)
        if factor.is_Integer and factor != 0 and not rest.has(symbol):
            self._replace(symbol, sympy.expand(-rest / factor))

    def _replace(self, symbol: Any, value: Any) -> None:
        """If the value is computed without fractions, and what is known of the symbol is known of the value."""
        if any(
            each.is_Rational and not each.is_Integer for each in sympy.preorder_traversal(value)
        ):
            return
        if any(each not in self.hints for each in value.free_symbols):
            return
        self._hand_on(symbol, value)
        interval = bounds(value, self.ranges)
        known = self.ranges.get(symbol, ANYTHING)
        if known.lower <= interval.lower and interval.upper <= known.upper:
            self._equal[symbol] = value
        self.ranges[symbol] = known & interval

    def _hand_on(self, symbol: Any, value: Any) -> None:
        """What is known of the range of a symbol, to the only symbol of its value."""
        if len(value.free_symbols) == 1:
            known = self.ranges.get(symbol, ANYTHING)
            for relation in _ends(value, known):
                if relation.is_Relational:
                    self._narrow(relation)


def _may_hold(fact: Any, values: Mapping[Any, Any]) -> bool:
    """Whether a fact holds for values of symbols, as far as they tell."""
    if not isinstance(fact, tuple):
        return fact.xreplace(values) != sympy.false
    operator, whole = cast("tuple[str, Any]", fact)
    found = whole.xreplace(values)
    if found.free_symbols:
        return True
    number = float(found)
    return {"<": number < 0, "<=": number <= 0, "==": number == 0, "!=": number != 0}[operator]


def _without_quotient(whole: Any, operator: str) -> list[Any]:
    """What ``factor * (e // k) + number`` being so compared with 0 says of ``e``, in which there may be quotients."""
    terms = [each.as_coeff_Mul() for each in sympy.Add.make_args(whole)]
    quotients = [each for each in terms if isinstance(each[1], FloorDiv)]
    if len(quotients) != 1 or operator == "!=":
        return []
    factor, quotient = quotients[0]
    base, divisor = quotient.args
    number = whole - factor * quotient
    if not (factor.is_Integer and number.is_Integer and divisor.is_Integer) or divisor <= 0:
        return []
    if factor == 0:
        return []
    allowed = _allowed(operator, Interval(int(-number), int(-number)), int(factor))
    times = int(divisor)
    stretched = Interval(allowed.lower * times, allowed.upper * times + times - 1)
    return [each for each in _ends(base, stretched) if each.is_Relational]


def _ends(value: Any, interval: Interval) -> list[Any]:
    found: list[Any] = []
    if math.isfinite(interval.lower):
        found.append(sympy.Ge(value, int(interval.lower)))
    if math.isfinite(interval.upper):
        found.append(sympy.Le(value, int(interval.upper)))
    return found


def _allowed(operator: str, other: Interval, factor: int) -> Interval:
    """Where x lies if ``factor * x`` compares so with something in `other`."""
    strict = 1 if operator in ("<", ">") else 0
    least, most = other.lower + strict, other.upper - strict
    if operator in ("<", "<="):
        least = -math.inf
    elif operator in (">", ">="):
        most = math.inf
    if factor < 0:
        least, most, factor = -most, -least, -factor
    lower = least if math.isinf(least) else -(-int(least) // factor)
    return Interval(lower, most if math.isinf(most) else int(most) // factor)


def canonical(condition: Any) -> Any:
    """One of the forms in which a relation can be written: something compared with 0."""
    if not condition.is_Relational:
        return condition
    whole, operator = sympy.expand(condition.lhs - condition.rhs), condition.rel_op
    if operator in (">", ">="):
        whole, operator = -whole, {">": "<", ">=": "<="}[operator]
    elif operator in ("==", "!=") and whole.could_extract_minus_sign():
        whole = -whole
    return (operator, whole)
