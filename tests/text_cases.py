"""Text cases: a graph before, the steps to run, the graph after; `make bless` writes the latter.

A case is a file:

    # run: eliminate_dead_code
    # What the case is about, in a sentence.

    graph(%x : int):
      ...

    # expect:
    graph(%x : int):
      ...

Several steps are run in their order: `# run: a, b`. With `# twice: differs` the case says that a
step does not leave its own result alone; that is checked as well. With `# source: convert_to_ssa`
instead of `# run`, the text is that of a TorchScript function, and the graph the one that its
compilation has made after that step. Values without a name of their own are numbered in the order
of the text before texts are compared.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tsc.compiler.compile import compile_source
from tsc.compiler.ir import Function, Graph, parse_ir, verify
from tsc.compiler.printing import print_graph
from tsc.compiler.schema import OperatorTable
from tsc.compiler.source import Source
from tsc.runtime.execution.toolchain import toolchain

Step = Callable[[Graph], object]

_EXPECT = "# expect:"
_DIRECTIVE = re.compile(r"# (run|twice|source): (.*)")
_NUMBERED = re.compile(r"%(\d+)\b(?!\.)")


@dataclass
class TextCase:
    """One file, taken apart; `before` and `after` are IR texts."""

    path: Path
    steps: list[str]
    before: str
    after: str
    head: str
    settles: bool = True
    source_step: str | None = None

    def bless(self, after: str) -> None:
        self.path.write_text(f"{self.head}{_EXPECT}\n{after}", encoding="utf-8")


def case_parameters(directory: Path) -> list[object]:
    """The cases below a directory, as parameters with readable ids."""
    return [
        pytest.param(path, id=str(path.relative_to(directory).with_suffix("")))
        for path in sorted(directory.rglob("*.txt"))
    ]


def read_case(path: Path) -> TextCase:
    text = path.read_text(encoding="utf-8")
    head, found, after = text.partition(_EXPECT + "\n")
    directives = dict(_DIRECTIVE.findall(head))
    assert "run" in directives or "source" in directives, f"{path} does not say what to run"
    if not found:
        head = head.rstrip("\n") + "\n\n"
    return TextCase(
        path=path,
        steps=directives["run"].split(", ") if "run" in directives else [],
        before=head,
        after=after,
        head=head,
        settles=directives.get("twice") != "differs",
        source_step=directives.get("source"),
    )


def check_case(path: Path, steps: Mapping[str, Step], operators: OperatorTable) -> None:
    """Runs the steps of a case, and asserts all that holds for every case."""
    case = read_case(path)
    if case.source_step is not None:
        after = renumbered(compiled(case.before, case.source_step))
    else:
        graph = parse_ir(case.before, operators)
        verify(graph)
        for name in case.steps:
            run_step(graph, steps[name], settles=case.settles)
            check_round_trip(graph, operators)
        after = renumbered(print_graph(graph))
    if os.environ.get("TSC_BLESS") and after != case.after:
        case.bless(after)
    else:
        assert after == case.after


def compiled(source: str, step: str) -> str:
    """The graph text of the last function of ``source`` after a step of its compilation."""
    texts: dict[str, str] = {}

    def observe(name: str, _function: Function, graph: Graph) -> None:
        verify(graph)
        texts[name] = print_graph(graph, source_comments=False)

    compile_source(Source(source), toolchain().observed_by(observe))
    return texts[step]


def run_step(graph: Graph, step: Step, *, settles: bool) -> None:
    """The step tells whether it changed the text, and a second run changes nothing.

    Steps that return nothing are conversions: they run once and promise neither.
    """
    before = print_graph(graph)
    changed = step(graph)
    verify(graph)
    after = print_graph(graph)
    if changed is None:
        return
    assert changed is (after != before), "the step is wrong about whether it changed the graph"
    copy = graph.copy()
    before = print_graph(copy)
    changed = step(copy)
    settled = print_graph(copy) == before
    assert settled is settles, "a second run changes the graph again" if settles else "it settled"
    assert changed is not settled, "the second run is wrong about whether it changed the graph"


def check_round_trip(graph: Graph, operators: OperatorTable) -> None:
    text = print_graph(graph)
    assert print_graph(parse_ir(text, operators)) == text


def renumbered(text: str) -> str:
    """The text with values that have no name numbered from 0, as they appear."""
    numbers: dict[str, str] = {}
    return _NUMBERED.sub(lambda m: "%" + numbers.setdefault(m[1], str(len(numbers))), text)
