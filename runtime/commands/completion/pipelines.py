"""Pipelines of passes, pass by pass."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from tsc.compiler.passes.registry import pass_names


def offered(_context: click.Context, so_far: str) -> list[CompletionItem]:
    """All passes there are, behind the last comma."""
    before, comma, last = so_far.rpartition(",")
    return [CompletionItem(before + comma + name) for name in pass_names() if name.startswith(last)]
