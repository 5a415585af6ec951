"""`tsc inspect`: what is in a file, as text, JSON or a page of HTML."""

from __future__ import annotations

import click

from tsc.runtime.commands.doors import Settings, emit
from tsc.runtime.commands.file_reports import inspected
from tsc.runtime.inspection.inspection import Inspection, find_method
from tsc.runtime.inspection.json_report import json_report
from tsc.runtime.inspection.text_report import text_report
from tsc.runtime.inspection.visible import visible_lines


def perform(
    settings: Settings,
    *,
    file: str,
    method: str | None,
    with_code: bool,
    html: str | None,
    form: str,
    output: str | None,
) -> int:
    """Report what is in `file`, or print the source of one `method`; the exit status."""
    refuse_together(
        {"--method": method, "--html": html, "--format json": form == "json"},
        {"--code": with_code, "--method": method, "--html": html},
        {"--output": output, "--html": html},
    )
    found = inspected(file)
    if method is not None:
        _, chosen = find_method(found, method)
        emit(settings, visible_lines(chosen.source), output, language="python")
    elif html is not None:
        emit(settings, _page(found), None if html == "-" else html, language="text")
    elif form == "json":
        emit(settings, json_report(found, with_code=with_code), output, language="text")
    else:
        emit(settings, text_report(found, with_code=with_code), output, language="report")
    return 0 if found.is_readable else 2


def refuse_together(*exclusive: dict[str, object]) -> None:
    """Refuse options of which one makes another meaningless."""
    for options in exclusive:
        given = [name for name, value in options.items() if value]
        if len(given) > 1:
            raise click.UsageError(f"{given[0]} and {given[1]} cannot be given together")


def _page(found: Inspection) -> str:
    """The page of HTML. Only for that is anything compiled."""
    from tsc.runtime.inspection import graphs, html_page

    return html_page.html_page(found, graphs.graphs_of(found))
