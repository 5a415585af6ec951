"""Names of operators."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from tsc.runtime.operators import load


def offered(_context: click.Context, so_far: str) -> list[CompletionItem]:
    """Those of ``aten`` have no namespace here, unless the word begins with it."""
    names = load().names()
    if "::" not in so_far:
        names = [name.removeprefix("aten::") for name in names]
    return [CompletionItem(name) for name in sorted(set(names)) if name.startswith(so_far)]
