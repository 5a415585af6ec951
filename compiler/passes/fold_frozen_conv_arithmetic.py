"""What constants have in common that are added to a convolution's result, or multiplied with it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tsc.compiler.ir import Graph, Node
from tsc.compiler.passes.frozen_tensors import (
    FoldingError,
    FrozenTensors,
    constant,
    is_convolution,
    is_seen_only_by,
)

Fold = Callable[[FrozenTensors, Node, Node, object], None]
"""Changes the weights of a convolution by a vector, as an operation would have changed what it gives."""


def fold_arithmetic(
    graph: Graph, kinds: Collection[str], tensors: FrozenTensors, fold: Fold
) -> bool:
    """Returns whether an operation of ``kinds`` on a convolution and a constant was folded."""
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind in kinds and is_convolution(node.inputs[0].node):
            try:
                changed |= _fold(node, node.inputs[0].node, tensors, fold)
            except FoldingError:
                continue
    return changed


def _fold(operation: Node, convolution: Node, tensors: FrozenTensors, fold: Fold) -> bool:
    if not is_seen_only_by(convolution.output, operation):
        return False
    if len(operation.inputs) > 2 and constant(operation, 2) not in (1, 1.0):
        return False
    weight = constant(convolution, 1)
    constant(convolution, 2)
    vector = _by_channels(tensors, constant(operation, 1), weight)
    if vector is None:
        return False
    fold(tensors, operation, convolution, vector)
    operation.output.replace_all_uses_with(convolution.output)
    operation.destroy()
    return True


def _by_channels(tensors: FrozenTensors, operand: object, weight: object) -> object | None:
    """A number for each output channel; None if they differ elsewhere, or change the dtype or the rank."""
    rank, channels = len(tensors.sizes(weight)), tensors.sizes(weight)[0]
    if isinstance(operand, (bool, int, float)):
        return tensors.filled(channels, float(operand), weight)
    sizes = tensors.sizes(operand)
    is_vector = len(sizes) == rank and sizes[1] == channels
    if is_vector:
        sizes[1] = 1
    if any(size != 1 for size in sizes) or len(sizes) > rank:
        return None
    if tensors.call("aten::result_type.Tensor", weight, operand) != tensors.call(
        "prim::dtype", weight
    ):
        return None
    vector = tensors.call("aten::reshape", operand, [-1])
    return tensors.call("aten::mul.Tensor", tensors.filled(channels, 1.0, weight), vector)
