"""Numbers that are in tensors: values of a program that are known when it runs, and not before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from tsc.compiler.exir.node import Node
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.runtime.values.tensor import Tensor


@dataclass(frozen=True, slots=True)
class DataNumber:
    """The number in a tensor of one element: `kind` is `int` or `float`."""

    tensor: Tensor
    kind: type[int] | type[float]
    read_at: int = field(default=0, compare=False)
    """How many writes there had been: later ones must not change the number."""
    origin: tuple[str, tuple[Any, ...]] | None = field(default=None, compare=False)
    """The operator and the numbers that it was computed of, if it was."""

    @property
    def hint(self) -> int | float:
        """What it is in this run."""
        return self.kind(self.tensor.array.reshape(()).item())


@dataclass(frozen=True, slots=True, eq=False)
class TensorArray:
    """What a list holds of which data tells the length: its elements, stacked along a first dimension.

    They are tensors, or numbers of one `kind`. `sources` are the tensors that they are copies of.
    """

    stacked: Tensor
    kind: type
    sources: tuple[Tensor, ...] = ()


def held_tensor(value: Any) -> Tensor | None:
    """The tensor that a value is, or is kept in with all its sizes; None for anything else."""
    if isinstance(value, TensorArray):
        return value.stacked
    return value if isinstance(value, Tensor) else None


@dataclass(frozen=True, slots=True, eq=False)
class RecordedNumber:
    """A number that a node of a graph gives, and what it is in this run."""

    node: Node
    hint: Any


def data_numbers(value: Any) -> Iterator[DataNumber]:
    """Those in a value that may be nested."""
    if isinstance(value, DataNumber):
        yield value
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[Any]", value):
            yield from data_numbers(each)
    elif isinstance(value, dict):
        yield from data_numbers(list(cast("dict[Any, Any]", value).values()))


def hinted(value: Any) -> Any:
    """The same value with numbers as they are in this run."""
    if isinstance(value, DataNumber | SymValue | RecordedNumber):
        return value.hint
    if isinstance(value, list | tuple):
        parts = [hinted(each) for each in cast("Sequence[Any]", value)]
        return parts if isinstance(value, list) else tuple(parts)
    return value
