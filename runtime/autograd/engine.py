"""Going back through the recorded graph: each node once, the latest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from heapq import heappop, heappush
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, COMPLEX
from tsc.runtime.autograd.nodes import Edge, Node
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import GradMode
from tsc.runtime.context.hooks import eager_operators
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor

Target = tuple[Any, int]
"""A node or the record of a leaf, and the number of an output."""


class Backward:
    """One way back. `wanted` are the targets whose gradients are asked for; None: those of all leaves."""

    def __init__(
        self, wanted: Sequence[Target] | None, *, retain: bool, create_graph: bool
    ) -> None:
        self.retain, self.create_graph = retain, create_graph
        self.wanted = None if wanted is None else {(id(t), k) for t, k in wanted}
        self.found: dict[tuple[int, int], Tensor] = {}
        self.leaves: dict[int, tuple[AutogradRecord, Tensor]] = {}
        self._gradients: dict[int, list[Tensor | None]] = {}
        self._pending: list[tuple[int, int, Node]] = []
        self._needed: set[int] | None = None

    def run(self, roots: Iterable[tuple[Target, Tensor]]) -> None:
        """Go back from these results, given their gradients."""
        starts = list(roots)
        if self.wanted is not None:
            self._needed = _leading_to(self.wanted, [target for (target, _), _ in starts])
        with GradMode(self.create_graph):
            for (target, output), gradient in starts:
                self._receive(target, output, gradient)
            while self._pending:
                node = heappop(self._pending)[2]
                self._go_through(node, self._gradients.pop(id(node)))

    def _receive(self, target: Any, output: int, gradient: Tensor) -> None:
        if isinstance(target, AutogradRecord):
            known = self.leaves.get(id(target))
            total = gradient if known is None else added(known[1], gradient)
            self.leaves[id(target)] = (target, total)
            return
        if self._needed is not None and id(target) not in self._needed:
            return
        gradients = self._gradients.get(id(target))
        if gradients is None:
            gradients = self._gradients[id(target)] = [None] * len(target.outputs)
            heappush(self._pending, (-target.number, id(target), target))
        known = gradients[output]
        gradients[output] = gradient if known is None else added(known, gradient)

    def _go_through(self, node: Node, given: list[Tensor | None]) -> None:
        for output, record in node.retained or ():
            gradient = given[output]
            if gradient is not None:
                given[output] = _heard(record, gradient)
        for output, gradient in enumerate(given):
            if gradient is not None and self.wanted and (id(node), output) in self.wanted:
                self.found[id(node), output] = gradient
        edges = [edge for edge in node.edges if self._leads_on(edge)]
        if not edges:
            return
        if node.saved is None:
            raise ScriptError("RuntimeError", _TWICE)
        if not node.step.takes_undefined:
            given = [
                _zeros(node.outputs[k]) if gradient is None else gradient
                for k, gradient in enumerate(given)
            ]
        found = node.step.gradients(node, given, self.create_graph)
        if not self.retain:
            node.saved = None if node.saved else node.saved
        for edge, gradient in zip(node.edges, found):
            if gradient is not None:
                self._receive(edge.target, edge.output, fitted(gradient, edge.shape, edge.dtype))

    def _leads_on(self, edge: Edge) -> bool:
        if self._needed is None:
            return True
        return id(edge.target) in self._needed


_TWICE = (
    "Trying to backward through the graph a second time: what it saved was let go of the first time. "
    "Pass retain_graph=True then, or compute the result again"
)


def _leading_to(wanted: set[tuple[int, int]], roots: Sequence[Any]) -> set[int]:
    """What the way back to the wanted targets goes through, these included, by identity."""
    ids = {target for target, _ in wanted}
    needed: set[int] = set()
    done: set[int] = set()
    pending: list[tuple[Any, bool]] = [(root, False) for root in roots]
    while pending:
        target, left = pending.pop()
        if left:
            if id(target) in ids or any(id(edge.target) in needed for edge in target.edges):
                needed.add(id(target))
            continue
        if id(target) in done:
            continue
        done.add(id(target))
        if isinstance(target, AutogradRecord):
            if id(target) in ids:
                needed.add(id(target))
            continue
        pending.append((target, True))
        pending += [(edge.target, False) for edge in target.edges]
    return needed


def _heard(record: AutogradRecord, gradient: Tensor) -> Tensor:
    """A gradient after the hooks of its tensor, which may keep it."""
    for hook in list((record.hooks or {}).values()):
        changed = hook(gradient)
        gradient = gradient if changed is None else changed
    if record.retains:
        record.grad = gradient if record.grad is None else added(record.grad, gradient)
    return gradient


def heard_by_leaf(record: AutogradRecord, gradient: Tensor) -> Tensor:
    """The gradient of a leaf after its hooks."""
    for hook in list((record.hooks or {}).values()):
        changed = hook(gradient)
        gradient = gradient if changed is None else changed
    return gradient


def added(a: Tensor, b: Tensor) -> Tensor:
    return eager_operators().call("add", a, b)


def _zeros(description: Any) -> Tensor | None:
    if description is None:
        return None
    shape, dtype = description
    return Tensor(np.zeros(shape, dtype))


def fitted(gradient: Tensor, shape: tuple[int, ...], dtype: np.dtype) -> Tensor:
    """A gradient with the sizes and dtype of its tensor: broadcasting is summed up, promotion taken back."""
    call = eager_operators().call
    array = gradient.array
    if array.shape != shape:
        gradient = call("sum_to_size", gradient, list(shape))
    if array.dtype is not dtype:
        if CATEGORY[array.dtype] == COMPLEX and CATEGORY[dtype] != COMPLEX:
            gradient = call("real", gradient)
        gradient = call("to", gradient, Tensor(np.empty(0, dtype)).dtype)
    return gradient


NOTHING = nullcontext()
