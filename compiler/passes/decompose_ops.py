"""Operators that do several things are written as those things: `addmm` as a product and a sum, and so on."""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, Value, constant_value
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.operator_calls import find_operator
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf, propagate_all_constants
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable


def decompose_ops(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether an operator was decomposed; if so, what is constant is computed, and dead code is gone too.

    `addmm` whose factors ``beta`` and ``alpha`` are 1 becomes `mm` and `add`.
    """
    changed = False
    for node in graph.all_nodes():
        if node.kind == "aten::addmm" and len(node.inputs) == 5:
            changed |= _decompose_addmm(node, operators)
    if changed:
        propagate_all_constants(graph, evaluate=evaluate, tensor_type_of=tensor_type_of)
        eliminate_dead_code(graph)
    return changed


def _decompose_addmm(node: Node, operators: OperatorTable) -> bool:
    added, left, right, beta, alpha = node.inputs
    if not _is_one(beta) or not _is_one(alpha):
        return False
    graph = node.graph
    with graph.insert_at(node):
        one = graph.insert_constant(1)
        product = graph.insert_node(graph.create("aten::mm", [left, right], range=node.range))
        product.operator = find_operator(operators, "aten::mm")
        total = graph.create("aten::add", [added, product.output, one], range=node.range)
        graph.insert_node(total).operator = find_operator(operators, "aten::add.Tensor")
    total.output.copy_metadata(node.output)
    node.output.replace_all_uses_with(total.output)
    node.destroy()
    return True


def _is_one(value: Value) -> bool:
    return constant_value(value) in (1, 1.0) and constant_value(value) is not True
