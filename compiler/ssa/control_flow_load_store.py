"""Ifs and loops pass the variables that change in their blocks through their inputs and outputs.

Afterwards every block reads what it needs from, and leaves what it changed in, the variables of its
own block: a Store of each block input comes first, a Load of each block output comes last, and the
node's outputs are stored right behind it.
"""

from __future__ import annotations

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.scope import Scope
from tsc.compiler.ir.symbols import prim
from tsc.compiler.source import CompileError, codes
from tsc.compiler.ssa.load_store import (
    create_load,
    create_store,
    is_meaningful,
    variable_name,
)
from tsc.compiler.types import Type, unify_types

Types = Scope[Type]
_OWN_VARIABLES = frozenset(
    (prim.Closure, prim.forkClosure, prim.awaitableClosure, prim.LocalVariableScope)
)


def add_control_flow_loads_and_stores(graph: Graph) -> None:
    """Gives every If and Loop the inputs and outputs that the variables changed in it need."""
    _visit_block(graph.block, None)


def _visit_block(block: Block, outer: Types | None) -> Types:
    """Returns the types of the variables at the end of ``block``."""
    scope = Types(outer)
    for node in block.nodes():
        if node.kind == prim.Store:
            scope.set(variable_name(node), node.input.type)
        elif node.kind == prim.If:
            branches = [_visit_block(branch, scope) for branch in node.blocks]
            _pass_through_if(node, scope, *branches)
        elif node.kind == prim.Loop:
            _pass_through_loop(node, scope, _visit_block(node.blocks[0], scope))
        elif node.kind in _OWN_VARIABLES:
            _visit_block(node.blocks[0], scope)
    scope.end()
    return scope


def _pass_through_if(node: Node, outer: Types, then_scope: Types, else_scope: Types) -> None:
    """A variable comes out of an If when it has a value, of a type that unifies, either way."""
    then_block, else_block = node.blocks
    for name in sorted({*then_scope.names(), *else_scope.names()}):
        then_type, else_type = then_scope.find(name), else_scope.find(name)
        if then_type is None or else_type is None:
            continue
        unified = unify_types(then_type, else_type, default_to_union=True)
        if unified is None:
            continue
        _add_block_output(then_block, name, then_type)
        _add_block_output(else_block, name, else_type)
        _add_node_output(node, name, unified)
        outer.set(name, unified)


def _pass_through_loop(node: Node, outer: Types, body_scope: Types) -> None:
    """A variable is carried around a Loop when the body changes it and it existed before."""
    body = node.blocks[0]
    for name in sorted(body_scope.names()):
        type_before, type_after = outer.find(name), body_scope.find_here(name)
        if type_before is None or type_after is None:
            continue
        carried = unify_types(type_before, type_after)
        if carried is None:
            raise _changed_in_loop(node, name, type_before, type_after)
        _add_node_input(node, name, type_before)
        _add_block_input(body, name, carried)
        _add_block_output(body, name, type_after)
        _add_node_output(node, name, carried)
        outer.set(name, carried)


def _changed_in_loop(node: Node, name: str, before: Type, after: Type) -> CompileError:
    """Only a variable declared as an interface gets so far: the loop would have to know that."""
    return CompileError(
        f"Variable '{name}' previously had type {before.message_text} but the loop gives it a value "
        f"of type {after.message_text}",
        node.range,
        code=codes.CHANGED_TYPE,
        hint="take the objects through a function whose result is the interface, as in "
        "`def make() -> Interface:`",
    )


def _add_block_input(block: Block, name: str, type: Type) -> None:
    value = block.add_input(name, type)
    create_store(block.graph, name, value).insert_after(block.param_node)


def _add_block_output(block: Block, name: str, type: Type) -> None:
    load = block.append_node(create_load(block.graph, name, type))
    block.register_output(load.output)


def _add_node_input(node: Node, name: str, type: Type) -> None:
    load = create_load(node.graph, name, type).insert_before(node)
    node.add_input(load.output)


def _add_node_output(node: Node, name: str, type: Type) -> None:
    value = node.add_output(type)
    if is_meaningful(name):
        value.set_debug_name(name)
    create_store(node.graph, name, value).insert_after(node)
