"""Shape rules: what sizes the results of an operator have, by the sizes of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of

Size: TypeAlias = Any
"""An int or a `SymInt`."""
Sizes: TypeAlias = list[Size]


@dataclass(frozen=True, slots=True)
class Call:
    """An operator with its arguments by name, and the sizes that its results had in this run."""

    operator: str
    arguments: Mapping[str, Any]
    concrete: Sequence[Sequence[int]]
    environment: ShapeEnvironment

    def get(self, name: str, default: Any = None) -> Any:
        """An argument, or the default where it is absent or None."""
        found = self.arguments.get(name)
        return default if found is None else found

    def sizes(self, name: str) -> Sizes:
        """Of an argument that is a tensor."""
        return list(self.arguments[name].size)

    def tensors(self) -> list[Sizes]:
        """The sizes of all arguments that are tensors, from left to right; of lists of tensors as well."""
        return [list(each.size) for each in _flat(self.arguments.values())]

    def dim(self, name: str, rank: int, default: int = 0) -> int:
        """An argument that is a dimension, counted from the front."""
        return int(hint_of(self.get(name, default))) % max(rank, 1)

    # -- Decisions ---------------------------------------------------------------------------------

    def same(self, first: Size, second: Size) -> Size:
        """The size that two are, which have to be equal for this program."""
        if first is not second:
            self.environment.require(compute("operator.eq", first, second))
        return second if isinstance(first, int) or not isinstance(second, int) else first

    def is_one(self, size: Size) -> bool:
        """Whether a size is 1, for broadcasting."""
        return self.environment.decide_if_known(compute("operator.eq", size, 1))

    def is_dropped(self, size: Size) -> bool:
        """Whether a size is 1, and its dimension goes: one that data decides has to be another."""
        if self.is_one(size):
            return True
        self.check(compute("operator.ne", size, 1))
        return False

    def check(self, condition: Any) -> None:
        """Have the program check a condition, if data decides it; of sizes of inputs operators do that."""
        if isinstance(condition, SymValue) and not self.environment.is_backed(condition):
            self.environment.require(condition)

    def new_size(self, place: int = 0, most: Size | None = None, result: int = 0) -> Size:
        """A size that data decides, which this run gave at this place of a result; at most as large as `most`."""
        upper = None if most is None else self.environment.upper_bound(most)
        return self.environment.unbacked_size(self.concrete[result][place], upper)

    def smaller(self, first: Size, second: Size) -> Size:
        """The smaller of two sizes, which the program keeps to be the smaller one."""
        less = self.environment.decide(compute("operator.le", first, second))
        return first if less else second


Rule: TypeAlias = Callable[[Call], Any]
"""Gives the sizes of the one result, or a list of sizes for each of several results."""

RULES: Final[dict[str, Rule]] = {}
"""By the name of an operator without its overload: ``aten::add``."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a rule for operators of ATen; in-place forms have the same one."""

    def register(function: Rule) -> Rule:
        for name in names:
            RULES[f"aten::{name}"] = function
        return function

    return register


def product(sizes: Sequence[Size]) -> Size:
    """The number of elements."""
    found: Size = 1
    for each in sizes:
        found = found * each
    return found


def listed(value: Any) -> list[Any]:
    """A list or tuple of the user as a list; something else as a list of it."""
    return list(cast("list[Any]", value)) if isinstance(value, tuple | list) else [value]


def divided_up(number: Size, divisor: Size) -> Size:
    """A quotient, rounded up."""
    return (number + (divisor - 1)) // divisor


def _flat(values: Any) -> list[FakeTensor]:
    found: list[FakeTensor] = []
    for each in values:
        if isinstance(each, FakeTensor):
            found.append(each)
        elif isinstance(each, tuple | list):
            found += _flat(each)
    return found
