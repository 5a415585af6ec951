"""IR text as a kind of program: told from source by its first word."""

from __future__ import annotations

import re
from typing import Any, Final, TypeGuard

import tsc.compiler.printing  # noqa: F401  graphs have texts from then on
from tsc.compiler.compile import Toolchain
from tsc.compiler.ir import Graph, InvalidGraph, parse_ir
from tsc.compiler.ir.graph_function import check_constants, function_of_graph
from tsc.compiler.source import CompileError, Source, SourceRange, codes
from tsc.runtime.operators import load
from tsc.runtime.programs.source_unit import SourceUnit

NAME: Final = "graph"
"""What the function of a graph is called."""

_BEGINNING: Final = re.compile(r"(?:\s*#[^\n]*\n)*\s*graph\s*\(\s*(?:%|\)\s*:)")


def is_ir_text(source: object) -> TypeGuard[Source]:
    """Whether a text begins, after comments, as the IR text of a graph."""
    return isinstance(source, Source) and _BEGINNING.match(source.text) is not None


def graph_of(source: Source) -> Graph:
    """The graph that a text spells. Raises `CompileError` if it spells none."""
    return parse_ir(source.text, load(), filename=source.filename)


class GraphUnit(SourceUnit):
    """The function of a graph alone."""

    def choose(self, name: str | None, init: str | None = None) -> Any:
        """Raises `GraphError` if the text does not tell the value of a constant."""
        chosen = super().choose(name, init)
        check_constants(chosen.graph)
        return chosen


def unit_of_graph(source: Source, using: Toolchain) -> SourceUnit:
    """The unit whose only function, `NAME`, does what the graph says.

    Raises `CompileError`, also for a graph that is broken and for a node that fits no schema.
    """
    graph = graph_of(source)
    try:
        function = function_of_graph(graph, NAME)
    except InvalidGraph as error:
        place = SourceRange(source, 0, source.text.find("("))
        raise CompileError(str(error), place, code=codes.INVALID_IR) from None
    return GraphUnit(using, functions=[function])
