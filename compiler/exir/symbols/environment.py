"""The symbols of one capture, and what the program was found to ask of them."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from tsc.compiler.exir.exported_program import RangeConstraint
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.arithmetic import COMPARISONS
from tsc.compiler.exir.symbols.conversion import to_expression
from tsc.compiler.exir.symbols.data_dependence import DataDependentError
from tsc.compiler.exir.symbols.intervals import ANYTHING, Interval, bounds, decided
from tsc.compiler.exir.symbols.knowledge import Knowledge
from tsc.compiler.exir.symbols.sym_values import KINDS, SymBool, SymInt, SymValue
from tsc.compiler.exir.symbols.symbol_records import BackedSymbol, Guard
from tsc.compiler.exir.symbols.sympy_module import sympy

_RELATIONS: Final = {
    f"operator.{each.lower()}": getattr(sympy, each)
    for each in ("Eq", "Ne", "Lt", "Le", "Gt", "Ge")
}
_LEAST_DYNAMIC: Final = 2
"""Sizes 0 and 1 are programs of their own, for broadcasting; a symbol stands for others."""


class ShapeEnvironment:
    """Makes symbols, collects guards and tells ranges.

    `place` is asked where in the program a guard comes from.
    """

    def __init__(self, place: Callable[[], Any] = lambda: None) -> None:
        self.place = place
        self.knowledge = Knowledge()
        self.guards: list[Guard] = []
        self.backed_symbols: dict[Any, BackedSymbol] = {}
        self.unbacked_hints: dict[Any, Any] = {}
        """The numbers that data decides, and what they are in this run."""
        self.requirements: list[Any] = []
        """Conditions on such numbers that operators need, and that nobody has noted yet: the program checks them."""
        self.new_sizes: list[Any] = []
        """Symbols of sizes that data decides, whose bounds nobody has noted yet."""
        self._counts = {"u": 0, "zuf": 0}
        self._not_below_two: set[Any] = set()
        self._in_rule = False
        self.hear_computed: Callable[[str, Any, Any], None] | None = None
        """Is told what is computed of numbers outside of rules: by which function, of what, and the result."""
        self.fixing: str | None = None
        """The operator that sizes are fixed for now, as its results are not known for others."""

    # -- Symbols -----------------------------------------------------------------------------------

    def backed(
        self,
        hint: int,
        source: str,
        lower: int | None = None,
        upper: int | None = None,
        *,
        is_automatic: bool = False,
        named_after: str | None = None,
    ) -> SymInt:
        """A symbol for a size of an input. `source` is as PyTorch names it, ``L['x'].size()[0]``: the symbol's
        number is the digest of that, or of `named_after`, so that equal programs have equal names."""
        name = self._backed_name(named_after or source)
        symbol = sympy.Symbol(name, positive=True, integer=True)
        declared = Interval(0 if lower is None else lower, math.inf if upper is None else upper)
        self.backed_symbols[symbol] = BackedSymbol(symbol, source, hint, declared, is_automatic)
        self.knowledge.hints[symbol] = hint
        least = min(max(declared.lower, _LEAST_DYNAMIC), max(hint, 0))
        self.knowledge.ranges[symbol] = Interval(least, declared.upper)
        return SymInt(self, symbol, hint)

    def know(
        self, symbol: Any, hint: Any, lower: int | None, upper: int | None, *, is_backed: bool
    ) -> None:
        """Know a symbol that another environment has made, for a size of an input or what data decides."""
        if symbol in self.knowledge.hints or symbol in self.unbacked_hints:
            return
        if not is_backed:
            self.unbacked_hints[symbol] = hint
            least = -math.inf if lower is None else lower
            self.knowledge.ranges[symbol] = Interval(least, math.inf if upper is None else upper)
            return
        self.knowledge.hints[symbol] = hint
        interval = Interval(0 if lower is None else lower, math.inf if upper is None else upper)
        self.backed_symbols[symbol] = BackedSymbol(symbol, symbol.name, hint, interval)
        least = min(max(interval.lower, _LEAST_DYNAMIC), max(hint, 0))
        self.knowledge.ranges[symbol] = Interval(least, interval.upper)

    def _backed_name(self, source: str) -> str:
        number = int(hashlib.sha256(source.encode()).hexdigest(), 16) % 100
        taken = {each.name for each in self.backed_symbols}
        while f"s{number}" in taken:
            number += 1
        return f"s{number}"

    def unbacked_int(self, hint: int) -> Any:
        """A number that data decides."""
        return self._new_unbacked("u", hint, integer=True)

    def unbacked_size(self, hint: int, upper: int | None = None, lower: int = 0) -> Any:
        """A size that data decides: it is not negative."""
        found = self.unbacked_int(hint)
        self.constrain(found, lower, upper)
        self.new_sizes.append(found)
        return found

    def carried_size(self, hint: int) -> Any:
        """A size that data decides, of a tensor that a loop carries: nothing has to check that it is not negative."""
        found = self.unbacked_int(hint)
        self.constrain(found, 0)
        return found

    def unbacked_float(self, hint: float) -> Any:
        """A floating point number that data decides."""
        return self._new_unbacked("zuf", hint)

    def _new_unbacked(self, prefix: str, hint: Any, **assumptions: bool) -> Any:
        symbol = sympy.Symbol(f"{prefix}{self._counts[prefix]}", **assumptions)
        self._counts[prefix] += 1
        self.unbacked_hints[symbol] = hint
        self.knowledge.ranges[symbol] = ANYTHING
        return KINDS[type(hint)](self, symbol, hint)

    def adopt(self, name: str, hint: Any) -> Any:
        """A number that data decides, whose name was given before there were symbols."""
        prefix = name.rstrip("0123456789")
        self._counts[prefix] = max(self._counts[prefix], int(name.removeprefix(prefix)))
        known = {str(each): each for each in self.unbacked_hints}
        if name in known:
            return KINDS[type(hint)](self, known[name], hint)
        assumptions = {"integer": True} if isinstance(hint, int) else {}
        return self._new_unbacked(prefix, hint, **assumptions)

    def hint_of(self, expression: Any) -> Any:
        """What an expression is in this run."""
        hints = self.knowledge.hints | self.unbacked_hints
        known = {each: hints[each] for each in expression.free_symbols}
        found = sympy.sympify(expression.xreplace(known))
        return int(found) if found.is_Integer else float(found)

    def lower_bound(self, size: Any) -> int:
        """What a size never falls below."""
        if not isinstance(size, SymValue):
            return int(size)
        least = bounds(size.expression, self.knowledge.ranges).lower
        return max(int(least), 0) if math.isfinite(least) else 0

    def upper_bound(self, value: Any) -> int | None:
        """What a number never exceeds. None if nothing is known."""
        if not isinstance(value, SymValue):
            return int(value)
        most = bounds(value.expression, self.knowledge.ranges).upper
        return int(most) if math.isfinite(most) else None

    # -- Values ------------------------------------------------------------------------------------

    def value(self, expression: Any, hint: Any) -> Any:
        """The value of an expression: a plain number, if it has no symbols."""
        expression = self.knowledge.simplified(expression)
        if not expression.free_symbols:
            return hint
        return KINDS[type(hint)](self, expression, hint)

    def replaced(self, expression: Any) -> Any:
        """An expression with what is known of its symbols by now."""
        return self.knowledge.simplified(expression)

    def is_backed(self, value: SymValue) -> bool:
        """Whether sizes of inputs alone decide it."""
        return all(each in self.backed_symbols for each in value.expression.free_symbols)

    def to_expression(self, value: Any) -> Any:
        """For metadata and files; plain numbers as they are."""
        if not isinstance(value, SymValue):
            return value
        found = value.expression
        return to_expression(found, value.hint) if found.free_symbols else value.hint

    def finished(self, value: Any) -> Any:
        """Metadata (a tensor, a number, containers of these) with expressions in place of `SymValue`."""
        if isinstance(value, FakeTensor):
            stride = None if value.stride is None else tuple(map(self.to_expression, value.stride))
            return replace(
                value,
                size=tuple(map(self.to_expression, value.size)),
                stride=stride,
                storage_offset=self.to_expression(value.storage_offset),
            )
        if isinstance(value, tuple | list):
            parts: list[Any] = [self.finished(each) for each in value]  # pyright: ignore[reportUnknownVariableType]
            return tuple(parts) if isinstance(value, tuple) else parts
        return self.to_expression(value)

    # -- Conditions --------------------------------------------------------------------------------

    def guard(self, condition: Any) -> bool:
        """Which way a decision of the program goes: that of this run, and the program is for such sizes from now on.

        Raises `DataDependentError` where data decides.
        """
        if not isinstance(condition, SymBool):
            return bool(condition)
        known = self.known(condition)
        if known is not None:
            self._note_small(condition.expression)
            return known
        return self.decide(condition)

    def decide(self, condition: Any) -> bool:
        """As `guard`, for decisions of operators, which do not tell sizes of 0 and 1 apart from others."""
        if not isinstance(condition, SymBool):
            return bool(condition)
        known = self.known(condition)
        if known is not None:
            return known
        expression = condition.expression
        if not self.is_backed(condition):
            raise self._data_dependent(condition)
        followed = expression if condition.hint else sympy.Not(expression)
        self.before_guard(followed)
        self.guards.append(Guard(followed, self.place(), self.fixing))
        self.knowledge.learn(followed)
        return bool(condition.hint)

    def before_guard(self, condition: Any) -> None:
        """Nothing is in the way of a guard, unless a kind of environment says so."""

    def decide_if_known(self, condition: Any) -> bool:
        """As `decide`; where data decides, it is taken not to hold."""
        if isinstance(condition, SymBool) and not self.is_backed(condition):
            return self.known(condition) is True
        return self.decide(condition)

    def require(self, condition: Any) -> None:
        """As `decide`; where data decides, it is to be checked when the program runs.

        Raises `DataDependentError` where this run breaks it.
        """
        if not isinstance(condition, SymBool) or self.is_backed(condition):
            self.decide(condition)
        elif not self.known(condition):
            if not condition.hint:
                raise self._data_dependent(condition)
            self.requirements.append(condition)

    def known(self, condition: Any) -> bool | None:
        """Whether a condition always holds or never does, without deciding anything."""
        if not isinstance(condition, SymBool):
            return bool(condition)
        return self.knowledge.decided(condition.expression)

    def specialize(self, value: Any) -> Any:
        """The plain number that a value is in this run; the program is for this value from now on."""
        if not isinstance(value, SymValue):
            return value
        if isinstance(value, SymBool):
            return self.guard(value)
        self.decide(value == value.hint)
        return value.hint

    def settle(self, value: Any) -> Any:
        """As `specialize`, if the user has wished for no other: PyTorch exports the operator for one size only."""
        symbols = value.expression.free_symbols if isinstance(value, SymValue) else ()
        known = [self.backed_symbols.get(each) for each in symbols]
        if any(each is None or not each.is_automatic for each in known):
            return value
        return self.specialize(value)

    def assume(self, condition: Any) -> None:
        """A condition that the program checks when it runs holds from now on."""
        if isinstance(condition, SymBool):
            self.knowledge.learn(condition.expression)

    def exclude_small(self, symbols: Any) -> None:
        """The program is not for sizes of 0 and 1 of these symbols."""
        self._not_below_two |= set(symbols)

    def constrain(self, value: Any, lower: int | None = None, upper: int | None = None) -> None:
        """A number of the program lies between these."""
        found = value.expression
        if found.is_Symbol:
            least = -math.inf if lower is None else lower
            self.knowledge.narrow(found, Interval(least, math.inf if upper is None else upper))
            return
        if lower is not None:
            self.assume(value >= lower)
        if upper is not None:
            self.assume(value <= upper)

    def note_comparison(self, target: str, arguments: Any, expression: Any) -> None:
        """SymPy decides some comparisons because sizes are positive: where the user allows 0, that is an assumption."""
        if (
            self._in_rule
            or target not in COMPARISONS
            or expression not in (sympy.true, sympy.false)
        ):
            return
        first, second = [
            each.expression if isinstance(each, SymValue) else sympy.sympify(each)
            for each in arguments
        ]
        self._note_small(_RELATIONS[target](first, second, evaluate=False))

    def note_computed(self, target: str, arguments: Any, value: Any) -> None:
        """A number is computed of others."""
        if self.hear_computed is not None and not self._in_rule:
            self.hear_computed(target, arguments, value)

    @contextmanager
    def within_rule(self) -> Generator[None]:
        """Comparisons and arithmetic are those of an operator meanwhile, not of the program."""
        before, self._in_rule = self._in_rule, True
        try:
            yield
        finally:
            self._in_rule = before

    def _note_small(self, condition: Any) -> None:
        """If a condition is decided by sizes not being 0 or 1, the program is not for such sizes."""
        declared = {key: each.declared for key, each in self.backed_symbols.items()}
        ranges = {**self.knowledge.ranges, **declared}
        if decided(condition, ranges) is None:
            self._not_below_two |= condition.free_symbols & self.backed_symbols.keys()

    def _data_dependent(self, condition: SymBool) -> DataDependentError:
        symbols = ", ".join(sorted(str(each) for each in condition.expression.free_symbols))
        return DataDependentError(
            f"data decides whether {condition} (it is {condition.hint} for these arguments): "
            f"{symbols} is not known before the program runs. Check it with torch._check or an assert, "
            "or decide with torch.cond"
        )

    # -- What was found ----------------------------------------------------------------------------

    def range_constraints(self, sizes: Any = ()) -> Mapping[str, RangeConstraint]:
        """Of symbols that data decides, and of `sizes`, those of the inputs: symbols and what is made of them."""
        found = {
            str(each): _constraint(self.knowledge.ranges[each]) for each in self.unbacked_hints
        }
        expressions = [each.expression for each in sizes if isinstance(each, SymValue)]
        for each in [*expressions, *self._leaves(expressions)]:
            if each.free_symbols:
                found.setdefault(str(each), self.range_of(each))
        return found

    def _leaves(self, expressions: list[Any]) -> list[Any]:
        symbols = {symbol for each in expressions for symbol in each.free_symbols}
        return [each for each in self.backed_symbols if each in symbols]

    def unstated_guards(self) -> list[Guard]:
        """The guards that follow neither from ranges nor from sizes being one symbol: they have to be checked."""
        ranges = {each: self._final_range(each) for each in self.backed_symbols}
        found: dict[str, Guard] = {}
        for guard in self.guards:
            condition = guard.condition
            if condition in (sympy.true, sympy.false) or self._is_one_symbol(condition):
                continue
            if decided(condition, {**self.knowledge.ranges, **ranges}) is None:
                found.setdefault(str(condition), guard)
        return list(found.values())

    def _is_one_symbol(self, condition: Any) -> bool:
        """Whether two sums of symbols are equal because one stands for the other by now."""
        if not isinstance(condition, sympy.Eq) or condition.atoms(sympy.Function):
            return False
        first, second = map(self.replaced, condition.args)
        return bool(first == second)

    def range_of(self, expression: Any) -> RangeConstraint:
        """The values that an expression may have when the program runs."""
        ranges = {
            each: self._final_range(each) if each in self.backed_symbols else interval
            for each, interval in self.knowledge.ranges.items()
        }
        return _constraint(bounds(expression, ranges))

    def _final_range(self, symbol: Any) -> Interval:
        """With sizes below 2, if the user allows them and nothing in the program asked."""
        interval = self.knowledge.ranges[symbol]
        declared = self.backed_symbols[symbol].declared
        if interval.lower > _LEAST_DYNAMIC or symbol in self._not_below_two:
            return interval
        return Interval(min(interval.lower, declared.lower), interval.upper)


def _constraint(interval: Interval) -> RangeConstraint:
    lower, upper = interval.lower, interval.upper
    return RangeConstraint(
        int(lower) if math.isfinite(lower) else None, int(upper) if math.isfinite(upper) else None
    )
