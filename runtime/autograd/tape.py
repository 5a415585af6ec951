"""What `Tensor` and programs ask for: gradients of results, summed up in leaves or handed out; hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import numpy as np

from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.autograd.engine import Backward, Target, added, fitted, heard_by_leaf
from tsc.runtime.autograd.nodes import Node
from tsc.runtime.autograd.views import check_history, refreshed
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import GradMode
from tsc.runtime.context.gradient_state import note_write
from tsc.runtime.context.hooks import eager_operators
from tsc.runtime.values.autograd_record import AutogradRecord
from tsc.runtime.values.tensor import Tensor


def requires(tensor: Tensor) -> bool:
    """Whether a view requires a gradient, after what was written to its base."""
    return refreshed(tensor).requires


def history(view: Tensor) -> Node | None:
    """The step that made a view, after what was written to its base. Raises ScriptError where it cannot have one."""
    check_history(view)
    record = refreshed(view)
    return record.node if record.requires else None


def backward(
    tensors: Sequence[Tensor],
    gradients: Sequence[Tensor | None] | None,
    retain_graph: bool | None,
    create_graph: bool,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Sum up the gradients of `tensors` in the leaves that they were computed from, or in `inputs` alone.

    Raises:
        ScriptError: nothing was recorded, the graph was let go of, or an operator has no gradient.
    """
    asked = None if inputs is None else [inputs] if isinstance(inputs, Tensor) else list(inputs)
    if asked is not None and not asked:
        raise ScriptError("RuntimeError", "'inputs' argument to backward cannot be empty")
    targets = None if asked is None else [_target(each) for each in asked]
    retain = create_graph if retain_graph is None else retain_graph
    way = Backward(targets, retain=retain, create_graph=create_graph)
    way.run(_roots(tensors, gradients, create_graph))
    with GradMode(create_graph):
        for record, gradient in way.leaves.values():
            if targets is None or any(record is target for target, _ in targets):
                _sum_up(record, heard_by_leaf(record, gradient), create_graph)
        for tensor, (target, output) in zip(asked or (), targets or ()):
            found = way.found.get((id(target), output))
            record = tensor.autograd
            if found is not None and record is not None and not record.retains:
                _sum_up(record, found, create_graph)


def grad(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    gradients: Sequence[Tensor | None] | None,
    retain_graph: bool | None,
    create_graph: bool,
    allow_unused: bool | None,
) -> list[Tensor | None]:
    """The gradients of `inputs`, None for what was not used if that is allowed. Raises `ScriptError`."""
    targets = [_target(each) for each in inputs]
    retain = create_graph if retain_graph is None else retain_graph
    way = Backward(targets, retain=retain, create_graph=create_graph)
    way.run(_roots(outputs, gradients, create_graph))
    found: list[Tensor | None] = []
    for target, output in targets:
        if isinstance(target, AutogradRecord):
            entry = way.leaves.get(id(target))
            with GradMode(create_graph):
                gradient = None if entry is None else heard_by_leaf(target, entry[1])
        else:
            gradient = way.found.get((id(target), output))
        if gradient is None and not allow_unused:
            raise ScriptError("RuntimeError", _UNUSED)
        found.append(gradient)
    return found


_UNUSED = (
    "One of the differentiated Tensors appears to not have been used in the graph. "
    "Set allow_unused=True if this is the desired behavior."
)


def _target(tensor: Tensor) -> Target:
    if not tensor.requires_grad:
        raise ScriptError("RuntimeError", "One of the differentiated Tensors does not require grad")
    record = tensor.autograd
    assert record is not None
    check_history(tensor)
    return (record, 0) if record.node is None else (record.node, record.output)


def _roots(
    tensors: Sequence[Tensor], gradients: Sequence[Tensor | None] | None, create_graph: bool
) -> list[tuple[Target, Tensor]]:
    given = [None] * len(tensors) if gradients is None else list(gradients)
    if len(given) != len(tensors):
        message = f"got {len(tensors)} tensors and {len(given)} gradients"
        raise ScriptError("RuntimeError", message)
    return [
        _root(k, tensor, gradient, create_graph)
        for k, (tensor, gradient) in enumerate(zip(tensors, given))
    ]


