"""``tsc export --dialect``: programs in fewer operators."""

from __future__ import annotations

from tsc.compiler.exir.verification.verifier import Dialect, violations
from tsc.runtime.commands.doors import Settings, say
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exported.verification import verify_exported
from tsc.runtime.exporting.decomposition.program import run_decompositions
from tsc.runtime.exporting.edge.program import to_edge


def in_dialect(settings: Settings, program: LoadedProgram, dialect: str) -> LoadedProgram:
    """The program in a dialect; says which calls of core ATen's program have no decomposition."""
    if dialect == "edge":
        return to_edge(program)
    found = run_decompositions(program, () if dialect == "aten" else None)
    verify_exported(found, "aten")
    if dialect == "core":
        others = violations(found, Dialect.CORE, toolchain().operators)
        for each in others:
            say(settings, f"{each}, and has no decomposition: it is kept")
    return found
