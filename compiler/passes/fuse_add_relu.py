"""A sum of which only the positive part is used is one `aten::_add_relu`."""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Graph, Node
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source.rewritings import may_rewrite

_FUSED: Final = {
    ("aten::add", "aten::relu"): "aten::_add_relu",
    ("aten::add", "aten::relu_"): "aten::_add_relu",
    ("aten::add_", "aten::relu_"): "aten::_add_relu_",
}


def fuse_add_relu(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was one. Nothing may happen to the sum, or to what is added, in between."""
    changed = False
    alias_db = AliasDb(graph)
    for node in list(graph.all_nodes()):
        if node.kind in ("aten::relu", "aten::relu_"):
            changed |= _fuse(node, node.inputs[0].node, operators, alias_db)
    return changed


def _fuse(relu: Node, add: Node, operators: OperatorTable, alias_db: AliasDb) -> bool:
    name = _FUSED.get((add.kind, relu.kind))
    if name is None or add.operator is None or add.output.use_count != 1:
        return False
    operator = operators.find(name, add.operator.overload_name)
    if operator is None or add.owning_block is not relu.owning_block:
        return False
    if not may_rewrite("fuse_add_relu", relu):
        return False
    if not alias_db.move_after_topologically_valid(relu, add):
        return False
    made = relu.graph.create(name, add.inputs, range=relu.range).insert_after(relu)
    made.operator = operator
    made.output.copy_metadata(relu.output)
    relu.output.replace_all_uses_with(made.output)
    relu.destroy()
    add.destroy()
    return True
