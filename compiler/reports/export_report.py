"""What cannot be exported, as text, JSON or SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tsc.compiler.exir.explanation import Explanation, Finding
from tsc.compiler.exir.refusals import REFUSALS, Refusal
from tsc.compiler.reports.problem import Region
from tsc.compiler.reports.sarif import JsonObject, location, log
from tsc.compiler.source import SourceRange


def written(
    explanations: Sequence[Explanation], form: str, version: str, remarks: Sequence[str] = ()
) -> str:
    """A report as ``text``, ``json`` or ``sarif``; `version` is that of tsc, `remarks` say what was left out."""
    if form == "json":
        content = {"methods": list(map(facts, explanations)), "not_looked_at": list(remarks)}
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    if form == "sarif":
        return _as_sarif(explanations, version, remarks)
    return "\n".join("".join(f"{line}\n" for line in _as_text(each)) for each in explanations)


def _as_text(explanation: Explanation) -> Iterator[str]:
    errors = sum(each.severity == "error" for each in explanation.findings)
    verdict = "can be exported" if not errors else "cannot be exported"
    yield f"{explanation.name}: {verdict}"
    for name, values in (
        ("tensors", explanation.tensors),
        ("constants of the program", explanation.constants),
    ):
        if values:
            yield f"  {name}: {', '.join(values)}"
    places = {
        "written out": explanation.loops,
        "goes one way": explanation.branches,
        "decided by data": explanation.kept,
        "sizes read": explanation.sizes,
    }
    files = {each.filename for ranges in places.values() for each in ranges}
    for name, ranges in places.items():
        if ranges:
            yield f"  {name}: {'; '.join(_lines(ranges, with_file=len(files) > 1))}"
    for each in explanation.findings:
        yield ""
        for part in each.error.parts():
            text = part.text.rstrip("\n")
            head = f"{each.refusal.code} {each.severity}: " if part.kind == "message" else ""
            yield f"{head}{text}"


def _lines(ranges: Sequence[SourceRange], *, with_file: bool) -> Iterator[str]:
    """The lines of each file in their order, after its name where a program has several."""
    for file in dict.fromkeys(each.filename for each in ranges):
        lines = sorted({each.line for each in ranges if each.filename == file})
        noun = "line" if len(lines) == 1 else "lines"
        yield f"{f'{file} ' if with_file else ''}{noun} {', '.join(map(str, lines))}"


def facts(explanation: Explanation) -> JsonObject:
    """What is known of one method as texts, numbers and lists."""
    return {
        "method": explanation.name,
        "exportable": explanation.is_exportable,
        "tensors": list(explanation.tensors),
        "constants": list(explanation.constants),
        "loops": list(map(_place, explanation.loops)),
        "branches": list(map(_place, explanation.branches)),
        "decided_by_data": list(map(_place, explanation.kept)),
        "sizes": list(map(_place, explanation.sizes)),
        "findings": list(map(_finding, explanation.findings)),
    }


def _finding(finding: Finding) -> JsonObject:
    return {
        "code": finding.refusal.code,
        "name": finding.refusal.name,
        "severity": finding.severity,
        "message": finding.message,
        "reason": finding.refusal.reason,
        "rewrite": finding.refusal.rewrite,
        **_place(finding.range),
    }


def _place(range: SourceRange) -> JsonObject:
    return {"file": range.filename, **asdict(Region.of(range))}


def _as_sarif(
    explanations: Sequence[Explanation], version: str, remarks: Sequence[str] = ()
) -> str:
    found = [(each.name, finding) for each in explanations for finding in each.findings]
    codes = sorted({finding.refusal.code for _, finding in found})
    results = [_result(name, each, codes.index(each.refusal.code)) for name, each in found]
    rules = [_rule(REFUSALS[code]) for code in codes]
    return log(version, rules, results, complete=True, remarks=remarks)


def _rule(refusal: Refusal) -> JsonObject:
    return {
        "id": refusal.code,
        "name": "".join(word.capitalize() for word in refusal.name.split("-")),
        "shortDescription": {"text": f"{refusal.summary[0].upper()}{refusal.summary[1:]}."},
        "fullDescription": {"text": refusal.reason},
        "help": {"text": f"Instead: {refusal.rewrite}."},
        "defaultConfiguration": {"level": "error"},
    }


def _result(method: str, finding: Finding, rule: int) -> JsonObject:
    place = location(finding.range)
    place["logicalLocations"] = [{"fullyQualifiedName": method, "kind": "function"}]
    return {
        "ruleId": finding.refusal.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": f"{finding.message}\nhint: {finding.refusal.rewrite}"},
        "locations": [place],
    }
