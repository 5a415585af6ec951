"""`tsc ops`: the schemas of the operators that are implemented."""

from __future__ import annotations

import click

from tsc.runtime.commands.doors import Settings, emit
from tsc.runtime.commands.operator_listing import matching_schemas, similar_schemas


def perform(settings: Settings, *, pattern: str | None, similar: str | None) -> None:
    """List the schemas that fit `pattern`, or those of operators with names like `similar`."""
    lines = similar_schemas(similar) if similar is not None else matching_schemas(pattern)
    if not lines:
        raise click.ClickException(f"no operator matches {similar or pattern!r}")
    emit(settings, "\n".join(lines) + "\n")
