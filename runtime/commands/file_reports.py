"""What `tsc inspect` and `tsc audit` tell of a file, for Python: the objects that they write as JSON."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from tsc.runtime.audit.audit import audit_content, audit_file
from tsc.runtime.audit.findings import DANGEROUS_GLOBAL
from tsc.runtime.audit.policy import read_policy
from tsc.runtime.audit.reports import facts as audit_facts
from tsc.runtime.inspection.inspection import WITH_CODE, Inspection, inspect_file
from tsc.runtime.inspection.json_report import facts as inspection_facts
from tsc.runtime.serialization.kinds import Kind

_WITHOUT_PROGRAMS = WITH_CODE | {Kind.STATE_DICT, Kind.LEGACY_PICKLE, Kind.EXPORTED_PROGRAM}
"""What is read without any function of Python."""
_DISTRUST = "load it neither with Python nor with torch.load; tsc audit tells what it would do"
_TAKE_OUT = ", and tsc.load_tensors takes its tensors out without doing it"


def inspect(path: str | os.PathLike[str], *, with_code: bool = False) -> dict[str, Any]:
    """What a file is, and what is in it. Nothing of it is executed, and no tensor is read.

    Raises:
        Error: it cannot be opened.
    """
    return inspection_facts(inspected(os.fspath(path)), with_code=with_code)


def inspected(path: str) -> Inspection:
    """What a file is; of a pickle that would run programs, that before all.

    Raises:
        Error: it cannot be opened.
    """
    found = inspect_file(path)
    if found.kind.kind in _WITHOUT_PROGRAMS:
        return found
    audited = audit_content(found.view, found.kind, found.name, read_policy(None))
    dangers = [each.message for each in audited.findings if each.rule is DANGEROUS_GLOBAL]
    if dangers:
        found.kind = replace(
            found.kind,
            description=f"a pickle that runs programs when it is loaded: it {dangers[0]}",
            advice=f"{_DISTRUST}{_TAKE_OUT if found.totals is not None else ''}",
        )
    return found


def audit(
    path: str | os.PathLike[str], policy: str | os.PathLike[str] | None = None
) -> dict[str, Any]:
    """What in a file deserves distrust, by the built-in policy or by that in a file of TOML.

    Raises:
        Error: a file cannot be opened, or the policy is none.
    """
    chosen = read_policy(None if policy is None else os.fspath(policy))
    return audit_facts(audit_file(os.fspath(path), chosen))
