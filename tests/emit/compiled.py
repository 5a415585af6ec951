"""Compiling a text for tests of the emitter, up to the form that they look at."""

from __future__ import annotations

from tsc.compiler.compile import Toolchain, compile_source
from tsc.compiler.ir import Function, Graph
from tsc.compiler.source import Source
from tsc.runtime.execution.toolchain import toolchain


def compiled(source: str, *, strict: bool = False) -> Function:
    """The function ``f`` of a text."""
    return compile_source(Source(source), toolchain(strict))["f"]


def load_store_text(source: str) -> list[str]:
    """The nodes of ``f``, stripped, as the emitter made them."""
    texts: list[str] = []

    def observe(step: str, function: Function, graph: Graph) -> None:
        if step == "emit" and function.name == "f":
            graph.lint()
            texts.append(str(graph))

    observed: Toolchain = toolchain().observed_by(observe)
    compile_source(Source(source), observed)
    return [line.partition(" # ")[0].strip() for line in texts[0].splitlines()]
