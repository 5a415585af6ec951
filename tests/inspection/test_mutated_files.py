"""Mutated archives are told about and audited: no error but `ArchiveError` escapes, whatever the bytes are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serialization.fuzzing import mutated
from tsc.runtime.audit.audit import audit_file
from tsc.runtime.audit.policy import read_policy
from tsc.runtime.audit.reports import written
from tsc.runtime.inspection.graphs import graphs_of
from tsc.runtime.inspection.html_page import html_page
from tsc.runtime.inspection.inspection import inspect_file
from tsc.runtime.inspection.json_report import json_report
from tsc.runtime.inspection.text_report import text_report


@pytest.mark.parametrize("part", range(4))
def test_mutated_files_end_in_a_report(tmp_path: Path, part: int) -> None:
    path, policy = tmp_path / "mutated.pt", read_policy(None)
    statuses = set()
    for number in range(part * 40, (part + 1) * 40):
        path.unlink(missing_ok=True)
        path.write_bytes(mutated(number))
        found = inspect_file(str(path))
        lines = text_report(found, with_code=True).split("\n")
        assert all(line.isprintable() for line in lines)
        assert json_report(found, with_code=True).startswith("{")
        assert html_page(found, graphs_of(found)).endswith("</html>\n")
        audit = audit_file(str(path), policy)
        assert all(written(audit, form, "0") for form in ("text", "json", "sarif"))
        statuses.add(audit.status)
    assert statuses == {0, 1, 2}
