"""Codes of what an audit finds."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from tsc.runtime.audit.findings import RULES


def offered(_context: click.Context, so_far: str) -> list[CompletionItem]:
    """Codes, each with its name."""
    return [
        CompletionItem(rule.code, help=rule.name)
        for rule in RULES.values()
        if rule.code.startswith(so_far.upper())
    ]
