"""Problems as JSON, for scripts. Lines and columns begin with 1, ends are exclusive."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from tsc.compiler.reports.problem import Problem, Region


def report(
    problems: Sequence[Problem],
    checked: int,
    not_typed: Mapping[str, str],
    not_looked_at: Sequence[Mapping[str, object]] = (),
) -> str:
    """`not_typed` gives the classes of modules whose methods were not typed, with the reasons.

    `not_looked_at` are other parts of the files, each with its file, line and reason.
    """
    files = len({each.file for each in problems})
    summary = {
        "checked_files": checked,
        "files": files,
        "problems": len(problems),
        "not_typed": dict(not_typed),
        "not_looked_at": [dict(each) for each in not_looked_at],
    }
    content = {"problems": [_entry(each) for each in problems], "summary": summary}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _entry(problem: Problem) -> dict[str, object]:
    return {
        "code": problem.code,
        "name": problem.name,
        "severity": problem.severity,
        "message": problem.message,
        "hint": problem.error.hint,
        "file": problem.file,
        **asdict(problem.region),
        "related": [
            {"message": note.message, "file": note.range.filename, **asdict(Region.of(note.range))}
            for note in problem.related
        ],
    }
