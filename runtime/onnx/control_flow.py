"""Branches and loops: `cond` is `If`, `while_loop` is `Loop`, `map` and `scan` are `Scan`.

Graphs in them read values around them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import onnx_ir as ir

from tsc.compiler.exir.arguments import Argument, leaves
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node
from tsc.runtime.onnx.calls import GraphBuilder, number_type
from tsc.runtime.onnx.element_types import element_type
from tsc.runtime.onnx.refusals import Refused, RefusedWithin


class Conversion(Protocol):
    """What converts the nodes of a graph."""

    def run(self, builder: GraphBuilder, module: GraphModule) -> None:
        """Nodes of a graph whose inputs have values."""
        ...

    def is_refused(self, node: Node) -> bool:
        """Whether a node has no value, which is told elsewhere."""
        ...


def _operands(builder: GraphBuilder, given: Argument) -> list[ir.Value]:
    nodes = list(leaves(given))
    if not all(isinstance(each, Node) for each in nodes):
        raise Refused("a number is given to a graph", "give it as a tensor")
    return [builder.value_of(each) for each in nodes if isinstance(each, Node)]


def _module(module: GraphModule, given: Argument) -> GraphModule:
    if not isinstance(given, Node) or given.target not in module.modules:
        raise Refused("a graph is wanted")
    return module.modules[str(given.target)]


def _results(
    conversion: Conversion, builder: GraphBuilder, inner: GraphModule, operands: Sequence[ir.Value]
) -> list[ir.Value]:
    """What a graph gives, its nodes put in another; each result is a value of its own."""
    builder.values.update(zip(inner.graph.placeholders, operands, strict=True))
    metadata = builder.metadata
    conversion.run(builder, inner)
    builder.metadata = metadata
    found = list(leaves(inner.graph.output_node.args[0]))
    if any(isinstance(each, Node) and conversion.is_refused(each) for each in found):
        raise RefusedWithin("a graph has nodes that cannot go")
    return [builder.op("Identity", _result(builder, each)) for each in found]


def _result(builder: GraphBuilder, result: Any) -> ir.Value:
    if not isinstance(result, Node):
        return builder.constant(result, "bool" if isinstance(result, bool) else "int64")
    return builder.value_of(result)


def _scalar(builder: GraphBuilder, condition: ir.Value) -> ir.Value:
    return builder.op("Reshape", builder.cast(condition, "bool"), builder.constant([], "int64"))


def _cond(
    conversion: Conversion, builder: GraphBuilder, module: GraphModule, node: Node
) -> list[ir.Value]:
    predicate, true_graph, false_graph, *rest = node.args
    operands = _operands(builder, rest[0] if rest else ())
    if isinstance(predicate, Node):
        condition = _scalar(builder, builder.value_of(predicate))
    else:
        condition = builder.constant(predicate, "bool")
    branches: list[ir.Graph] = []
    for name, given in (("then", true_graph), ("else", false_graph)):
        inside = builder.inner()
        results = _results(conversion, inside, _module(module, given), operands)
        branches.append(ir.Graph([], results, nodes=inside.nodes, name=f"{node.name}_{name}"))
    attributes = {"then_branch": branches[0], "else_branch": branches[1]}
    return list(builder.ops("If", len(branches[0].outputs), condition, **attributes))


def _while_loop(
    conversion: Conversion, builder: GraphBuilder, module: GraphModule, node: Node
) -> list[ir.Value]:
    cond_graph, body_graph, carried, *rest = node.args
    condition, body = _module(module, cond_graph), _module(module, body_graph)
    start, additional = _operands(builder, carried), _operands(builder, rest[0] if rest else ())
    first = _results(conversion, builder, condition, [*start, *additional])
    inside = builder.inner()
    taken = [_carried(f"{node.name}_{each.name}", each) for each in body.graph.placeholders]
    taken = taken[: len(start)]
    following = _results(conversion, inside, body, [*taken, *additional])
    again = _results(conversion, inside, condition, [*following, *additional])
    trip = ir.val(f"{node.name}_trip", ir.DataType.INT64, [])
    before = ir.val(f"{node.name}_again", ir.DataType.BOOL, [])
    outputs = [_scalar(inside, again[0]), *following]
    graph = ir.Graph([trip, before, *taken], outputs, nodes=inside.nodes, name=f"{node.name}_body")
    inputs = [None, _scalar(builder, first[0]), *start]
    return list(builder.ops("Loop", len(start), *inputs, body=graph))


def _map(
    conversion: Conversion, builder: GraphBuilder, module: GraphModule, node: Node
) -> list[ir.Value]:
    """``map_impl(body, xs, additional)``: the body for each slice of the tensors, its results stacked."""
    body, xs, *rest = node.args
    return _over_slices(conversion, builder, module, node, body, (), xs, *rest[:1])


def _scan(
    conversion: Conversion, builder: GraphBuilder, module: GraphModule, node: Node
) -> list[ir.Value]:
    """``scan(body, start, xs, additional)``: what is carried at the end, and the other results stacked."""
    body, start, xs, *rest = node.args
    return _over_slices(conversion, builder, module, node, body, start, xs, *rest[:1])


def _over_slices(
    conversion: Conversion,
    builder: GraphBuilder,
    module: GraphModule,
    node: Node,
    body_graph: Argument,
    carried: Argument,
    over: Argument,
    others: Argument = (),
) -> list[ir.Value]:
    body = _module(module, body_graph)
    start, xs = _operands(builder, carried), _operands(builder, over)
    inside = builder.inner()
    taken = [_carried(f"{node.name}_{each.name}", each) for each in body.graph.placeholders]
    taken = taken[: len(start) + len(xs)]
    results = _results(conversion, inside, body, [*taken, *_operands(builder, others)])
    graph = ir.Graph(taken, results, nodes=inside.nodes, name=f"{node.name}_body")
    attributes = {"body": graph, "num_scan_inputs": len(xs)}
    return list(builder.ops("Scan", len(results), *start, *xs, **attributes))


def _carried(name: str, node: Node) -> ir.Value:
    """What a graph takes: its sizes may change from turn to turn."""
    known = node.meta.get("val")
    if not isinstance(known, FakeTensor):
        return ir.val(name, element_type(number_type(known)), [])
    return ir.val(name, element_type(known.dtype.name), [None] * len(known.size))


def _gradients(
    conversion: Conversion, builder: GraphBuilder, module: GraphModule, node: Node
) -> list[ir.Value]:
    """Models have no gradients: the graph is put in place."""
    _, body, *operands = node.args
    return _results(conversion, builder, _module(module, body), _operands(builder, list(operands)))


ConvertControlFlow = Callable[[Conversion, GraphBuilder, GraphModule, Node], list[ir.Value]]
CONTROL_FLOW: Final[dict[str, ConvertControlFlow]] = {
    "cond": _cond,
    "while_loop": _while_loop,
    "map_impl": _map,
    "scan": _scan,
    "wrap_with_set_grad_enabled": _gradients,
}
