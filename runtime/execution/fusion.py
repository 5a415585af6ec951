"""Graphs whose pointwise operators are fused, for the plans that run native code."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.ir import Block, Function, Graph, prim
from tsc.compiler.pipelines import FUSION, run_passes
from tsc.compiler.types import TensorType
from tsc.runtime.execution.run_pass import find_pass


def fused(function: Function, graph: Graph, *, in_loops: bool = False) -> Graph:
    """The graph with fusion groups in it, or in its loops alone; itself, where there are none."""
    if not any(repeated or not in_loops for repeated in makers_of_tensors(graph.block)):
        return graph
    made = graph.copy()
    options = {"fuse_graph": {"in_loops": True}} if in_loops else {}
    run_passes([find_pass(name, options.get(name)) for name in FUSION], function, made)
    return made if any(node.kind == prim.FusionGroup for node in made.all_nodes()) else graph


def makers_of_tensors(block: Block, *, repeated: bool = False) -> Iterator[bool]:
    """For each operator that gives a tensor, whether it is in a loop: such may be worth to be in groups."""
    for node in block.nodes():
        if node.operator is not None and any(
            isinstance(each.type, TensorType) for each in node.outputs
        ):
            yield repeated
        for inner in node.blocks:
            yield from makers_of_tensors(inner, repeated=repeated or node.kind == prim.Loop)
