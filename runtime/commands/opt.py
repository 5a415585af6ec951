"""`tsc opt`: passes over IR text, over functions of source files and over methods of archives."""

from __future__ import annotations

import click

from tsc.compiler.budget import budget
from tsc.runtime.commands.doors import Settings, emit, prints_apart, say
from tsc.runtime.commands.pass_pipeline import (
    PipelineRun,
    parse_pipeline,
    pass_listing,
    pipeline_of_reproducer,
)
from tsc.runtime.commands.programs import read_program, report_left_out, unit_of
from tsc.runtime.commands.stages import headed
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.programs.ir_text import graph_of, is_ir_text
from tsc.runtime.programs.source_unit import SourceUnit


def perform(
    settings: Settings,
    *,
    file: str | None,
    function: str | None,
    init: str | None,
    pipeline: str,
    listed: bool,
    verify_each: bool,
    print_after: tuple[str, ...],
    print_changed: bool,
    timing: bool,
    reproducer: str | None,
    output: str | None,
) -> None:
    """Run `pipeline` over each graph of `file`, or list the passes there are."""
    if listed:
        emit(settings, pass_listing(), output, language="text")
        return
    if file is None:
        raise click.UsageError("Missing argument 'FILE'.")
    source = read_program(file)
    if is_ir_text(source):
        if function is not None or init is not None:
            raise click.UsageError("IR text is one graph: it has no functions to choose from")
        pipeline = pipeline or pipeline_of_reproducer(source.text)
    run = PipelineRun(
        parse_pipeline(pipeline),
        verify_each=verify_each,
        print_after=frozenset(print_after),
        print_changed=print_changed,
        timed=timing,
        reproducer=reproducer,
    )
    with budget(), prints_apart():
        if is_ir_text(source):
            text = run.over("", graph_of(source))
        else:
            text = _over_functions(unit_of(source, toolchain(settings.strict)), function, init, run)
    for line in run.timing():
        say(settings, line)
    emit(settings, text, output)


def _over_functions(
    unit: SourceUnit, function: str | None, init: str | None, run: PipelineRun
) -> str:
    chosen = unit.selected(function, init)
    report_left_out(unit)
    texts = {name: run.over(name, each.graph.copy()) for name, each in chosen.items()}
    several = len(texts) > 1
    return "\n".join(headed(name, None, text, several) for name, text in texts.items())
