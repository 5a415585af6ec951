"""A matrix product and what is added to it are one `aten::addmm`, where the dtypes of all are known and the same."""

from __future__ import annotations

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Graph, Node, Value, constant_value
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import TensorType


def fuse_addmm(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was one. The product and the sum stay, for whoever else uses them."""
    changed = False
    alias_db = AliasDb(graph)
    for node in list(graph.all_nodes()):
        if node.kind == "aten::add" and len(node.inputs) == 3 and node.output.has_uses:
            changed |= _fuse(node, operators, alias_db)
    return changed


def _fuse(add: Node, operators: OperatorTable, alias_db: AliasDb) -> bool:
    alpha = constant_value(add.inputs[2])
    if alpha is True or alpha not in (1, 1.0):
        return False
    for product, added in (add.inputs[:2], reversed(add.inputs[:2])):
        if product.node.kind != "aten::mm" or not _fits(product.node, added, alias_db):
            continue
        if may_rewrite("fuse_addmm", add):
            _replace(add, product.node, added, operators)
            return True
    return False


def _fits(product: Node, added: Value, alias_db: AliasDb) -> bool:
    """Whether dtypes agree, and the matrices are still at the sum what they were at the product."""
    types = [value.type for value in (added, *product.inputs)]
    dtypes = {type.dtype if isinstance(type, TensorType) else None for type in types}
    return len(dtypes) == 1 and None not in dtypes and not alias_db.node_has_writers(product)


def _replace(add: Node, product: Node, added: Value, operators: OperatorTable) -> None:
    graph = add.graph
    with graph.insert_at(add):
        one = graph.insert_constant(1)
        fused = insert_call(graph, operators, "aten::addmm", [added, *product.inputs, one, one])
    fused.copy_metadata(add.output)
    add.output.replace_all_uses_with(fused)
