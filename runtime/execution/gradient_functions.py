"""Formulas of gradients as functions: each is compiled once, and run with or without being recorded."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tsc.compiler.compile import compile_source, declare_source
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.ir import Function, Graph
from tsc.compiler.source import Source
from tsc.runtime.autograd.formulas import functions
from tsc.runtime.execution.graph_executor import GraphExecutor, executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.toolchain import toolchain


class GradientFunction:
    """A compiled formula."""

    __slots__ = ("_executor", "_record", "_run")

    def __init__(self, executor: GraphExecutor) -> None:
        self._executor = executor
        self._run: Any = None
        self._record: Any = None

    @property
    def inlined_graph(self) -> Graph:
        """The graph, without calls of functions."""
        return self._executor.inlined_graph()

    def run(self, values: Sequence[Any]) -> Any:
        """The gradients; nothing is recorded."""
        if self._run is None:
            self._run = self._executor.plan(PlanKey()).run
        return self._run(values)

    def record(self, values: Sequence[Any]) -> Any:
        """The gradients, which are recorded, so that they have gradients, too."""
        if self._record is None:
            self._record = self._executor.plan(PlanKey(recording=True)).run
        return self._record(values)


@functools.cache
def _shared() -> tuple[dict[str, Function], list[SourceResolver]]:
    """The functions that formulas call, each compiled when it is first needed."""
    known: dict[str, Function] = {}
    texts: list[SourceResolver] = []
    declare_source(Source(functions(), "<gradients>"), toolchain(), known, earlier=texts)
    return known, texts


@functools.cache
def _compiled(name: str, parameters: tuple[tuple[str, str], ...], body: str) -> GradientFunction:
    known, texts = _shared()
    declared = ", ".join(f"{each}: {type}" for each, type in parameters)
    text = f"def gradient({declared}):\n    return {body}\n"
    source = Source(text, f"<gradient of {name}>")
    made = compile_source(source, toolchain(), dict(known), earlier=list(texts))
    return GradientFunction(executor_of(made["gradient"]))


def shared_functions() -> dict[str, Function]:
    """The functions that formulas call, by name."""
    return _shared()[0]


def compiled(name: str, parameters: Sequence[tuple[str, str]], body: str) -> GradientFunction:
    """The function that computes `body` from these parameters, each with its type. `name` is the operator's."""
    return _compiled(name, tuple(parameters), body)
