"""Pipelines of passes for `tsc opt`: how they are written, run, shown and reproduced."""

from __future__ import annotations

import ast
import difflib
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tsc.compiler.ir import Graph, verify
from tsc.compiler.passes.registry import own_name, pass_function, pass_names, summary_of
from tsc.compiler.pipelines import Pass
from tsc.compiler.source import Stage, UsageError
from tsc.runtime.commands.stages import headed
from tsc.runtime.execution.run_pass import find_pass, known_passes, options_of

_STEP: Final = re.compile(r"\s*([\w.]+)\s*(?:\(([^()]*)\))?\s*(,|$)")
_REPRODUCER: Final = "# passes: "


@dataclass(frozen=True, slots=True)
class Step:
    """One pass of a pipeline, with its text."""

    text: str
    run: Pass


def parse_pipeline(text: str) -> list[Step]:
    """The passes of ``"inline, unroll_loops(factor=4)"``. Raises `UsageError` for what is none."""
    steps: list[Step] = []
    position = 0
    while text[position:].strip():
        match = _STEP.match(text, position)
        if match is None:
            raise UsageError(f"--passes: expected a pass at {text[position:]!r}")
        name, options, _ = match.groups()
        steps.append(Step(match.group().strip(" ,"), find_pass(name, _options(name, options))))
        position = match.end()
    return steps


def _options(name: str, text: str | None) -> dict[str, Any]:
    try:
        call = ast.parse(f"f({text or ''})", mode="eval").body
        assert isinstance(call, ast.Call)
        if call.args or any(each.arg is None for each in call.keywords):
            raise ValueError
        return {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError):
        raise UsageError(
            f"--passes: the options of {name} must be written as name=value, not {text!r}"
        ) from None


def pass_listing() -> str:
    """All passes, a line each: what they are called, which options they have, what they do."""
    return "\n".join(_described(name) for name in known_passes())


def _described(name: str) -> str:
    if name not in pass_names():
        return f"{name}: registered"
    options = options_of(name)
    head = f"{name}({', '.join(options)})" if options else name
    return f"{head}: {summary_of(pass_function(name))}"


@dataclass
class PipelineRun:
    """How a pipeline is run over graphs, and what is shown on the way."""

    steps: Sequence[Step]
    verify_each: bool = False
    print_after: frozenset[str] = frozenset()
    print_changed: bool = False
    timed: bool = False
    reproducer: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ran = {step.run.name for step in self.steps}
        for name in self.print_after:
            if own_name(name) not in ran:
                raise UsageError(f"--print-after {name}: no such pass is in --passes")

    def over(self, name: str, graph: Graph) -> str:
        """Runs the steps over a graph; the text of what is shown, with the last graph at its end."""
        sections = list(self._sections(name, graph))
        return "\n".join((*sections, headed("result", name or None, str(graph), bool(sections))))

    def _sections(self, name: str, graph: Graph) -> Iterator[str]:
        wanted = {own_name(each) for each in self.print_after}
        self._verify(name, graph)
        for number, step in enumerate(self.steps):
            shows = self.print_changed or self.reproducer is not None
            before = str(graph) if shows else ""
            self._run(number, name, graph, before)
            if step.run.name in wanted:
                yield headed(f"after {step.run.name}", name or None, str(graph), True)
            if self.print_changed and str(graph) != before:
                changes = _difference(before, str(graph))
                yield headed(f"changed by {step.run.name}", name or None, changes, True)

    def _run(self, number: int, name: str, graph: Graph, before: str) -> None:
        step = self.steps[number]
        started = time.perf_counter()
        try:
            with Stage(step.run.name, f"function '{name}'" if name else "the graph"):
                step.run.apply(graph)
                if self.verify_each:
                    self._verify(name, graph)
        except Exception as error:
            if self.reproducer is not None:
                self._write_reproducer(number, before, error)
            raise
        spent = time.perf_counter() - started
        self.seconds[step.run.name] = self.seconds.get(step.run.name, 0.0) + spent

    def _verify(self, name: str, graph: Graph) -> None:
        verify(graph)

    def _write_reproducer(self, number: int, before: str, error: Exception) -> None:
        rest = ", ".join(step.text for step in self.steps[number:])
        reason = " ".join(str(error).split())
        text = f"{_REPRODUCER}{rest}\n# fails with {type(error).__name__}: {reason}\n{before}"
        try:
            Path(str(self.reproducer)).write_text(text, encoding="utf-8")
        except OSError as failure:
            raise UsageError(f"{self.reproducer}: {failure.strerror}") from error

    def timing(self) -> Iterator[str]:
        """A line for each pass, as they were first run."""
        if self.timed:
            for name, seconds in self.seconds.items():
                yield f"{seconds * 1000:9.3f} ms  {name}"


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])


def pipeline_of_reproducer(text: str) -> str:
    """The passes that the first line of a reproducer names; none for other texts."""
    first = text.partition("\n")[0]
    return first.removeprefix(_REPRODUCER) if first.startswith(_REPRODUCER) else ""
