"""`tsc audit`: what in a file deserves distrust, by a policy."""

from __future__ import annotations

import click

from tsc.runtime.audit.audit import audit_file
from tsc.runtime.audit.policy import DEFAULT_TEXT, read_policy
from tsc.runtime.audit.reports import explained, written
from tsc.runtime.commands.doors import Settings, complain, emit


def perform(
    settings: Settings,
    *,
    file: str | None,
    policy: str | None,
    print_policy: bool,
    explain: str | None,
    form: str,
    output: str | None,
) -> int:
    """Report the findings in `file`; the exit status."""
    if print_policy or explain is not None:
        emit(settings, explained(explain) if explain else DEFAULT_TEXT, output, "text")
        return 0
    if file is None:
        raise click.UsageError("name a FILE to audit")
    found = audit_file(file, read_policy(policy))
    language = "report" if form == "text" else "text"
    emit(settings, written(found, form, settings.version), output, language)
    if found.unread is not None:
        complain(f"{file}: not examined: {found.unread}\nhint: {found.kind.advice}")
    return found.status
