"""Effects in their order: tokens, by which PyTorch orders calls that print or check, are taken out.

``with_effects(token, operator, *args)`` calls an operator, and gives the next token and its results. Calls of a graph
are in their order anyway.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from tsc.compiler.exir.copying import copy_module
from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.graph import Graph
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.signature import ExportGraphSignature, InputKind, OutputKind
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.ir.errors import GraphError

WITH_EFFECTS: Final = Target("torch.ops.higher_order.with_effects")

Program = TypeVar("Program", bound=ExportedProgram)


def without_tokens(program: Program) -> Program:
    """The program with the calls themselves, and without tokens; the same one if it has none.

    Raises `GraphError`, which names the node, for a call of what is no operator.
    """
    old = program.graph_signature
    if all(each.kind is not InputKind.TOKEN for each in old.input_specs):
        return program
    module = copy_module(program.graph_module)
    graph = module.graph
    for node in graph.find_nodes(Op.CALL_FUNCTION, WITH_EFFECTS):
        _replace(graph, node)
    _drop_results(program, graph)
    for node, spec in zip(graph.placeholders, old.input_specs, strict=True):
        if spec.kind is InputKind.TOKEN:
            node.erase()
    signature = ExportGraphSignature(
        [each for each in old.input_specs if each.kind is not InputKind.TOKEN],
        [each for each in old.output_specs if each.kind is not OutputKind.TOKEN],
    )
    return replace(program, graph_module=module, graph_signature=signature)


def _replace(graph: Graph, node: Node) -> None:
    """Call the operator; its only result is the call, several are elements of it."""
    token, target, *args = [*node.args, None, None][: max(2, len(node.args))]
    if not isinstance(token, Node) or not isinstance(target, Target) or not target.is_operator:
        raise GraphError(f"{node.name} calls {target}, which tsc has not")
    values = node.meta.get("val")
    results: list[Any] = []
    if isinstance(values, tuple | list):
        results += cast("list[Any]", values)[1:]
    with graph.inserting_before(node):
        call = graph.call_function(target, args, node.kwargs)
    call.meta = dict(node.meta) | {
        "val": results[0] if len(results) == 1 else tuple(results) or None
    }
    for user in list(node.users):
        place = user.args[1] if user.target == GETITEM else None
        if type(place) is not int:
            raise GraphError(f"{user.name} takes several results as one")
        if place == 0:
            user.replace_all_uses_with(token)
        elif len(results) == 1:
            user.replace_all_uses_with(call)
        else:
            user.args = (call, place - 1)
            continue
        user.erase()
    node.erase()


def _drop_results(program: ExportedProgram, graph: Graph) -> None:
    """Return what is no token."""
    output = graph.output_node
    results = output.args[0]
    if not isinstance(results, tuple | list):
        raise GraphError("the graph returns one value, and its signature tells of a token")
    specs = program.graph_signature.output_specs
    kept = [
        each for each, spec in zip(results, specs, strict=True) if spec.kind is not OutputKind.TOKEN
    ]
    output.args = (tuple(kept),)
