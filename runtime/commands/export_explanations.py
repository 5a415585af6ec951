"""`tsc export --explain`: what cannot be exported, with places, reasons and rewrites."""

from __future__ import annotations

from tsc.compiler.budget import budget
from tsc.compiler.reports.export_report import written
from tsc.runtime.commands.doors import Settings, emit, prints_apart
from tsc.runtime.commands.programs import load_unit, report_left_out
from tsc.runtime.programs.export_explanation import explain_functions


def explained(
    settings: Settings,
    file: str,
    function: str | None,
    init: str | None,
    form: str,
    output: str | None,
    to: str | None,
) -> int:
    """Report on `function` of FILE, or on all functions and methods; 1 if one cannot be exported, or go to `to`."""
    with prints_apart(), budget():
        unit = load_unit(settings, file)
        explanations = explain_functions(unit.selected(function, init), to=to)
    if function is None:
        report_left_out(unit)
    remarks = [str(each) for each in unit.left_out] if function is None else []
    language = "report" if form == "text" else "text"
    emit(settings, written(explanations, form, settings.version, remarks), output, language)
    return int(not all(each.is_exportable for each in explanations))
