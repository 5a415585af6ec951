"""Reports of problems as text, JSON and SARIF."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tsc.compiler.explanations import explanation_of
from tsc.compiler.reports import Problem, Selection, json_report, sarif, text
from tsc.compiler.source import Problems, Source
from tsc.runtime.commands.checking import check_file

SOURCE = """\
import torch

def f(x: Tensor, n: int):
    y = x.no_such_method(
        n)
\tif n > 2:
        return undefined
    return (y
def f(n: int):
    return "äöü" + wide_日本 + n.foo
"""


def problems(source: str = SOURCE, name: str = "model.py") -> list[Problem]:
    found = Problems()
    check_file(Source(source, name), Selection(("TS",)), found)
    return [Problem(each) for each in sorted(found, key=lambda error: error.range.start)]


def test_text_has_the_code_in_front_and_no_other_mention_of_it() -> None:
    (problem,) = problems("def f(x: Tensor):\n    return undefined\n")
    assert text.report([problem]) == (
        "TS201 undefined value undefined\n"
        "model.py:2:11\n"
        "    return undefined\n"
        "           ~~~~~~~~~ <--- HERE\n"
        "\n"
    )


def test_the_summary_counts_problems_and_files() -> None:
    one = problems("def f(): return y\n")
    more = [*one, *problems("def f(): return y + z\ndef g(): return y\n", "other.py")]
    assert text.summary([], 1) == "No problems in 1 file."
    assert text.summary([], 3) == "No problems in 3 files."
    assert text.summary(one, 3) == "Found 1 problem in 1 file."
    assert text.summary(more, 3) == "Found 4 problems in 2 files."


def test_json_counts_from_one() -> None:
    report = json.loads(json_report.report(problems("def f():\n    return  ä\n"), 2, {}))
    (entry,) = report["problems"]
    assert entry == {
        "code": "TS201",
        "name": "undefined-name",
        "severity": "error",
        "message": "undefined value ä",
        "hint": None,
        "file": "model.py",
        "line": 2,
        "column": 13,
        "end_line": 2,
        "end_column": 14,
        "related": [],
    }
    assert report["summary"] == {
        "checked_files": 2,
        "files": 1,
        "problems": 1,
        "not_typed": {},
        "not_looked_at": [],
    }


def test_json_tells_related_places() -> None:
    source = "def f(c: bool):\n    if c:\n        x = 1\n    return x\n"
    report = json.loads(json_report.report(problems(source), 1, {}))
    ((entry,), (note,)) = report["problems"], report["problems"][0]["related"]
    assert (entry["line"], entry["end_line"]) == (4, 4)
    assert note["message"] == "because of this statement:"
    assert (note["file"], note["line"], note["column"]) == ("model.py", 2, 5)


# The objects of SARIF 2.1.0 that reports are made of: what must be there, and what else may be.
_SCHEMA: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema", "properties"}),
    "run": ({"tool"}, {"columnKind", "invocations", "results", "artifacts"}),
    "driver": ({"name"}, {"version", "rules", "informationUri", "semanticVersion"}),
    "rule": (
        {"id"},
        {"name", "shortDescription", "fullDescription", "help", "helpUri", "defaultConfiguration"},
    ),
    "result": (
        {"message"},
        {"ruleId", "ruleIndex", "level", "locations", "relatedLocations", "partialFingerprints"},
    ),
    "location": (set(), {"id", "message", "physicalLocation"}),
    "physicalLocation": (set(), {"artifactLocation", "region", "contextRegion"}),
    "region": (set(), {"startLine", "startColumn", "endLine", "endColumn"}),
    "invocation": ({"executionSuccessful"}, {"exitCode"}),
    "text": ({"text"}, {"markdown"}),
}


def check_object(kind: str, found: dict[str, Any]) -> None:
    required, optional = _SCHEMA[kind]
    assert required <= found.keys() <= required | optional, (kind, sorted(found))


def check_location(location: dict[str, Any]) -> None:
    check_object("location", location)
    check_object("physicalLocation", location["physicalLocation"])
    region = location["physicalLocation"]["region"]
    check_object("region", region)
    assert region["startLine"] >= 1
    assert region["startColumn"] >= 1
    start, end = ((region[f"{side}Line"], region[f"{side}Column"]) for side in ("start", "end"))
    assert end >= start


def check_log(log: dict[str, Any]) -> None:
    """Whether a log has the form that SARIF 2.1.0 asks for."""
    check_object("log", log)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    check_object("run", run)
    driver = run["tool"]["driver"]
    check_object("driver", driver)
    for rule in driver["rules"]:
        check_object("rule", rule)
        for part in ("shortDescription", "fullDescription", "help"):
            check_object("text", rule[part])
        assert rule["defaultConfiguration"]["level"] in ("error", "warning")
    for result in run["results"]:
        check_object("result", result)
        check_object("text", result["message"])
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            check_location(location)
    for invocation in run["invocations"]:
        check_object("invocation", invocation)


def sarif_log(found: list[Problem], *, complete: bool = True) -> dict[str, Any]:
    return json.loads(sarif.report(found, "1.2.3", complete=complete))


def test_sarif_has_the_form_of_the_standard() -> None:
    log = sarif_log(problems())
    check_log(log)
    (run,) = log["runs"]
    assert len(run["results"]) == len(problems()) >= 5
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["version"] == "1.2.3"


def test_sarif_of_no_problems_is_a_run_without_results() -> None:
    log = sarif_log([], complete=False)
    check_log(log)
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["invocations"] == [{"executionSuccessful": False}]


def test_sarif_rules_come_from_the_explanations() -> None:
    (rule,) = sarif_log(problems("def f(): return y\n"))["runs"][0]["tool"]["driver"]["rules"]
    explanation = explanation_of("TS201")
    assert explanation is not None
    assert rule["id"] == "TS201"
    assert rule["name"] == "UndefinedName"
    assert explanation.good in rule["help"]["markdown"]


def test_sarif_regions_count_letters_from_one() -> None:
    (result,) = sarif_log(problems("def f():\n    return 'ä日' + y\n"))["runs"][0]["results"]
    (location,) = result["locations"]
    region = {"startLine": 2, "startColumn": 19, "endLine": 2, "endColumn": 20}
    assert location["physicalLocation"]["region"] == region


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("model.py", "model.py"),
        ("a b/mödel.py", "a%20b/m%C3%B6del.py"),
        ("/tmp/model.py", "file:///tmp/model.py"),
        ("<stdin>", "%3Cstdin%3E"),
    ],
)
def test_sarif_names_files_by_uris(name: str, uri: str) -> None:
    (result,) = sarif_log(problems("def f(): return y\n", name))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_a_range_of_several_lines_ends_behind_its_last_letter() -> None:
    source = "def f(x: Tensor):\n    return torch.relu(x, (1,\n        2))\n"
    (problem,) = problems(source)
    assert (problem.region.line, problem.region.end_line) == (2, 2)
    multiline = "def f(n: int):\n    return n + [\n        'a',\n    ]\n"
    (problem,) = problems(multiline)
    assert (problem.region.line, problem.region.column) == (2, 12)
    assert (problem.region.end_line, problem.region.end_column) == (4, 6)
