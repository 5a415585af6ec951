"""The bytecode of an archive for mobile, which runs there instead of the code: operators and types in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.code_scan import judged_operator
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.policy import Policy, matches
from tsc.runtime.inspection.operators_used import TORCHBIND
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError

_ENTRY = "bytecode.pkl"


def scan_bytecode(archive: ArchiveReader, policy: Policy) -> Iterator[Finding]:
    """Findings in the functions of ``bytecode.pkl``, if the archive has it; each message once."""
    if _ENTRY not in archive:
        return
    try:
        content = archive.pickle(_ENTRY)
    except ArchiveError:
        return  # the scan of the pickle has told
    if not isinstance(content, tuple):
        yield Finding(rules.BROKEN_PICKLE, "bytecode without functions", _ENTRY)
        return
    seen: set[str] = set()
    for function in content[1:]:
        for rule, message in _judged(function, policy):
            if message not in seen:
                seen.add(message)
                yield Finding(rule, message, _ENTRY)


def _judged(function: Any, policy: Policy) -> Iterator[tuple[rules.Rule, str]]:
    """A function is its qualified name, a table of named parts, and a schema."""
    name, parts = _name_and_parts(function)
    class_, _, method = name.rpartition(".")
    if method == "__setstate__" and not matches(class_, policy.allowed_setstate):
        yield rules.RUNS_AT_LOAD, f"{name} runs when the archive is loaded"
    for part in parts:
        match part:
            case ("operators", (*entries,)):
                for entry in entries:
                    if isinstance(entry, tuple) and entry and isinstance(entry[0], str):
                        yield from judged_operator(entry[0], policy)
            case ("types", (*types,)):
                for each in types:
                    if isinstance(each, str) and TORCHBIND in each:
                        yield rules.TORCHBIND_CLASS, f"{each} is a class of C++"
            case _:
                pass


def _name_and_parts(function: Any) -> tuple[str, tuple[Any, ...]]:
    match function:
        case (str(name), tuple(parts), *_):
            return name, parts
        case _:
            return "", ()
