"""What strict mode says of a program that only extensions accept."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.source import codes
from tsc.compiler.source.diagnostics import CompileError
from tsc.compiler.source.extensions import Extension


def naming(extensions: Sequence[Extension], error: CompileError) -> CompileError:
    """The error for a program that only these extensions would accept."""
    names = list(dict.fromkeys(f"'{extension.name}'" for extension in extensions))
    noun = "is an extension" if len(names) == 1 else "are extensions"
    note = f"{' and '.join(names)} {noun} of tsc: strict mode refuses what PyTorch refuses"
    notes = (*error.notes, note)
    return CompileError(
        error.message, error.range, code=codes.ONLY_IN_TSC, notes=notes, hint=error.hint
    )
