"""Loads and Stores go: every use of a Load becomes a use of the value last stored.

Refinements need no care here. Where the emitter knows more about a variable than its declaration
says, it has stored the result of an ``unchecked_cast``.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.scope import Scope
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ssa.load_store import variable_name

Values = Scope[Value]


def erase_loads_and_stores(graph: Graph) -> None:
    """Leaves neither Load nor Store, and no LocalVariableScope."""
    _erase_in_block(graph.block, None)


def _erase_in_block(block: Block, outer: Values | None) -> None:
    scope = Values(outer)
    for node in block.nodes():
        if node.kind == prim.Store:
            scope.set(variable_name(node), node.input)
            node.destroy()
        elif node.kind == prim.Load:
            stored = scope.find(variable_name(node))
            assert stored is not None, f"the emitter let '{variable_name(node)}' be read unset"
            node.output.replace_all_uses_with(stored)
            node.destroy()
        else:
            for nested in node.blocks:
                _erase_in_block(nested, scope)
            if node.kind == prim.LocalVariableScope:
                _dissolve(node)
    scope.end()


def _dissolve(local_scope: Node) -> None:
    """Its variables are out of reach by now; the nodes stay in its place."""
    for node in local_scope.blocks[0].nodes():
        node.move_before(local_scope)
    local_scope.destroy()
