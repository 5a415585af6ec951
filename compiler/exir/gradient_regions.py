"""Regions without gradients: what stands between two marks becomes a graph of its own.

Marks are calls of `SET_GRAD_ENABLED`. As in ``torch.export`` (PyTorch 2.13), nodes for which gradients are switched
otherwise than around the graph are called by ``wrap_with_set_grad_enabled(enabled, graph, *operands)``, whose results
are those that are read behind the region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tsc.compiler.exir.copying import graph_of_nodes, read_outside
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import GETITEM, Target

SET_GRAD_ENABLED: Final = Target("torch._C._set_grad_enabled")
_WRAP: Final = Target("torch.ops.higher_order.wrap_with_set_grad_enabled")


@dataclass(frozen=True, slots=True)
class _Region:
    """Nodes in a row that run with gradients, or all without: the `number` tells how many regions are before it."""

    number: int
    is_enabled: bool
    nodes: list[Node]


def wrap_gradient_regions(module: GraphModule, around: bool) -> None:
    """Take the marks out of a graph that runs with gradients, or without, as `around` says."""
    marks = module.graph.find_nodes(Op.CALL_FUNCTION, SET_GRAD_ENABLED)
    if not marks:
        return
    regions = list(_regions(module.graph, around))
    for each in marks:
        each.erase()
    for each in regions:
        if each.nodes and each.is_enabled is not around:
            _wrap(module, each)


def _regions(graph: Graph, around: bool) -> Iterator[_Region]:
    region = _Region(0, around, [])
    for node in graph.nodes:
        if node.target == SET_GRAD_ENABLED:
            if node.args[0] is not region.is_enabled:
                yield region
                region = _Region(region.number + 1, bool(node.args[0]), [])
        elif node.op not in (Op.PLACEHOLDER, Op.OUTPUT):
            region.nodes.append(node)
    yield region


def _wrap(module: GraphModule, region: _Region) -> None:
    """Call a graph of these nodes in their place, unless they give nothing."""
    operands = read_outside(region.nodes)
    results = _results(region.nodes)
    if not results:
        return
    name = f"submod_{region.number}"
    module.modules[name] = graph_of_nodes(module, region.nodes, operands, results)
    graph = module.graph
    with graph.inserting_before(region.nodes[0]):
        body = graph.get_attr(name)
        call = graph.call_function(_WRAP, (region.is_enabled, body, *operands))
        _copy_places(call, region.nodes[0])
        call.meta["val"] = tuple([each.meta.get("val") for each in results])
        found = [graph.call_function(GETITEM, (call, place)) for place in range(len(results))]
    _replace(region.nodes, results, found)


def _results(nodes: Sequence[Node]) -> list[Node]:
    """What is read behind a region, or something: PyTorch does not load a call that gives nothing (2.13)."""
    inside = set(nodes)
    read = [node for node in nodes if any(each not in inside for each in node.users)]
    valued = [node for node in nodes if node.meta.get("val") is not None]
    return read or valued[-1:]


def _replace(nodes: Sequence[Node], results: Sequence[Node], found: Sequence[Node]) -> None:
    """Have the results of the call read in the place of those of the nodes, which are erased."""
    for old, new in zip(results, found, strict=True):
        old.replace_all_uses_with(new)
        new.meta = dict(old.meta)
    for each in reversed(nodes):
        each.erase()
    for old, new in zip(results, found, strict=True):
        new.name = old.name


def _copy_places(node: Node, model: Node) -> None:
    node.meta.update({key: each for key, each in model.meta.items() if key != "val"})
