"""`tsc check`: all problems of files, or the explanation of a code."""

from __future__ import annotations

import click

from tsc.compiler.reports import Selection
from tsc.compiler.reports.text import explained
from tsc.runtime.commands.checked_files import named_files
from tsc.runtime.commands.checking import Checked, check_files, written
from tsc.runtime.commands.doors import Settings, complain, emit, emit_in_colors, prints_apart
from tsc.runtime.commands.progress import shown_progress
from tsc.runtime.inspection.visible import safe_on_a_terminal


def perform(
    settings: Settings,
    *,
    files: tuple[str, ...],
    explain: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    form: str,
    inits: tuple[str, ...],
    output: str | None,
) -> int:
    """Report the problems of `files`; the exit status."""
    if explain is not None:
        click.echo(explained(explain), nl=False)
        return 0
    if not files:
        raise click.UsageError("name a FILE to check, or a code with --explain")
    selection = Selection.of(select, ignore)
    with prints_apart(), shown_progress(not settings.quiet) as progress:
        checked = check_files(
            named_files(files),
            selection,
            strict=settings.strict,
            inits=inits,
            on_file=progress and progress.on_file,
        )
    _report(settings, checked, form, output)
    return 2 if checked.unreadable else 1 if checked.problems else 0


def _report(settings: Settings, checked: Checked, form: str, output: str | None) -> None:
    if form == "text" and settings.color and output is None:
        emit_in_colors(checked.problems)
    else:
        emit(settings, written(checked, form, settings.version), output)
    if form == "text" and checked.files:
        lines = checked.remarks if settings.quiet else [checked.summary, *checked.remarks]
        for line in lines:
            click.echo(safe_on_a_terminal(line))
    for error in checked.unreadable:
        complain(str(error))
