"""What a graph is in every dialect: inputs first, one output last, arguments before those who read them."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.targets import Target
from tsc.compiler.exir.verification.violation import Violation


def structure_violations(module: GraphModule, path: str = "") -> Iterator[Violation]:
    """Nodes that stand where they must not, in all graphs."""
    yield from _order(module, path)
    names: set[str] = set()
    seen: set[Node] = set()
    for node in module.graph.nodes:
        for told in _broken(node, module, seen, names):
            yield Violation(f"{path}{node.name}", told)
        seen.add(node)
        names.add(node.name)
    for name, each in module.modules.items():
        yield from structure_violations(each, f"{path}{name}.")


def _order(module: GraphModule, path: str) -> Iterator[Violation]:
    ops = [node.op for node in module.graph.nodes]
    if ops.count(Op.OUTPUT) != 1 or ops[-1] is not Op.OUTPUT:
        yield Violation(
            path.rstrip(".") or "graph", "a graph has one output, and it is the last node"
        )
    inputs = ops.count(Op.PLACEHOLDER)
    if any(each is not Op.PLACEHOLDER for each in ops[:inputs]):
        yield Violation(path.rstrip(".") or "graph", "placeholders are the first nodes of a graph")


def _broken(node: Node, module: GraphModule, seen: set[Node], names: set[str]) -> Iterator[str]:
    if node.name in names:
        yield "another node has this name"
    if node.op is Op.GET_ATTR and node.target not in module.modules:
        yield f"there is no graph {node.target}; parameters and buffers are inputs"
    if node.op is Op.CALL_FUNCTION and not isinstance(node.target, Target):
        yield f"{node.target} is no operator"
    if node.op is Op.PLACEHOLDER and len(node.args) > 1:
        yield "an input has one default at most"
    for each in node.input_nodes:
        if each not in seen:
            yield f"{each.name} is read before it is computed, or is of another graph"
