"""`tsc ops`: the schemas of the operators that are implemented."""

from __future__ import annotations

import click

from tsc.compiler.emit.names.absent_names import absent_member, absent_operator
from tsc.runtime.commands.doors import Settings, emit
from tsc.runtime.commands.operator_listing import matching_schemas, similar_schemas


def perform(settings: Settings, *, pattern: str | None, similar: str | None) -> None:
    """List the schemas that fit `pattern`, or those of operators with names like `similar`."""
    lines = similar_schemas(similar) if similar is not None else matching_schemas(pattern)
    if not lines:
        raise click.ClickException(_nothing_found(similar or pattern or ""))
    emit(settings, "\n".join(lines) + "\n")


def _nothing_found(name: str) -> str:
    absence = absent_operator(name) or absent_member("torch", name.rpartition("::")[2])
    reason = "" if absence is None else f". {absence}"
    return f"no operator matches {name!r}{reason}"
