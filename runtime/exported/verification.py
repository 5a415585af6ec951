"""``tsc.verify_exported``: whether a program is of a dialect."""

from __future__ import annotations

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.verification.verifier import (
    Dialect,
    VerificationError,
    dialect_named,
    violations,
)
from tsc.compiler.outer_net import foreseen
from tsc.runtime.execution.toolchain import toolchain


@foreseen()
def verify_exported(program: ExportedProgram, dialect: str | None = None) -> None:
    """Check that a program follows the rules of a dialect: training, aten, core, edge or backend.

    Without one, that of the program. Raises `VerificationError`, which says of each node what rule it breaks.
    """
    wanted = dialect_named(program.dialect if dialect is None else dialect)
    found = violations(program, wanted, toolchain().operators)
    if found:
        raise VerificationError(wanted, found)


__all__ = ["Dialect", "VerificationError", "verify_exported"]
