"""Devices of tensors follow from those of the graph's inputs, and from those that a program names.

Results are where all operands are; numbers in tensors of the CPU go along with whatever is elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tsc.compiler.ir import Graph, Node, Value
from tsc.compiler.passes.known_values import Exactly, Known
from tsc.compiler.passes.shape_propagation import propagate
from tsc.compiler.types import TENSOR, Device, TensorType, Type

_NAMED_BY_KIND: Final = {"aten::cpu": "cpu", "aten::cuda": "cuda"}


def propagate_device(graph: Graph) -> bool:
    """Returns whether a type changed."""
    return propagate(graph, _infer, _take_device)


def _take_device(type: TensorType, known: TensorType) -> TensorType:
    return type if known.device is None else type.with_device(known.device)


def _infer(node: Node, inputs: Sequence[Known]) -> list[Known] | None:
    device = _device(node, inputs)
    if device is None:
        return None
    return [_placed(value.type, device) for value in node.outputs]


def _placed(type: Type, device: str) -> Type:
    return replace(TENSOR, device=device) if isinstance(type, TensorType) else type


def _device(node: Node, inputs: Sequence[Known]) -> str | None:
    """Where the results are, as far as that is known."""
    if node.kind in _NAMED_BY_KIND:
        return _NAMED_BY_KIND[node.kind]
    named = node.get("device") if node.has_named_input("device") else None
    if named is not None:
        return str(named) if isinstance(named, Device) else None
    tensors = [known for known in map(_tensor, node.inputs, inputs) if known is not None]
    if node.kind == "aten::type_as":
        return tensors[1].device
    return _common_device(tensors)


def _tensor(value: Value, known: Known) -> TensorType | None:
    """What is known of a tensor, or of tensors in a list; None for what holds none."""
    if isinstance(known, Exactly) or not _holds_tensors(value.type):
        return None
    if isinstance(value.type, TensorType) and isinstance(known, TensorType):
        return value.type.with_device(known.device)
    return TENSOR


def _holds_tensors(type: Type) -> bool:
    return isinstance(type, TensorType) or any(map(_holds_tensors, type.contained))


def _common_device(tensors: Sequence[TensorType]) -> str | None:
    """The device of all tensors; numbers on the CPU may be beside those of another."""
    others = [each for each in tensors if each.rank != 0 or each.device != "cpu"] or tensors
    devices = {each.device for each in others}
    return devices.pop() if len(devices) == 1 else None
