"""The rest of a program from a bailout on as a function, whose graph is made when it is first called."""

from __future__ import annotations

from tsc.compiler.ir import Function, Graph, Node
from tsc.compiler.passes.bailout_graph import build_bailout_graph_from
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.runtime.operators import load


def bailout_function(bailout: Node, name: str, range: SourceRange = UNKNOWN_RANGE) -> Function:
    """What a `prim::BailOut` calls with what it guards and captures; errors in it are those of the function `name`."""
    template = bailout.inputs[0].node.attribute("Subgraph")
    assert isinstance(template, Graph)
    index = bailout.integer_attribute("index")

    def define(function: Function) -> None:
        function.graph = build_bailout_graph_from(index, template, operators=load())

    return Function(name, define, range=range)
