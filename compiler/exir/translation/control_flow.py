"""Operators that take graphs: branches, loops, maps, scans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.autocast import dtype_inside
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import Target
from tsc.compiler.exir.translation.delegates import translate_delegate
from tsc.compiler.exir.translation.scope import (
    Scope,
    Translated,
    TranslationError,
    arguments_of,
    unknown_call,
)
from tsc.compiler.ir import Value, prim
from tsc.compiler.types import BOOL, INT, TENSOR, ListType

Inline = Callable[[Scope, GraphModule, Sequence[Value]], list[Value]]
"""Puts the nodes of a graph at the insertion point; its results."""

_FOREVER: Final = (1 << 63) - 1


def translate_higher_order(scope: Scope, node: Node, target: Target, inline: Inline) -> Translated:
    """The results of an operator that takes graphs."""
    translate = _TRANSLATIONS.get(target.name)
    if translate is None:
        raise unknown_call(node)
    return translate(scope, node, inline)


def _condition(scope: Scope, value: Value) -> Value:
    return value if value.type.is_subtype_of(BOOL) else scope.insert("aten::Bool", value)


def _cond(scope: Scope, node: Node, inline: Inline) -> Translated:
    """``cond(predicate, true_graph, false_graph, operands)``"""
    predicate, true_graph, false_graph, *rest = arguments_of(node, 3)
    operands = scope.operands(rest[0]) if rest else []
    graph = scope.graph
    condition = _condition(scope, scope.value(predicate))
    branch = graph.insert_node(graph.create(prim.If, [condition], 0))
    results: list[list[Value]] = []
    for each in (true_graph, false_graph):
        block = branch.add_block()
        with graph.insert_at(block):
            results.append(inline(scope, scope.subgraph(each), operands))
        for value in results[-1]:
            block.register_output(value)
    if len(results[0]) != len(results[1]):
        raise TranslationError(f"the branches of {node.name} have not as many results")
    return [branch.add_output(each.type) for each in results[0]]


def _while_loop(scope: Scope, node: Node, inline: Inline) -> Translated:
    """``while_loop(cond_graph, body_graph, carried, additional)``"""
    cond_graph, body_graph, carried, *rest = arguments_of(node, 3)
    condition, body = scope.subgraph(cond_graph), scope.subgraph(body_graph)
    additional = scope.operands(rest[0]) if rest else []
    graph, start = scope.graph, scope.operands(carried)
    trips = graph.insert_constant(_FOREVER)
    first = _condition(scope, _only(inline(scope, condition, [*start, *additional])))
    loop = graph.insert_node(graph.create(prim.Loop, [trips, first, *start], 0))
    block = loop.add_block()
    block.add_input("i", INT)
    inside = [block.add_input(None, each.type) for each in start]
    with graph.insert_at(block):
        following = inline(scope, body, [*inside, *additional])
        again = _condition(scope, _only(inline(scope, condition, [*following, *additional])))
    if len(following) != len(start):
        raise TranslationError(f"the body of {node.name} gives not as much as it takes")
    for value in (again, *following):
        block.register_output(value)
    return [loop.add_output(each.type) for each in start]


def _map(scope: Scope, node: Node, inline: Inline) -> Translated:
    """``map_impl(body_graph, xs, additional)``: the body for each slice of the tensors, its results stacked."""
    body, xs, *rest = arguments_of(node, 2)
    additional = scope.operands(rest[0]) if rest else []
    return _over_slices(scope, scope.operands(xs), [], scope.subgraph(body), additional, inline)


def _scan(scope: Scope, node: Node, inline: Inline) -> Translated:
    """``scan(combine_graph, init, xs, additional)``: what is carried at the end, and the other results stacked."""
    body, init, xs, *rest = arguments_of(node, 3)
    additional = scope.operands(rest[0]) if rest else []
    start = scope.operands(init)
    return _over_slices(scope, scope.operands(xs), start, scope.subgraph(body), additional, inline)


def _over_slices(
    scope: Scope,
    xs: Sequence[Value],
    start: Sequence[Value],
    body: GraphModule,
    additional: Sequence[Value],
    inline: Inline,
) -> list[Value]:
    """A loop over the slices of tensors along their first dimension, in which `start` is carried."""
    graph = scope.graph
    if not xs or _result_count(body) < len(start):
        raise TranslationError("a loop over slices has nothing to go over, or gives too little")
    count = scope.insert("aten::size", xs[0], 0)
    stacked = [_empty_list(scope) for _ in range(_result_count(body) - len(start))]
    loop = graph.insert_node(
        graph.create(prim.Loop, [count, graph.insert_constant(True), *start], 0)
    )
    block = loop.add_block()
    number = block.add_input("i", INT)
    carried = [block.add_input(None, each.type) for each in start]
    with graph.insert_at(block):
        slices = [scope.insert("aten::select", each, 0, number) for each in xs]
        results = inline(scope, body, [*carried, *slices, *additional])
        for found, each in zip(stacked, results[len(start) :], strict=True):
            scope.insert("aten::append", found, each)
        block.register_output(graph.insert_constant(True))
    for value in results[: len(start)]:
        block.register_output(value)
    ends = [loop.add_output(each.type) for each in start]
    return [*ends, *(scope.insert("aten::stack", each, 0) for each in stacked)]


def _result_count(module: GraphModule) -> int:
    results = module.graph.output_node.args[0]
    return len(results) if isinstance(results, tuple | list) else 1


def _empty_list(scope: Scope) -> Value:
    node = scope.graph.insert_node(scope.graph.create(prim.ListConstruct))
    return node.output.set_type(ListType(TENSOR))


def _only(values: list[Value]) -> Value:
    if len(values) != 1:
        raise TranslationError("a condition is to be one value")
    return values[0]


def _with_gradients(scope: Scope, node: Node, inline: Inline) -> Translated:
    """``wrap_with_set_grad_enabled(enabled, body_graph, *operands)``"""
    enabled, body, *operands = arguments_of(node, 2)
    before = scope.insert("aten::is_grad_enabled")
    scope.insert("aten::set_grad_enabled", enabled)
    results = inline(scope, scope.subgraph(body), [scope.value(each) for each in operands])
    scope.insert("aten::set_grad_enabled", before)
    return results


def _with_autocast(scope: Scope, node: Node, inline: Inline) -> Translated:
    """``wrap_with_autocast(device, dtype, enabled, cache_enabled, body_graph, *operands)``"""
    device, dtype, enabled, _, body, *operands = arguments_of(node, 5)
    told = dtype.name if isinstance(dtype, TorchConstant) else None
    around = dtype_inside(scope.autocast, str(device), told, enabled=enabled is True)
    inside = replace(scope, autocast=around)
    return inline(inside, scope.subgraph(body), [scope.value(each) for each in operands])


_TRANSLATIONS: Final[dict[str, Callable[[Scope, Node, Inline], Translated]]] = {
    "cond": _cond,
    "while_loop": _while_loop,
    "map_impl": _map,
    "scan": _scan,
    "wrap_with_set_grad_enabled": _with_gradients,
    "wrap_with_autocast": _with_autocast,
    "executorch_call_delegate": lambda scope, node, _: translate_delegate(scope, node),
}
