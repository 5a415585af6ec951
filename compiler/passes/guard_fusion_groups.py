"""Behind each `prim::FusionGroup` comes what to do where it gives nothing: its operators, one by one.

A group has code for some arguments, and none before that is made. Then its outputs are None.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, Value, aten, prim
from tsc.compiler.ir.inline import insert_graph
from tsc.compiler.passes.subgraphs import subgraph_of
from tsc.compiler.passes.written_parts import take_parts_out
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import BOOL, OptionalType


def guard_fusion_groups(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether there was a group that always gave something."""
    groups = graph.find_all_nodes(prim.FusionGroup)
    unguarded = [each for each in groups if not is_guarded(each)]
    for group in unguarded:
        _guard(group)
    take_parts_out(graph, operators)
    return bool(unguarded)


def is_guarded(group: Node) -> bool:
    """Whether the program knows what to do where a group gives nothing."""
    return isinstance(group.outputs[0].type, OptionalType)


def _guard(group: Node) -> None:
    graph = group.graph
    chosen = graph.create(prim.If, [], len(group.outputs), group.range).insert_after(group)
    for output, result in zip(group.outputs, chosen.outputs):
        output.replace_all_uses_with(result)
        name = output.debug_name if output.has_debug_name else ""
        output.set_debug_name("")
        result.set_type(output.type).set_debug_name(name)
        output.set_type(OptionalType(output.type))
    chosen.add_input(_is_there(group.outputs[0], chosen))
    computed, otherwise = chosen.add_block(), chosen.add_block()
    for output, result in zip(group.outputs, chosen.outputs):
        known = graph.create(prim.unchecked_unwrap_optional, [output], range=group.range)
        computed.register_output(computed.append_node(known).output.set_type(result.type))
    with graph.insert_at(otherwise.return_node):
        outputs = insert_graph(graph, subgraph_of(group), list(group.inputs))
    for output in outputs:
        otherwise.register_output(output)


def _is_there(value: Value, before: Node) -> Value:
    graph = before.graph
    with graph.insert_at(before):
        nothing = graph.insert_constant(None)
    asking = graph.create(aten.isnot, [value, nothing], range=before.range).insert_before(before)
    return asking.output.set_type(BOOL)
