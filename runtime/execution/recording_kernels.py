"""The kernels of plans that record for gradients, and which programs may begin to record by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.analysis.handed_out import may_be_handed_out
from tsc.compiler.ir import Node, callee_of, constant_value
from tsc.compiler.ir.symbols import prim
from tsc.compiler.passes.subgraphs import subgraph_of
from tsc.runtime.autograd.inference import marking
from tsc.runtime.autograd.primitives import recorded_primitive
from tsc.runtime.autograd.recording import recorded
from tsc.runtime.context.hooks import fusion_groups
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.node_kernels import Kernel, kernel_of, operator_of
from tsc.runtime.execution.plan_keys import PlanKey

_BEGINNING: Final = frozenset(("aten::requires_grad_", "aten::set_grad_enabled"))


def recording_kernel(node: Node) -> Kernel:
    """The cheapest callable that does what a node does, and notes it where an operand requires a gradient."""
    if node.kind == prim.FusionGroup:
        return fusion_groups().fusion_group(node, recording=True)
    operator = operator_of(node)
    if operator is None or operator.kernel is None:
        return fast_kernel(node)
    kernel = kernel_of(node)
    noting = recorded_primitive(node, recorded(operator, kernel))
    return fast_kernel(node) if noting is kernel else noting


def marking_kernel(node: Node) -> Kernel:
    """The same in ``inference_mode``: it marks what it makes."""
    operator = operator_of(node)
    if operator is None or operator.kernel is None:
        return fast_kernel(node)
    kernel = kernel_of(node)
    noting = marking(operator, kernel)
    return fast_kernel(node) if noting is kernel else noting


def kernels_for(key: PlanKey, usual: Callable[[Node], Kernel]) -> Callable[[Node], Kernel]:
    """What gives the nodes of a plan their kernels; `usual` where nothing is noted."""
    if key.inference:
        return marking_kernel
    if key.recording:
        return recording_kernel
    if key.unrecorded:
        return lambda node: recording_kernel(node) if _is_noted(node) else usual(node)
    return usual


def _is_noted(node: Node) -> bool:
    """Whether a node may make views that are seen elsewhere, or write to what such look into."""
    if node.kind == prim.FusionGroup:
        return any(_writes(each) and _is_given(each) for each in subgraph_of(node).nodes())
    return _writes(node) or hands_out_views(node)


def _is_given(node: Node) -> bool:
    """Whether a node of a group may write to what the group is given, or to a view of it."""
    value = node.inputs[0]
    while value.node.inputs and (
        value.node.schema is None or any(each.alias_info for each in value.node.schema.returns)
    ):
        value = value.node.inputs[0]
    return value.node.kind == prim.Param


def _writes(node: Node) -> bool:
    return node.schema is not None and node.schema.is_mutable


def hands_out_views(node: Node) -> bool:
    """Whether a node makes views of tensors, and something else than the program may come to hold them."""
    if node.kind == prim.ConstantChunk:
        return may_be_handed_out(node)
    if node.operator is None or not node.kind.startswith("aten::"):
        return False
    schema = node.operator.schema
    if schema.is_mutable or all(each.alias_info is None for each in schema.returns):
        return False
    return may_be_handed_out(node)


def begins_recording(node: Node) -> bool:
    """Whether a node may make tensors require gradients that did not, or lead to code that is not known."""
    if node.kind in _BEGINNING or (node.kind == prim.CallMethod and callee_of(node) is None):
        return True
    if node.kind in (prim.Enter, prim.PythonOp):
        return True  # of what is made under ``no_grad`` it is noted, and PyTorch's modules have parameters
    if node.operator is None or "bool requires_grad" not in node.operator.text:
        return False
    place = node.operator.schema.argument_index("requires_grad")
    return place is not None and constant_value(node.inputs[place]) is not False
