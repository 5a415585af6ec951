"""An `expand` that a tracer put in where PyTorch broadcast by itself gives way to the tensor that it expands."""

from __future__ import annotations

from tsc.compiler.ir import Graph
from tsc.compiler.source.rewritings import may_rewrite


def remove_expands(graph: Graph) -> bool:
    """Returns whether there was one: an `aten::expand` whose argument ``implicit`` is True."""
    changed = False
    for node in graph.all_nodes():
        is_expand = node.kind == "aten::expand" and node.has_named_input("implicit")
        is_implicit = is_expand and node.get("implicit") is True
        if is_implicit and may_rewrite("remove_expands", node):
            node.output.replace_all_uses_with(node.named_input("self"))
            node.destroy()
            changed = True
    return changed
