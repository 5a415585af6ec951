"""What `tsc inspect` and `tsc audit` tell of a file, for Python: the objects that they write as JSON."""

from __future__ import annotations

import os
from typing import Any

from tsc.runtime.audit.audit import audit_file
from tsc.runtime.audit.policy import read_policy
from tsc.runtime.audit.reports import facts as audit_facts
from tsc.runtime.inspection.inspection import inspect_file
from tsc.runtime.inspection.json_report import facts as inspection_facts


def inspect(path: str | os.PathLike[str], *, with_code: bool = False) -> dict[str, Any]:
    """What a file is, and what is in it. Nothing of it is executed, and no tensor is read.

    Raises:
        Error: it cannot be opened.
    """
    return inspection_facts(inspect_file(os.fspath(path)), with_code=with_code)


def audit(
    path: str | os.PathLike[str], policy: str | os.PathLike[str] | None = None
) -> dict[str, Any]:
    """What in a file deserves distrust, by the built-in policy or by that in a file of TOML.

    Raises:
        Error: a file cannot be opened, or the policy is none.
    """
    chosen = read_policy(None if policy is None else os.fspath(policy))
    return audit_facts(audit_file(os.fspath(path), chosen))
