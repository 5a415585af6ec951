"""The findings of an audit as text, JSON or SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tsc.compiler.reports.sarif import JsonObject, log, uri_of
from tsc.compiler.source import UsageError
from tsc.runtime.audit.audit import Audit
from tsc.runtime.audit.findings import RULES, Finding, Rule
from tsc.runtime.inspection.visible import counted, shortened, visible


def written(audit: Audit, form: str, version: str) -> str:
    """A report as ``text``, ``json`` or ``sarif``; `version` is that of tsc."""
    if form == "json":
        return _as_json(audit)
    if form == "sarif":
        return _as_sarif(audit, version)
    return "".join(f"{line}\n" for line in _as_text(audit))


def _as_text(audit: Audit) -> Iterator[str]:
    yield f"{visible(audit.name)}: {shortened(audit.kind.description)}"
    for each in audit.findings:
        yield f"{each.rule.code} {each.rule.severity}: {_place(each)}{shortened(each.message, 400)}"
    if audit.unread is None:
        yield _summary(audit)


def _place(finding: Finding) -> str:
    line = "" if finding.line is None else f":{finding.line}"
    return f"{shortened(finding.entry)}{line}: " if finding.entry else ""


def _summary(audit: Audit) -> str:
    if not audit.findings:
        return "nothing found"
    counts = {
        severity: sum(each.rule.severity == severity for each in audit.findings)
        for severity in ("error", "warning", "note")
    }
    parts = [counted(count, severity) for severity, count in counts.items() if count]
    return f"found {', '.join(parts)}; tsc audit --explain CODE tells what one means"


def explained(code: str) -> str:
    """What there is to say about a code; or those that begin so, one a line.

    Raises `UsageError` if there are none.
    """
    rule = RULES.get(code.upper())
    if rule is None:
        fitting = [each for each in RULES.values() if each.code.startswith(code.upper())]
        if not fitting:
            raise UsageError(
                f"no code begins with {code!r}; `tsc audit --explain TA` lists them all"
            )
        return "".join(f"{each.code} {each.severity}: {each.title}\n" for each in fitting)
    return f"{rule.code} {rule.name} ({rule.severity})\n\n{_sentence(rule)}\n\n{rule.reason}\n"


def _sentence(rule: Rule) -> str:
    return f"{rule.title[0].upper()}{rule.title[1:]}."


def _as_json(audit: Audit) -> str:
    return json.dumps(facts(audit), indent=2) + "\n"


def facts(audit: Audit) -> dict[str, Any]:
    """The findings as numbers, texts and lists."""
    return {
        "file": audit.name,
        "kind": audit.kind.kind.value,
        "description": audit.kind.description,
        "status": audit.status,
        "not_examined": audit.unread,
        "findings": [
            {
                "code": each.rule.code,
                "name": each.rule.name,
                "severity": each.rule.severity,
                "message": each.message,
                "entry": each.entry or None,
                "line": each.line,
            }
            for each in audit.findings
        ],
    }


def _as_sarif(audit: Audit, version: str) -> str:
    codes = sorted({each.rule.code for each in audit.findings})
    results = [_result(audit, each, codes.index(each.rule.code)) for each in audit.findings]
    return log(
        version,
        [_rule(RULES[code]) for code in codes],
        results,
        complete=audit.unread is None,
        failures=() if audit.unread is None else (f"not examined: {audit.unread}",),
    )


def _rule(rule: Rule) -> JsonObject:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": _sentence(rule)},
        "fullDescription": {"text": rule.reason},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(audit: Audit, finding: Finding, rule: int) -> JsonObject:
    """The place is the file; the entry and its line stand as a logical location."""
    location: JsonObject = {
        "physicalLocation": {"artifactLocation": {"uri": uri_of(audit.name)}},
    }
    if finding.entry:
        line = "" if finding.line is None else f":{finding.line}"
        name = f"{visible(finding.entry)}{line}"
        location["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "module"}]
    return {
        "ruleId": finding.rule.code,
        "ruleIndex": rule,
        "level": finding.rule.severity,
        "message": {"text": f"{_place(finding)}{shortened(finding.message, 400)}"},
        "locations": [location],
    }
