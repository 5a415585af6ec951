"""What the emitter makes of a program is, after the clean-up passes, PyTorch's graph."""

from __future__ import annotations

import pytest

from tests.emit.recorded_graphs import RecordedGraph, all_graphs
from tests.oracle.answers import normalize_graph
from tsc.compiler.compile import compile_source
from tsc.compiler.source import Source
from tsc.runtime.execution.toolchain import toolchain


@pytest.mark.parametrize("recorded", all_graphs(), ids=lambda recorded: recorded.name)
def test_graph_is_pytorchs(recorded: RecordedGraph) -> None:
    graph = compile_source(Source(recorded.source), toolchain())["f"].graph
    graph.lint()
    assert normalize_graph(str(graph)) == recorded.graph
