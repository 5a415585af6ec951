"""Sizes of results of operators without a shape rule: found by running their kernels at other sizes.

Each size of a result is looked for among simple expressions over the sizes of the arguments. One is taken if it tells
what the kernel gave at every size that was tried; otherwise nothing is known. Kernels run on repetitions of the
arguments of this run, or on identities (for what takes invertible matrices).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, Final, TypeAlias, cast

import numpy as np

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of
from tsc.compiler.schema import Effects, Operator
from tsc.compiler.source import Error
from tsc.runtime.values.tensor import Tensor

_STEPS: Final = (1, 2, 3, 5, 7, 4, 9)
"""By how much sizes grow from one trial to the next: other ones for each symbol."""
_TRIALS: Final = 5
_LARGEST: Final = 24
"""Sizes are tried above the largest of this run, or this one if that is less: of two sizes now one is the larger one,
now the other."""
_SMALL: Final = 1
"""Small sizes are tried, too; a kernel may refuse these."""
_MOST_ELEMENTS: Final = 1_000_000
_MOST_PAIRS: Final = 12

Symbols: TypeAlias = "list[Any]"
Assignment: TypeAlias = "dict[Any, int]"
Shapes: TypeAlias = "list[list[int]]"


def probed(
    operator: Operator,
    values: Sequence[Any],
    known: Callable[[Tensor], FakeTensor],
    concrete: Sequence[Sequence[int]],
    environment: ShapeEnvironment,
) -> list[list[Any]] | None:
    """The sizes of each tensor that an operator gives; `values` are its arguments, `concrete` what it gave in this run.

    Sizes that the operator needs to be equal, or those of this run, are so from now on. None where nothing simple
    tells the sizes.
    """
    first = operator.schema.arguments[0] if operator.schema.arguments else None
    if first is not None and first.is_write:
        return _written(values[0], known, concrete)
    if operator.effects is not Effects.PURE or operator.kernel is None:
        return None
    return _Probe(operator, values, known, environment).found(concrete)


def _written(target: Any, known: Callable[[Tensor], FakeTensor], concrete: Any) -> Any:
    """What is written to keeps its sizes."""
    if not isinstance(target, Tensor) or len(concrete) != 1:
        return None
    sizes = list(known(target).size)
    return [sizes] if list(map(hint_of, sizes)) == list(concrete[0]) else None


class _Probe:
    def __init__(
        self,
        operator: Operator,
        values: Sequence[Any],
        known: Callable[[Tensor], FakeTensor],
        environment: ShapeEnvironment,
    ) -> None:
        self._kernel = cast("Callable[..., Any]", operator.kernel)
        self._values, self._known, self._environment = values, known, environment
        sizes = [each for each in _sizes(values, known) if each.constant is None]
        self._sizes: list[Any] = list({str(each): each for each in sizes}.values())
        self._symbols: Symbols = sorted(
            {symbol for each in self._sizes for symbol in each.expression.free_symbols}, key=str
        )
        self._hints: Assignment = {
            each: environment.knowledge.hints[each]
            for each in self._symbols
            if each in environment.knowledge.hints
        }

    def found(self, concrete: Sequence[Sequence[int]]) -> list[list[Any]] | None:
        """The sizes of all results, if they are found."""
        if not self._symbols or len(self._hints) != len(self._symbols):
            return None
        joined, trials = self._trials()
        if len(trials) < _TRIALS:
            return None
        found = self._told([list(each) for each in concrete], trials)
        if found is not None:
            for first, second in joined:
                self._environment.require(compute("operator.eq", first, second))
            self._environment.exclude_small(self._symbols)
        return found

    # -- Trials ----------------------------------------------------------------------------------

    def _trials(self) -> tuple[list[tuple[Any, Any]], list[tuple[Assignment, Shapes]]]:
        """What the kernel gave at other sizes; and what symbols had to be equal to for that."""
        for joined in self._joints():
            base = min(max(self._hints.values()), _LARGEST)
            found = list(islice(self._results(joined, base), _TRIALS))
            if len(found) == _TRIALS:
                pairs = [(self._value(a), self._value(b)) for a, b in joined]
                return pairs, [*found, *self._results(joined, _SMALL)]
        return [], []

    def _value(self, number: Any) -> Any:
        """Of a symbol, or a number that one has to be."""
        is_symbol = number in self._hints
        return self._environment.value(number, self._hints[number]) if is_symbol else number

    def _joints(self) -> Iterator[list[tuple[Any, Any]]]:
        """What symbols may have to be: nothing, each other, the size of this run; all but one of them at last."""
        yield from self._equal_pairs()
        pins = [(each, self._hints[each]) for each in self._symbols][:_MOST_PAIRS]
        for count in sorted({1, 2, len(pins) - 1}):
            if 0 < count < len(self._symbols):
                yield from map(list, combinations(pins, count))

    def _equal_pairs(self) -> Iterator[list[tuple[Any, Any]]]:
        alike = [
            (a, b) for a, b in combinations(self._symbols, 2) if self._hints[a] == self._hints[b]
        ][:_MOST_PAIRS]
        yield []
        yield from ([each] for each in alike)
        yield from (list(each) for each in combinations(alike, 2))
        if len(alike) > 2:
            yield alike

    def _results(
        self, joined: list[tuple[Any, Any]], base: int
    ) -> Iterator[tuple[Assignment, Shapes]]:
        for number, _ in enumerate(_STEPS):
            assignment = self._assignment(number, joined, base)
            if not self._is_allowed(assignment):
                continue
            shapes = self._shapes(assignment)
            if shapes is not None:
                yield assignment, shapes
            elif base != _SMALL:
                return

    def _assignment(self, number: int, joined: list[tuple[Any, Any]], base: int) -> Assignment:
        found: Assignment = {}
        for place, symbol in enumerate(self._symbols):
            found[symbol] = base + _STEPS[(number + 3 * place) % len(_STEPS)]
        for first, second in joined:
            if second in found:
                found[second] = found[first]
            else:
                found[first] = second
        return found

    def _is_allowed(self, assignment: Assignment) -> bool:
        """Whether what is known of symbols allows these sizes."""
        return self._environment.knowledge.allows(assignment)

    def _shapes(self, assignment: Assignment) -> Shapes | None:
        """What the kernel gives at these sizes; None where it refuses them."""
        for fill in (_repeated, _identity, _of_ones):
            try:
                given = [self._made(each, assignment, fill) for each in self._values]
                with np.errstate(all="ignore"):
                    return [list(each.array.shape) for each in _tensors(self._kernel(*given))]
            except (Error, ValueError, TypeError, ArithmeticError, LookupError, MemoryError):
                continue
        return None

    def _made(self, value: Any, assignment: Assignment, fill: Callable[..., Any]) -> Any:
        if isinstance(value, list | tuple):
            return [self._made(each, assignment, fill) for each in cast("Sequence[Any]", value)]
        if isinstance(value, SymValue):
            return int(value.expression.xreplace(assignment))
        if not isinstance(value, Tensor):
            return value
        shape = [_at(each, assignment) for each in self._known(value).size]
        if int(np.prod(shape)) > _MOST_ELEMENTS:
            raise MemoryError
        if tuple(shape) == value.array.shape and fill is _repeated:
            return Tensor(value.array.copy())
        return Tensor(fill(value.array, shape))

    # -- Expressions -----------------------------------------------------------------------------

    def _told(
        self, concrete: Shapes, trials: list[tuple[Assignment, Shapes]]
    ) -> list[list[Any]] | None:
        """An expression for each size of each result."""
        points = [(self._hints, concrete), *trials]
        if any(list(map(len, shapes)) != list(map(len, concrete)) for _, shapes in points):
            return None
        told = [
            [
                self._expression([(point, shapes[number][dim]) for point, shapes in points])
                for dim in range(len(sizes))
            ]
            for number, sizes in enumerate(concrete)
        ]
        return None if any(None in map(_present, sizes) for sizes in told) else told

    def _expression(self, points: list[tuple[Assignment, int]]) -> Any:
        first = points[0][1]
        if all(size == first for _, size in points):
            return first
        for each in self._candidates(points):
            if each is not None and all(_at(each, point) == size for point, size in points):
                return each
        return None

    def _candidates(self, points: list[tuple[Assignment, int]]) -> Iterator[Any]:
        yield from self._sizes
        yield from (_line(each, points) for each in self._sizes)
        yield from (a * b for a, b in combinations(self._sizes, 2))
        yield from (a + b for a, b in combinations(self._sizes, 2))
        yield from (compute("torch.sym_min", a, b) for a, b in combinations(self._sizes, 2))
        yield from (compute("torch.sym_max", a, b) for a, b in combinations(self._sizes, 2))
        yield from (each * each for each in self._sizes)
        yield from ((each * (each - 1)) // 2 for each in self._sizes)
        yield from ((each * (each + 1)) // 2 for each in self._sizes)
        yield from (each // 2 + 1 for each in self._sizes)
        yield from (_line(a * b, points) for a, b in combinations(self._sizes, 2))
        yield from (_line(a + b, points) for a, b in combinations(self._sizes, 2))


def _line(size: Any, points: list[tuple[Assignment, int]]) -> Any:
    """A multiple of a size and a number more, through the first two points."""
    (first, start), (second, end) = points[:2]
    begin, until = _at(size, first), _at(size, second)
    if until == begin or (end - start) % (until - begin):
        return None
    factor = (end - start) // (until - begin)
    return size * factor + (start - factor * begin)


def _present(size: Any) -> Any:
    return None if size is None else True


def _at(size: Any, assignment: Mapping[Any, int]) -> int:
    return int(size.expression.xreplace(assignment)) if isinstance(size, SymValue) else int(size)


def _sizes(values: Any, known: Callable[[Tensor], FakeTensor]) -> Iterator[SymValue]:
    """The sizes and numbers in arguments that may change."""
    for each in values:
        if isinstance(each, list | tuple):
            yield from _sizes(each, known)
        elif isinstance(each, Tensor):
            yield from (size for size in known(each).size if isinstance(size, SymValue))
        elif isinstance(each, SymValue):
            yield each


def _tensors(result: Any) -> list[Tensor]:
    if isinstance(result, Tensor):
        return [result]
    return [part for each in result for part in _tensors(each)]


def _repeated(array: Any, shape: Sequence[int]) -> Any:
    return np.resize(array, shape)


def _identity(array: Any, shape: Sequence[int]) -> Any:
    """Stacks of identities, where numbers are no places."""
    if len(shape) < 2 or array.dtype.kind not in "fc":
        return np.resize(array, shape)
    return np.broadcast_to(np.eye(*shape[-2:], dtype=array.dtype), shape).copy()


def _of_ones(array: Any, shape: Sequence[int]) -> Any:
    return np.ones(shape, array.dtype) if array.dtype.kind in "fc" else np.zeros(shape, array.dtype)
