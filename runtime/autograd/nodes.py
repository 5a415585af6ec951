"""Nodes of the graph that is recorded: one step of a computation, what it saved, and where gradients go from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple, Protocol

import numpy as np

from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor

_numbers = count()
Gradients = Sequence["Tensor | None"]


class Edge(NamedTuple):
    """Where the gradient of an input goes: to an output of a node, or to the record of a leaf, which sums it up."""

    argument: int
    position: int  # in the list that the argument is, or -1
    target: Any
    output: int
    shape: tuple[int, ...]
    dtype: np.dtype


def edge_of(tensor: Tensor, record: AutogradRecord, argument: int = 0, position: int = -1) -> Edge:
    """The edge of an input, whose record says that it requires a gradient."""
    array = tensor.array
    target = record if record.node is None else record.node
    return Edge(argument, position, target, record.output, array.shape, array.dtype)


class Step(Protocol):
    """What a node does: the operator, or whatever else makes a tensor of others."""

    def name_of(self, node: Node) -> str:
        """What `grad_fn` shows: ``MulBackward0``."""
        ...

    @property
    def takes_undefined(self) -> bool:
        """Whether it takes None for the gradient of an output that none came from; others take zeros."""
        ...

    def gradients(self, node: Node, given: Gradients, create_graph: bool) -> list[Any]:
        """The gradient of each edge of the node, given those of its outputs."""
        ...


class Node:
    """One step. `saved` is what its formulas read, None once it was let go of."""

    __slots__ = ("__weakref__", "edges", "hooks", "number", "outputs", "retained", "saved", "step")

    def __init__(
        self, step: Step, edges: Sequence[Edge], saved: Any, outputs: Sequence[Any]
    ) -> None:
        self.number = next(_numbers)
        self.step = step
        self.edges = edges
        self.saved = saved
        self.outputs = outputs
        self.hooks: dict[int, Callable[[Any, Any], Any]] | None = None
        self.retained: list[tuple[int, Any]] | None = None
        """Records of outputs that have hooks or keep their gradient, by the number of the output."""

    @property
    def name(self) -> str:
        return self.step.name_of(self)

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that gradients go to, each with the output that it is the gradient of."""
        return tuple((edge.target, edge.output) for edge in self.edges)

    def __repr__(self) -> str:
        return f"<{self.name}>"
