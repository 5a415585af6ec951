"""What batch norms have in common that are folded into the weights of the layer before them."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir import Graph, Node
from tsc.compiler.passes.frozen_tensors import (
    FoldingError,
    FrozenTensors,
    constant,
    have_one_dtype,
    is_seen_only_by,
)

_WEIGHT, _BIAS, _MEAN, _VARIANCE, _TRAINING, _EPSILON = 1, 2, 3, 4, 5, 7
"""The inputs of `aten::batch_norm`."""


def fold_batch_norms(
    graph: Graph, is_layer: Callable[[Node], bool], tensors: FrozenTensors
) -> bool:
    """Returns whether a batch norm behind a layer was folded into its weight and bias."""
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind == "aten::batch_norm" and is_layer(node.inputs[0].node):
            try:
                changed |= _fold(node, node.inputs[0].node, tensors)
            except FoldingError:
                continue
    return changed


def _fold(norm: Node, layer: Node, tensors: FrozenTensors) -> bool:
    if constant(norm, _TRAINING) is not False or not is_seen_only_by(layer.output, norm):
        return False
    weight, bias, mean = constant(layer, 1), constant(layer, 2), constant(norm, _MEAN)
    channels = tensors.sizes(weight)[0]
    if tensors.sizes(mean) != [channels]:
        return False
    scale, shift = constant(norm, _WEIGHT), constant(norm, _BIAS)
    scale = tensors.filled(channels, 1.0, mean) if scale is None else scale
    shift = tensors.filled(channels, 0.0, mean) if shift is None else shift
    bias = tensors.filled(channels, 0.0, mean) if bias is None else bias
    variance = constant(norm, _VARIANCE)
    if not have_one_dtype(tensors, (weight, bias, mean, variance, scale, shift)):
        return False
    call = tensors.call
    spread = call("aten::add.Scalar", variance, constant(norm, _EPSILON), 1)
    factor = call("aten::mul.Tensor", scale, call("aten::rsqrt", spread))
    weight = call("aten::mul.Tensor", weight, tensors.as_channels(factor, weight))
    centered = call("aten::sub.Tensor", bias, mean, 1)
    bias = call("aten::add.Tensor", call("aten::mul.Tensor", centered, factor), shift, 1)
    tensors.replace_input(layer, 1, weight, "fused_bn")
    tensors.replace_input(layer, 2, bias, "fused_bn")
    norm.output.replace_all_uses_with(layer.output)
    norm.destroy()
    return True
