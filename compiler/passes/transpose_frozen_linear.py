"""A linear layer with a constant weight is a product with the transposed weight, which is made once, and a sum."""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node
from tsc.compiler.passes.frozen_tensors import FoldingError, FrozenTensors, constant
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import NONE


def transpose_frozen_linear(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether there was one."""
    tensors = FrozenTensors(operators, evaluate, tensor_type_of)
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind == "aten::linear":
            changed |= _transpose(node, operators, tensors)
    return changed


def _transpose(node: Node, operators: OperatorTable, tensors: FrozenTensors) -> bool:
    graph, (features, _, bias) = node.graph, node.inputs
    try:
        weight = constant(node, 1)
        if len(tensors.sizes(weight)) != 2:
            return False
        transposed = tensors.call("aten::contiguous", tensors.call("aten::t", weight), 0)
        type = tensors.type_of(transposed)
    except FoldingError:
        return False
    with graph.insert_at(node):
        factor = graph.insert_constant(transposed, type)
        result = insert_call(graph, operators, "aten::matmul", [features, factor])
        if bias.type != NONE:
            one = graph.insert_constant(1)
            result = insert_call(graph, operators, "aten::add.Tensor", [result, bias, one])
    node.output.replace_all_uses_with(result.copy_metadata(node.output))
    node.destroy()
    return True
