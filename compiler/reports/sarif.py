"""Problems as SARIF 2.1.0, which code hosts show beside the lines of a change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from tsc.compiler.explanations import explanation_of, name_of
from tsc.compiler.explanations.reference import markdown
from tsc.compiler.reports.problem import Problem, Region, severity_of
from tsc.compiler.reports.text import explanation_text
from tsc.compiler.source import SourceRange

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
JsonObject = dict[str, object]


def report(
    problems: Sequence[Problem], version: str, *, complete: bool, remarks: Sequence[str] = ()
) -> str:
    """The log of one run of tsc; it is ``complete`` if all files could be read."""
    codes = sorted({each.code for each in problems})
    results = [_result(each, codes.index(each.code)) for each in problems]
    rules = [_rule(code) for code in codes]
    return log(version, rules, results, complete=complete, remarks=remarks)


def log(
    version: str,
    rules: Sequence[JsonObject],
    results: Sequence[JsonObject],
    *,
    complete: bool,
    failures: Sequence[str] = (),
    remarks: Sequence[str] = (),
) -> str:
    """A log of one run with any rules and results of the form of SARIF.

    `failures` say why it is not complete; `remarks` what else a reader should know of the run.
    """
    invocation: JsonObject = {"executionSuccessful": complete}
    said = [*(("error", each) for each in failures), *(("note", each) for each in remarks)]
    if said:
        invocation["toolExecutionNotifications"] = [
            {"level": level, "message": {"text": each}} for level, each in said
        ]
    driver = {"name": "tsc", "version": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    content = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _rule(code: str) -> JsonObject:
    explanation = explanation_of(code)
    assert explanation is not None
    title = f"{explanation.title[0].upper()}{explanation.title[1:]}."
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in name_of(code).split("-")),
        "shortDescription": {"text": title},
        "fullDescription": {"text": " ".join(explanation.reason.split())},
        "help": {"text": explanation_text(explanation), "markdown": markdown(explanation)},
        "defaultConfiguration": {"level": severity_of(code)},
    }


def _result(problem: Problem, rule: int) -> JsonObject:
    hint = "" if problem.error.hint is None else f"\nhint: {problem.error.hint}"
    result: JsonObject = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": problem.message + hint},
        "locations": [location(problem.error.range)],
    }
    related = [
        {**location(note.range), "id": number, "message": {"text": note.message}}
        for number, note in enumerate(problem.related, start=1)
    ]
    return {**result, "relatedLocations": related} if related else result


def location(range: SourceRange) -> JsonObject:
    """A place in a file, as results have it."""
    region = Region.of(range)
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri_of(range.filename)},
            "region": {
                "startLine": region.line,
                "startColumn": region.column,
                "endLine": region.end_line,
                "endColumn": region.end_column,
            },
        }
    }


def uri_of(filename: str) -> str:
    """A relative path stays one, as a URI; standard input is a name as well."""
    path = Path(filename)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
