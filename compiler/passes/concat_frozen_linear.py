"""Linear layers of one input and constant weights become one layer, and its result is taken apart.

One large product is faster than several small ones. The parts are views of it: layers whose results are written to,
or viewed in another shape, stay apart.
"""

from __future__ import annotations

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Graph, Node, Value, constant_value
from tsc.compiler.passes.frozen_tensors import (
    FoldingError,
    FrozenTensors,
    constant,
    have_one_dtype,
)
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable


def concat_frozen_linear(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether layers were joined."""
    tensors = FrozenTensors(operators, evaluate, tensor_type_of)
    alias_db = AliasDb(graph)
    groups: dict[tuple[object, ...], list[Node]] = {}
    for node in graph.all_nodes():
        if node.kind == "aten::linear" and _may_be_a_part(node, alias_db):
            has_bias = constant_value(node.inputs[2]) is not None
            groups.setdefault((node.owning_block, node.inputs[0], has_bias), []).append(node)
    changed = False
    for nodes in groups.values():
        try:
            changed |= len(nodes) > 1 and _join(nodes, operators, tensors)
        except FoldingError:
            continue
    return changed


def _may_be_a_part(node: Node, alias_db: AliasDb) -> bool:
    if alias_db.node_has_writers(node):
        return False
    return all(use.node.kind != "aten::view" for use in node.output.uses)


def _join(nodes: list[Node], operators: OperatorTable, tensors: FrozenTensors) -> bool:
    weights = [constant(node, 1) for node in nodes]
    biases = [constant(node, 2) for node in nodes]
    if not have_one_dtype(tensors, weights):
        return False
    first, graph = nodes[0], nodes[0].graph
    with graph.insert_at(first):
        weight = _joined(graph, tensors, weights)
        bias = first.inputs[2] if biases[0] is None else _joined(graph, tensors, biases)
        whole = insert_call(graph, operators, "aten::linear", [first.inputs[0], weight, bias])
        start = 0
        for node, each in zip(nodes, weights, strict=True):
            end = start + tensors.sizes(each)[0]
            numbers = [graph.insert_constant(number) for number in (-1, start, end, 1)]
            part = insert_call(graph, operators, "aten::slice.Tensor", [whole, *numbers])
            node.output.replace_all_uses_with(part.copy_metadata(node.output))
            start = end
    for node in nodes:
        node.destroy()
    return True


def _joined(graph: Graph, tensors: FrozenTensors, parts: list[object]) -> Value:
    whole = tensors.call("aten::cat", parts, 0)
    return graph.insert_constant(whole, tensors.type_of(whole))
