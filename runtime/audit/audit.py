"""The audit of one file: its container, its pickles and its code, by a policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.bytecode_scan import scan_bytecode
from tsc.runtime.audit.code_scan import scan_code
from tsc.runtime.audit.container_scan import (
    in_one_line,
    is_examined_by_its_container,
    scan_container,
)
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.pickle_findings import judge_pickle, judge_values
from tsc.runtime.audit.pickle_scan import scan_pickle
from tsc.runtime.audit.policy import Policy
from tsc.runtime.audit.program_scan import scan_program
from tsc.runtime.inspection.declarations import read_declarations
from tsc.runtime.inspection.inspection import open_file
from tsc.runtime.inspection.visible import size_text
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.code_text import CodeText
from tsc.runtime.serialization.errors import HOSTILE, ArchiveError
from tsc.runtime.serialization.kinds import FileKind, Kind, identify
from tsc.runtime.serialization.legacy_files import LEGACY_MAGIC, read_legacy_file
from tsc.runtime.serialization.limits import DEFAULT_LIMITS
from tsc.runtime.serialization.zip_format import LOCAL_SIGNATURE
from tsc.runtime.serialization.zip_reader import ZipReader

_PICKLES = (".pkl", ".pickle", ".debug_pkl")
_OTHER_PROGRAMS = frozenset(
    (Kind.EXPORTED_PROGRAM, Kind.PACKAGE, Kind.OLD_TORCHSCRIPT, Kind.MOBILE_BYTECODE)
)
_RANK = {"error": 0, "warning": 1, "note": 2}
_LEGACY_PICKLES = 5


@dataclass(slots=True)
class Audit:
    """What was found in a file; `unread` says why it could not be examined, if it could not."""

    name: str
    kind: FileKind
    findings: list[Finding] = field(default_factory=list)
    unread: str | None = None

    @property
    def status(self) -> int:
        """The exit status: 2 if the file was not examined, 1 with errors or warnings, or else 0."""
        if self.unread is not None:
            return 2
        return int(any(each.rule.severity != "note" for each in self.findings))


def audit_file(path: str, policy: Policy) -> Audit:
    """Examine a file. No program in it is run, and no name in it is imported.

    Raises `UsageError` if it cannot be opened.
    """
    view = open_file(path)
    return audit_content(view, identify(view), path, policy)


def audit_content(view: memoryview, kind: FileKind, name: str, policy: Policy) -> Audit:
    """Examine the content of a file of that kind and name."""
    found = Audit(name, kind)
    if len(view) > policy.max_bytes:
        limit = size_text(policy.max_bytes)
        found.findings.append(
            Finding(rules.TOO_LARGE, f"the file has {size_text(len(view))}, more than {limit}")
        )
    is_zip = bytes(view[: len(LOCAL_SIGNATURE)]) == LOCAL_SIGNATURE or _opens_as_zip(view)
    if is_zip:
        _audit_zip(found, view, policy)
    if bytes(view[: len(LEGACY_MAGIC)]) == LEGACY_MAGIC:
        found.findings += _legacy_findings(view, policy)
    elif _is_whole_pickle(view):
        found.findings += judge_pickle(view, "", policy)
    elif not is_zip:
        found.unread = "only archives, state_dicts and pickles of PyTorch can be"
    found.findings = _wanted(list(in_one_line(found.findings)), policy)
    return found


def _wanted(every: list[Finding], policy: Policy) -> list[Finding]:
    """Without what the policy ignores; the worst first, else in the order of the file."""
    wanted = [each for each in every if each.rule.code not in policy.ignored]
    return sorted(wanted, key=lambda each: (_RANK[each.rule.severity], each.rule.code))


def _opens_as_zip(view: memoryview) -> bool:
    """Whether there is an archive behind other bytes: programs disagree about what such a file is."""
    try:
        ZipReader(view)
    except ArchiveError:
        return False
    return True


def _is_whole_pickle(view: memoryview) -> bool:
    """Protocol 2 or later by its first bytes, an older one if it can be followed to its end."""
    if bytes(view[:1]) == b"\x80":
        return True
    return len(view) <= DEFAULT_LIMITS.record_bytes and scan_pickle(view).problem is None


# Zip archives -----------------------------------------------------------------------------------


def _audit_zip(found: Audit, view: memoryview, policy: Policy) -> None:
    try:
        reader = ZipReader(view, name=found.name)
    except ArchiveError as error:
        message = error.message.removeprefix(f"{found.name}: ")
        if error.hint == HOSTILE:
            found.findings.append(Finding(rules.REFUSED_CONTAINER, message))
        else:
            found.unread = message
        return
    found.findings += scan_container(
        reader, view, policy, is_ours=found.kind.kind not in _OTHER_PROGRAMS
    )
    for name in reader:
        found.findings += _entry_pickle(reader, name, policy)
    archive = _archive(view, found.name)
    if archive is not None and archive.has_programs:
        found.findings += scan_program(archive, policy)
        return
    if found.kind.kind in _OTHER_PROGRAMS:
        message = f"this is {found.kind.description}"
        found.findings.append(Finding(rules.OTHER_PROGRAM, message))
    if archive is None:
        return
    found.findings += judge_values(archive, policy)
    found.findings += scan_bytecode(archive, policy)
    found.findings += _code_findings(archive, policy)


def _archive(view: memoryview, name: str) -> ArchiveReader | None:
    try:
        return ArchiveReader(view, name=name)
    except ArchiveError:
        return None


def _entry_pickle(reader: ZipReader, name: str, policy: Policy) -> Iterator[Finding]:
    """Findings in an entry that is called like a pickle, or is one by its content."""
    entry = reader.entries[name]
    is_called_so = name.endswith(_PICKLES)
    if not is_called_so and (entry.size > DEFAULT_LIMITS.record_bytes or entry.size < 3):
        return
    try:
        if not is_called_so and (entry.is_compressed or not _is_pickle(reader.view(name))):
            return
        content = reader.read(name)
    except ArchiveError as error:
        if not is_examined_by_its_container(name, entry):
            message = error.message.removeprefix(f"{reader.name}: ")
            yield Finding(rules.BROKEN_PICKLE, message, name)
        return
    for each in judge_pickle(content, name, policy):
        if is_called_so or each.rule in (rules.DANGEROUS_GLOBAL, rules.FOREIGN_GLOBAL):
            yield each


def _is_pickle(content: memoryview) -> bool:
    """Protocol 2 or later, at both ends."""
    return content[0] == 0x80 and 2 <= content[1] <= 5 and content[-1] == ord(".")


def _code_findings(archive: ArchiveReader, policy: Policy) -> Iterator[Finding]:
    names = [each for each in archive.names() if each.startswith("code/") and each.endswith(".py")]
    total = sum(archive.size(each) for each in names)
    if total > policy.max_code_bytes:
        yield Finding(rules.TOO_LARGE, f"{total} bytes of code, more than {policy.max_code_bytes}")
        return
    files: dict[str, CodeText] = {}
    for name in names:
        path = name.removeprefix("code/")
        try:
            files[path] = CodeText(path, archive.text(name))
        except ArchiveError as error:
            message = error.message.removeprefix(f"{archive.name}: ")
            yield Finding(rules.BROKEN_CODE, message, name)
    yield from scan_code(files, read_declarations(files), policy)


# Files of old -----------------------------------------------------------------------------------


def _legacy_findings(view: memoryview, policy: Policy) -> Iterator[Finding]:
    """Five pickles in a row and the storages."""
    position = 0
    for number in range(_LEGACY_PICKLES):
        part = list(judge_pickle(view, f"pickle {number + 1}", policy, start=position, last=False))
        yield from part
        if any(each.rule is rules.BROKEN_PICKLE for each in part):
            return
        position = scan_pickle(view, position).end
    try:
        file = read_legacy_file(view)
    except ArchiveError as error:
        if not any(each in error.message for each in ("which is not loaded", "names ")):
            yield Finding(rules.BROKEN_PICKLE, error.message)
        return
    end = position + sum(8 + len(each) for each in file.storages.values())
    if end != len(view):
        yield Finding(rules.HIDDEN_BYTES, f"{len(view) - end} bytes behind the last storage")
