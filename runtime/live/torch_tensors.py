"""PyTorch's tensors as tensors of this runtime, which share their memory, and gradients across that border.

What PyTorch computed is one step here, and its leaves are leaves. Their gradients are summed up by PyTorch, so that its
hooks hear of them and its optimizers find them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakValueDictionary, ref

from tsc.compiler.types import Device
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME
from tsc.runtime.autograd.nodes import Edge, Node, edge_of
from tsc.runtime.autograd.recording import described, requiring
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.context.gradient_state import leaves
from tsc.runtime.live.torch_arrays import array_of, torch_tensor
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor

_SHARED: WeakValueDictionary[int, Tensor] = WeakValueDictionary()
"""By the identity of PyTorch's tensor: a tensor that two modules hold stays one."""


def is_torch_tensor(value: Any) -> bool:
    """Whether a value is a tensor of PyTorch, which the user has imported if there is one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, getattr(torch, "Tensor", ()))


def own_value(value: Any) -> Any:
    """PyTorch's tensor, dtype or device as one of tsc's; other values as they are."""
    if is_torch_tensor(value):
        return shared_tensor(value)
    name = str(value) if type(value).__name__ in ("dtype", "device") else ""
    if type(value).__name__ == "device":
        return Device.parse(name)
    return DTYPE_OF_NAME.get(name.removeprefix("torch."), value)


def shared_tensor(value: Any) -> Tensor:
    """The tensor that shares the memory of one of PyTorch's, always the same one for the same."""
    array = array_of(value)
    made = _SHARED.get(id(value))
    if made is None or made.array.__array_interface__ != array.__array_interface__:
        made = _SHARED[id(value)] = Tensor(array)
    _take_history(made, value)
    return made


class TorchLeaf(AutogradRecord):
    """The record of a tensor that requires a gradient by itself in PyTorch, whose ``grad`` is the one there is."""

    __slots__ = ("variable",)

    def __init__(self, variable: Any) -> None:
        self.variable: Any = None
        super().__init__(True)
        self.variable = variable
        leaves.add(ref(self, leaves.discard))

    @property
    def grad(self) -> Tensor | None:
        known = None if self.variable is None else self.variable.grad
        return None if known is None else shared_tensor(known)

    @grad.setter
    def grad(  # pyright: ignore[reportIncompatibleVariableOverride]
        self, gradient: Tensor | None
    ) -> None:
        if self.variable is not None:
            self.variable.grad = None if gradient is None else torch_tensor(gradient.array)

    def receive(self, gradient: Tensor, create_graph: bool) -> bool:
        """Have PyTorch sum it up. Raises `ScriptError` for one with a history, which PyTorch cannot know."""
        if create_graph and gradient.requires_grad:
            message = (
                "the gradient of a tensor of PyTorch would need a gradient itself, which it cannot have in its .grad: "
                "use tsc.autograd.grad"
            )
            raise ScriptError("NotImplementedError", message)
        self.variable.backward(torch_tensor(gradient.array).clone())
        return True


_LEAVES: WeakValueDictionary[int, TorchLeaf] = WeakValueDictionary()
"""By the identity of PyTorch's tensor, which the record keeps alive: one record sums up, before PyTorch does."""


def _leaf(variable: Any) -> TorchLeaf:
    known = _LEAVES.get(id(variable))
    if known is None:
        known = _LEAVES[id(variable)] = TorchLeaf(variable)
    return known


class TorchStep:
    """What PyTorch computed of its leaves, which may be tensors of programs that it was given."""

    takes_undefined = False

    def __init__(self, result: Any) -> None:
        self.grad_fn = result.grad_fn

    def name_of(self, node: Node) -> str:
        return type(self.grad_fn).__name__

    def gradients(self, node: Node, given: Sequence[Any], create_graph: bool) -> list[Any]:
        """What PyTorch finds for the leaves."""
        result, variables = node.saved
        with sys.modules["torch"].enable_grad(), _without_hooks(variables):
            found = sys.modules["torch"].autograd.grad(
                [result],
                variables,
                [for_torch(given[0])],
                retain_graph=True,
                create_graph=create_graph,
                allow_unused=True,
            )
        return [None if each is None else shared_tensor(each) for each in found]


@contextmanager
def _without_hooks(variables: Sequence[Any]) -> Iterator[None]:
    """Hooks of leaves hear of whole gradients, and these are parts of such."""
    hooks = [each._backward_hooks for each in variables if each._backward_hooks]
    kept = [dict(each) for each in hooks]
    for each in hooks:
        each.clear()
    try:
        yield
    finally:
        for each, known in zip(hooks, kept):
            each.update(known)


def for_torch(tensor: Tensor) -> Any:
    """A tensor as PyTorch gets it: a leaf that leads back to it, if what PyTorch computes is recorded."""
    record = requiring(tensor) if is_grad_enabled() else None
    if isinstance(record, TorchLeaf):
        return record.variable
    made = torch_tensor(tensor.array)
    if record is not None:
        made.requires_grad_().edge_in_tsc = edge_of(tensor, record)
    return made


def _take_history(made: Tensor, value: Any) -> None:
    """Give the tensor that shares the memory of PyTorch's `value` what that was computed from."""
    record = made.autograd
    if not value.requires_grad:
        if record is not None and record.requires and record.is_leaf:
            made.autograd = None
    elif value.grad_fn is None:
        if not isinstance(record, TorchLeaf):
            made.autograd = _leaf(value)
    elif not _is_of(record, value):
        variables = list(_leaves_of(value))
        edges = [_edge_to(each, place) for place, each in enumerate(variables)]
        node = Node(TorchStep(value), edges, (value, variables), (described(made),))
        made.autograd = AutogradRecord(True, node)


def _is_of(record: AutogradRecord | None, value: Any) -> bool:
    """Whether a record has the history that a result of PyTorch has now."""
    step = None if record is None or record.node is None else record.node.step
    return isinstance(step, TorchStep) and step.grad_fn is value.grad_fn


def _leaves_of(value: Any) -> Iterator[Any]:
    seen: set[Any] = set()
    pending = [value.grad_fn]
    while pending:
        node = pending.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if type(node).__name__ == "AccumulateGrad":
            yield node.variable
        pending += [following for following, _ in node.next_functions]


def _edge_to(variable: Any, place: int) -> Edge:
    known: Edge | None = getattr(variable, "edge_in_tsc", None)
    if known is not None:
        return known._replace(argument=place)
    leaf = shared_tensor(variable)
    assert leaf.autograd is not None
    return edge_of(leaf, leaf.autograd, place)
