"""Values live as long as they are needed, and no longer, whichever way the program goes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tsc.compiler.printing  # noqa: F401  str(graph) needs the printer
from tsc.compiler.analysis.liveness import Liveness, analyze_liveness
from tsc.compiler.ir import Block, Graph, Node, Value, parse_ir, prim

TEXTS = sorted((Path(__file__).parents[1] / "ir" / "data").glob("*.ir"))


class Run:
    """Goes through a graph on a random path, and keeps account of the registers in use."""

    def __init__(self, graph: Graph, seed: int) -> None:
        self.graph = graph
        self.liveness: Liveness = analyze_liveness(graph)
        self.random = random.Random(seed)
        self.alive: set[Value] = set()

    def go(self) -> None:
        self.run_block(self.graph.block)
        assert not self.alive, f"never freed: {self.alive}"

    def run_block(self, block: Block) -> None:
        self.define(block.inputs)
        self.drop(self.liveness.dead_at_start(block))
        for node in block.nodes():
            self.take_inputs(node)
            self.run_inner(node)
            self.define(node.outputs)
            self.drop(self.liveness.dead_after(node))
        self.take_inputs(block.return_node)

    def run_inner(self, node: Node) -> None:
        if node.kind == prim.If:
            self.run_block(self.random.choice(node.blocks))
        elif node.blocks:
            for _ in range(self.random.randrange(3)):
                self.run_block(node.blocks[0])

    def define(self, values: object) -> None:
        for value in values:  # type: ignore[attr-defined]
            assert value not in self.alive
            self.alive.add(value)

    def take_inputs(self, node: Node) -> None:
        for value in node.inputs:
            assert value in self.alive, f"{node} finds {value} freed"
        for offset, value in enumerate(node.inputs):
            if self.liveness.is_last_use(node, offset):
                self.alive.remove(value)

    def drop(self, values: object) -> None:
        for value in values:  # type: ignore[attr-defined]
            self.alive.remove(value)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_on_every_path_values_are_freed_once_and_not_before_they_are_used(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for seed in range(10):
        Run(parse_ir(text), seed).go()


def names(values: object) -> list[str]:
    return [value.debug_name for value in values]  # type: ignore[attr-defined]


def moved(graph: Graph) -> list[str]:
    """``kind(value)`` for every last use, in the order of the text."""
    liveness = analyze_liveness(graph)
    nodes = [*graph.all_nodes(), graph.return_node]
    nodes += [block.return_node for node in graph.all_nodes() for block in node.blocks]
    return [
        f"{node.kind}({value.debug_name})"
        for node in nodes
        for offset, value in enumerate(node.inputs)
        if liveness.is_last_use(node, offset)
    ]


def test_the_last_of_several_uses_in_one_node_moves() -> None:
    graph = parse_ir("graph(%x : int):\n  %y : int = aten::add(%x, %x)\n  return (%y)\n")
    liveness = analyze_liveness(graph)
    (add,) = graph.nodes()
    assert [liveness.is_last_use(add, offset) for offset in (0, 1)] == [False, True]


def test_a_branch_frees_what_only_the_other_one_needs() -> None:
    graph = parse_ir(
        "graph(%c : bool, %a : int, %b : int, %d : int):\n"
        "  %y : int = prim::If(%c)\n"
        "    block0():\n      %p : int = aten::neg(%a)\n      %q : int = aten::add(%p, %d)\n"
        "      -> (%q)\n"
        "    block1():\n      %r : int = aten::add(%b, %d)\n      -> (%r)\n"
        "  return (%y)\n"
    )
    liveness = analyze_liveness(graph)
    (branch,) = graph.nodes()
    assert names(liveness.dead_at_start(branch.blocks[0])) == ["b"]
    assert names(liveness.dead_at_start(branch.blocks[1])) == ["a"]
    assert names(liveness.dead_after(branch)) == []
    assert moved(graph) == [
        "prim::If(c)",
        "aten::neg(a)",
        "aten::add(p)",
        "aten::add(d)",
        "aten::add(b)",
        "aten::add(d)",
        "prim::Return(y)",
        "prim::Return(q)",
        "prim::Return(r)",
    ]


def test_what_an_iteration_needs_lives_until_the_loop_is_over() -> None:
    graph = parse_ir(
        "graph(%n : int, %go : bool, %a : int, %start : int):\n"
        "  %y : int = prim::Loop(%n, %go, %start)\n"
        "    block0(%i : int, %x : int):\n"
        "      %p : int = aten::add(%x, %a)\n      -> (%go, %p)\n"
        "  %z : int = aten::neg(%y)\n"
        "  return (%z)\n"
    )
    liveness = analyze_liveness(graph)
    loop = next(iter(graph.nodes()))
    assert sorted(names(liveness.dead_after(loop))) == ["a", "go"]
    assert names(liveness.dead_at_start(loop.blocks[0])) == ["i"]
    assert moved(graph) == [
        "prim::Loop(n)",
        "prim::Loop(start)",
        "aten::add(x)",
        "aten::neg(y)",
        "prim::Return(z)",
        "prim::Return(p)",
    ]


def test_a_loop_in_a_branch_frees_for_both_branches() -> None:
    graph = parse_ir(
        "graph(%n : int, %go : bool, %a : int):\n"
        "   = prim::If(%go)\n"
        "    block0():\n"
        "       = prim::Loop(%n, %go)\n"
        "        block0(%i : int):\n"
        "           = prim::Print(%a)\n"
        "          -> (%go)\n"
        "      -> ()\n"
        "    block1():\n      -> ()\n"
        "  return ()\n"
    )
    liveness = analyze_liveness(graph)
    (branch,) = graph.nodes()
    (loop,) = branch.blocks[0].nodes()
    assert sorted(names(liveness.dead_after(loop))) == ["a", "go"]
    assert sorted(names(liveness.dead_at_start(branch.blocks[1]))) == ["a", "go", "n"]


def test_what_nobody_uses_dies_at_once() -> None:
    graph = parse_ir("graph(%x : int, %y : int):\n  %z : int = aten::neg(%x)\n  return ()\n")
    liveness = analyze_liveness(graph)
    (neg,) = graph.nodes()
    assert names(liveness.dead_at_start(graph.block)) == ["y"]
    assert names(liveness.dead_after(neg)) == ["z"]
