"""Our passes on the graphs of the corpus give what PyTorch's passes of their names give, as recorded.

A share of the graphs is looked at in each run, all of them under ``-m slow``. What PyTorch's passes give was
recorded by `tests.oracle.graph_passes`; only what they change is recorded, as hashes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

import tsc
from tests import work
from tsc.compiler.ir import Graph
from tsc.compiler.passes.registry import pass_names
from tsc.runtime.execution.run_pass import find_pass

from .pass_deviations import deviating, deviations
from .pass_records import FAILS, hashed, ir_graphs, normalized, read_records
from .programs import Program, topics

EQUAL_SHARE_WANTED = 0.98
LESS_IS_WANTED = {"create_functional_graphs": 0.92}
"""Of passes that PyTorch's own make wrong: nodes are moved past prints and raises there."""
WITHOUT_SCHEMAS = frozenset({"erase_number_types"})
"""Passes behind which operators take what no schema lets them take."""
EVERY = 12
"""One of so many programs is looked at in a quick run."""


@cache
def records() -> dict[str, tuple[str, dict[str, str]]]:
    return read_records()


def graphs_of(program: Program) -> Iterator[tuple[str, Graph]]:
    try:
        unit = tsc.CompilationUnit(program.source, filename=f"{program.key}.py")
    except tsc.Error:
        return
    for name in program.functions:
        function = getattr(unit, name, None)
        if function is not None:
            yield f"{program.key}:{name}", function.graph
            yield f"{program.key}:{name}:inlined", function.inlined_graph


def ir_text_graphs() -> Iterator[tuple[str, Graph]]:
    for key, text in ir_graphs():
        yield key, tsc.parse_ir(text)


def differing(graphs: Iterator[tuple[str, Graph]]) -> Iterator[tuple[str, str]]:
    """The passes and graphs where ours gives another graph, or a wrong answer whether it changed it."""
    names = [name for name in pass_names() if any(name in after for _, after in records().values())]
    for key, graph in graphs:
        before, after = records().get(key, ("", {}))
        text = normalized(graph)
        if hashed(text) != before:
            continue
        for name in names:
            wanted = after.get(name, before)
            if wanted != FAILS and _result(name, graph.copy(), text) != wanted:
                yield name, key


def _result(name: str, graph: Graph, before: str) -> str:
    changed = find_pass(name).run(graph)
    if name not in WITHOUT_SCHEMAS:
        graph.lint()
    after = normalized(graph)
    assert changed or after == before, f"{name} says that it changed nothing"
    return hashed(after)


def check(graphs: Iterator[tuple[str, Graph]]) -> None:
    wrong = [(name, key) for name, key in differing(graphs) if key not in deviating(name)]
    assert not wrong


def test_graphs_written_as_text() -> None:
    check(ir_text_graphs())


@pytest.mark.slow
@pytest.mark.parametrize("topic", topics())
def test_the_corpus(topic: str) -> None:
    for program in topics()[topic][:: 1 if work.whole_size else EVERY]:
        check(graphs_of(program))


def test_few_graphs_differ() -> None:
    counts = {name: len(keys) for name, keys in deviations().items()}
    for name, count in counts.items():
        share = LESS_IS_WANTED.get(name, EQUAL_SHARE_WANTED)
        assert count <= (1 - share) * len(records()), name
    assert all(keys <= set(records()) for keys in deviations().values())
