"""`tsc print-code`: a program as Python source that compiles to the same graphs."""

from __future__ import annotations

from tsc.compiler.budget import budget
from tsc.runtime.commands.doors import Settings, emit, prints_apart
from tsc.runtime.commands.programs import load_unit, report_left_out


def perform(
    settings: Settings, *, file: str, function: str | None, init: str | None, output: str | None
) -> None:
    """Print all of `file`, or one `function` of it."""
    with budget(), prints_apart():
        unit = load_unit(settings, file)
        text = unit.printed(function, init)
    report_left_out(unit)
    emit(settings, text, output, language="python")