def _root(
    k: int, tensor: Tensor, gradient: Tensor | None, create_graph: bool
) -> tuple[Target, Tensor]:
    if not tensor.requires_grad:
        message = f"element {k} of tensors does not require grad and does not have a grad_fn"
        raise ScriptError("RuntimeError", message)
    if gradient is None:
        return _target(tensor), _one(tensor)
    if gradient.shape != tensor.shape:
        message = (
            f"Mismatch in shape: grad_output[{k}] has a shape of {list(gradient.shape)} and "
            f"output[{k}] has a shape of {list(tensor.shape)}."
        )
        raise ScriptError("RuntimeError", message)
    with GradMode(create_graph):
        return _target(tensor), fitted(gradient, tensor.array.shape, tensor.array.dtype)


def _one(tensor: Tensor) -> Tensor:
    if tensor.array.size != 1:
        message = "grad can be implicitly created only for scalar outputs"
        raise ScriptError("RuntimeError", message)
    if tensor.dtype.is_complex:
        message = (
            f"grad can be implicitly created only for real scalar outputs but got {tensor.dtype}"
        )
        raise ScriptError("RuntimeError", message)
    return Tensor(np.ones_like(tensor.array))


def _sum_up(record: AutogradRecord, gradient: Tensor, create_graph: bool) -> None:
    if record.receive(gradient, create_graph):
        return
    known = record.grad
    if create_graph:
        call = eager_operators().call
        record.grad = call("clone", gradient) if known is None else added(known, gradient)
    elif known is None:
        record.grad = Tensor(gradient.array.copy("K" if 0 not in gradient.array.strides else "C"))
    elif known.requires_grad:
        record.grad = added(known, gradient)
    else:
        known.array += gradient.array
        note_write(storage_of(known.array))


def set_gradient(tensor: Tensor, gradient: Tensor | None) -> None:
    """``x.grad = gradient``; None takes it away. Raises ScriptError for one of other sizes or another dtype."""
    if gradient is None:
        if tensor.autograd is not None:
            tensor.autograd.grad = None
        return
    if not isinstance(gradient, Tensor):
        message = f"assigned grad expected to be a Tensor or None but got grad of type {type(gradient).__name__}"
        raise ScriptError("TypeError", message)
    if (gradient.shape, gradient.dtype) != (tensor.shape, tensor.dtype):
        message = (
            f"assigned grad has data of a different size or type: {list(gradient.shape)}, {gradient.dtype} "
            f"for {list(tensor.shape)}, {tensor.dtype}"
        )
        raise ScriptError("RuntimeError", message)
    if tensor.autograd is None:
        tensor.autograd = AutogradRecord(False)
    tensor.autograd.grad = gradient


def zero_gradients(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Take gradients away, or make them zeros, without history."""
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad = None if set_to_none else parameter.grad.detach().zero_()


# -- Hooks -----------------------------------------------------------------------------------------

_keys = count()


class RemovableHandle:
    """Takes a hook back."""

    def __init__(self, hooks: dict[int, Any], key: int) -> None:
        self._hooks, self._key = hooks, key

    def remove(self) -> None:
        self._hooks.pop(self._key, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_error: object) -> None:
        self.remove()


def register_hook(tensor: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """Have `hook` called with each gradient of the tensor. Raises ScriptError for one that requires none."""
    record = _own_record(tensor, "cannot register a hook on a tensor that doesn't require gradient")
    if record.hooks is None:
        record.hooks = {}
    key = next(_keys)
    record.hooks[key] = hook
    return RemovableHandle(record.hooks, key)


def retain_grad(tensor: Tensor) -> None:
    """Have the gradient of a result kept, as that of a leaf is."""
    record = _own_record(tensor, "can't retain_grad on Tensor that has requires_grad=False")
    record.retains = record.node is not None


def _own_record(tensor: Tensor, refusal: str) -> AutogradRecord:
    """The record of a tensor, of which its node knows."""
    record = tensor.autograd
    if not tensor.requires_grad or record is None:
        raise ScriptError("RuntimeError", refusal)
    node = record.node
    if node is not None:
        if node.retained is None:
            node.retained = []
        if all(known is not record for _, known in node.retained):
            node.retained.append((record.output, record))
    return record
