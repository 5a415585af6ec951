"""`tsc compile`: dumps of a program at the stages of its compilation."""

from __future__ import annotations

import click

from tsc.compiler.budget import budget
from tsc.runtime.commands.doors import Settings, emit, prints_apart
from tsc.runtime.commands.programs import read_program, report_left_out, report_skipped
from tsc.runtime.commands.progress import shown_progress
from tsc.runtime.commands.stages import EXPLANATION, dump_stages, unknown_pass


def perform(
    settings: Settings,
    *,
    file: str,
    function: str | None,
    init: str | None,
    arguments: str | None,
    stages: tuple[str, ...],
    print_after: tuple[str, ...],
    print_after_all: bool,
    explain_native: bool,
    output: str | None,
) -> None:
    """Dump `stages`, after the graphs of `print_after`."""
    for name in print_after:
        complaint = unknown_pass(name)
        if complaint is not None:
            raise click.UsageError(complaint)
    if explain_native:
        stages = (*stages, EXPLANATION)
    if not stages and not print_after and not print_after_all:
        stages = ("ir",)
    source = read_program(file)
    passes = None if print_after_all else frozenset(print_after)
    with budget(), prints_apart(), shown_progress(not settings.quiet) as progress:
        text = dump_stages(
            source,
            function,
            stages,
            passes,
            init=init,
            arguments=arguments,
            strict=settings.strict,
            observe=progress and progress.observe,
            report=report_left_out,
        )
    report_skipped(settings, source)
    emit(settings, text, output)
