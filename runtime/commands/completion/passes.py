"""The steps and passes that a graph goes through."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from tsc.compiler.pipelines import step_names


def offered(_context: click.Context, so_far: str) -> list[CompletionItem]:
    """Those of all lists of passes."""
    return [CompletionItem(name) for name in step_names() if name.startswith(so_far)]


def listed() -> str:
    """All of them, for the help."""
    return ", ".join(step_names())
