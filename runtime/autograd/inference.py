"""Tensors that are made in ``inference_mode``: nothing is recorded of them, and only that mode writes to them.

What runs in the mode has kernels of its own, which mark what they make. As long as something lives that was made in
a block of it, everything outside looks at the records of tensors, and refuses what must not be done to such.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.schema import Operator
from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.autograd.operator_steps import is_list_of_tensors, is_tensor
from tsc.runtime.autograd.views import DETACHED, IN_INFERENCE, link, share_memory
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import current_inference
from tsc.runtime.context.gradient_state import note_write
from tsc.runtime.values.autograd_record import AutogradRecord, made_in
from tsc.runtime.values.tensor import Tensor

Kernel = Callable[..., Any]

_MAKING_PRIMITIVES: Final = frozenset(("prim::NumToTensor", "prim::ConstantChunk"))
"""The primitives that make tensors; others hand on what there is."""


WITHOUT_HISTORY: Final = frozenset(("aten::detach", "aten::data", "prim::data"))
"""The operators that take a tensor without its history."""


def marking(operator: Operator, kernel: Kernel) -> Kernel:
    """`kernel`, which is that of the operator, or what runs it and marks the tensors that it makes."""
    schema = operator.schema
    if operator.name in WITHOUT_HISTORY:
        return handing_on(kernel)
    if operator.name.startswith("prim::") and operator.name not in _MAKING_PRIMITIVES:
        return kernel
    gives_tensors = any(
        is_tensor(each.type) or is_list_of_tensors(each.type) for each in schema.returns
    )
    written = [
        k
        for k, each in enumerate(schema.arguments)
        if each.alias_info is not None and each.alias_info.writes and is_tensor(each.type)
    ]
    if not gives_tensors and not written:
        return kernel

    def run(*values: Any) -> Any:
        result = kernel(*values)
        for k in written:
            if values[k] is not None:
                note_write(storage_of(values[k].array))
        if gives_tensors:
            _mark_results(result, values)
        return result

    return run


def _mark_results(result: Any, values: tuple[Any, ...]) -> None:
    block = current_inference()
    for each in result if type(result) in (list, tuple) else (result,):
        if isinstance(each, Tensor) and each.has_array and each.autograd is None:
            if any(each is value for value in values):
                continue
            source = values[0] if values else None
            if isinstance(source, Tensor) and _looks_into_usual(each, source):
                link(each, source, IN_INFERENCE)
            else:
                each.autograd = made_in(block)


def _looks_into_usual(view: Tensor, source: Tensor) -> bool:
    """Whether what an operator made looks into a tensor that was not made in the mode."""
    return source.has_array and not source.is_inference() and share_memory(view.array, source.array)


def handing_on(kernel: Kernel) -> Kernel:
    """What takes a tensor without its history, but for that it was made in the mode."""

    def run(self: Tensor) -> Tensor:
        result = kernel(self)
        hand_on(result, self)
        if result.autograd is None:
            result.autograd = AutogradRecord(False)
            result.autograd.kind = DETACHED
        return result

    return run


def hand_on(view: Tensor, source: Tensor) -> None:
    """What looks into a tensor of the mode is one, wherever it is made."""
    record = source.autograd
    if record is None or record.inference is None or view is source or not view.has_array:
        return
    if view.autograd is None and share_memory(view.array, source.array):
        view.autograd = made_in(record.inference)


def made_here(tensor: Tensor) -> Tensor:
    """A tensor that Python makes, marked in the mode."""
    block = current_inference()
    if block is not None and not tensor.requires_grad:
        tensor.autograd = made_in(block)
    return tensor


def check_not_inference(tensor: Tensor) -> None:
    """Raise `ScriptError` where a tensor of the mode is written to outside of it."""
    record = tensor.autograd
    if record is not None and record.inference is not None and current_inference() is None:
        message = (
            "Inplace update to inference tensor outside InferenceMode is not allowed. "
            "Write to a clone of it, or make it outside of inference_mode"
        )
        raise ScriptError("RuntimeError", message)
