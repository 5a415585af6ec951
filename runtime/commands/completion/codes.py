"""Codes of problems, and what they begin with."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from tsc.compiler.explanations import CATEGORIES, all_codes, name_of


def offered(_context: click.Context, so_far: str) -> list[CompletionItem]:
    """Codes behind the last comma."""
    before, comma, last = so_far.rpartition(",")
    described = CATEGORIES | {str(code): name_of(code) for code in all_codes()}
    return [
        CompletionItem(before + comma + code, help=description)
        for code, description in described.items()
        if code.startswith(last.upper())
    ]
