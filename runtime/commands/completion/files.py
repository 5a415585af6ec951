"""Files, which the shell knows."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def offered(_context: click.Context, so_far: str) -> list[CompletionItem]:
    """Whatever files there are."""
    return [CompletionItem(so_far, type="file")]
