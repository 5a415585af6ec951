"""Findings in pickles: names that Python would import, and tensors that reach too far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tsc.runtime.audit import findings as rules
from tsc.runtime.audit.findings import Finding
from tsc.runtime.audit.pickle_scan import GlobalUse, is_data, scan_pickle
from tsc.runtime.audit.policy import Policy, matches
from tsc.runtime.inspection.operators_used import TORCHBIND
from tsc.runtime.inspection.visible import counted, visible
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.pickle_structure import children
from tsc.runtime.serialization.records import QuantizedTensorRecord, StorageRecord, TensorRecord

_HARMLESS_BUILTINS = frozenset(
    {
        *("bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int", "list"),
        *("object", "range", "set", "slice", "str", "tuple"),
    }
)
_DANGEROUS_MODULES = frozenset(
    {
        *("os", "posix", "nt", "subprocess", "sys", "runpy", "socket", "shutil", "importlib"),
        *("ctypes", "_ctypes", "pickle", "_pickle", "marshal", "code", "codeop", "types"),
        *("functools", "operator", "webbrowser", "pty", "commands", "asyncio"),
        *("multiprocessing", "threading", "requests", "urllib", "http", "ftplib", "smtplib"),
        *("io", "_io", "pathlib", "tempfile", "inspect", "timeit", "pdb", "bdb", "doctest"),
        *("trace", "cProfile", "profile", "pip", "ensurepip", "site", "platform", "sqlite3"),
        *("idlelib", "distutils", "setuptools", "joblib", "dill", "cloudpickle", "pydoc"),
        *("venv", "zipimport", "imp", "gc", "signal"),
    }
)
_HARMLESS_CLASSES = frozenset(
    {
        *("pathlib.Path", "pathlib.PosixPath", "pathlib.WindowsPath", "pathlib.PurePath"),
        *("pathlib.PurePosixPath", "pathlib.PureWindowsPath", "pathlib._local.PosixPath"),
        *("pathlib._local.WindowsPath", "types.SimpleNamespace", "io.BytesIO", "_io.BytesIO"),
    }
)
"""Classes of dangerous modules that only hold data, and are often met in checkpoints."""
_DANGEROUS_NAMES = (
    *(
        "torch.load",
        "torch.hub.*",
        "torch.jit.load",
        "torch.package.*",
        "torch.utils.cpp_extension.*",
    ),
    *("torch.serialization.*", "torch.ops.load_library", "torch._inductor.*", "torch._dynamo.*"),
    *(
        "numpy.load",
        "numpy.testing.*",
        "numpy.f2py.*",
        "numpy.distutils.*",
        "torch.storage._load_from_bytes",
    ),
    *("torch.distributed.*", "torch.multiprocessing.*", "logging.config.*", "copyreg.*", "<*"),
)


def judge_pickle(
    content: memoryview, entry: str, policy: Policy, *, start: int = 0, last: bool = True
) -> Iterator[Finding]:
    """Findings in one pickle; what follows it is one as well, if it is the `last`."""
    scan = scan_pickle(content, start)
    for use in scan.uses.values():
        rule = _rule_of(use.name, policy)
        if rule is not None:
            yield Finding(rule, _told(use), entry)
    if scan.problem is not None:
        yield Finding(rules.BROKEN_PICKLE, scan.problem, entry)
    elif last and scan.end != len(content):
        rest = counted(len(content) - scan.end, "byte")
        yield Finding(rules.BEHIND_PICKLE, f"{rest} behind the end of the pickle", entry)


def _rule_of(name: str, policy: Policy) -> rules.Rule | None:
    if matches(name, policy.allowed_globals):
        return None
    if name.startswith(TORCHBIND):
        return None if matches(name, policy.allowed_torchbind) else rules.TORCHBIND_OBJECT
    if is_data(name):
        return None
    return rules.DANGEROUS_GLOBAL if is_dangerous(name) else rules.FOREIGN_GLOBAL


def is_dangerous(name: str) -> bool:
    """Whether calling a name with chosen arguments runs programs, or reads and writes files."""
    if name in _HARMLESS_CLASSES:
        return False
    root, _, rest = name.partition(".")
    if root in ("builtins", "__builtin__"):
        return rest not in _HARMLESS_BUILTINS
    return root in _DANGEROUS_MODULES or matches(name, _DANGEROUS_NAMES)


def _told(use: GlobalUse) -> str:
    called = "" if use.call is None else f", called as {use.call}"
    return f"names {visible(use.name)}{called} (byte {use.offset})"


# Tensors ----------------------------------------------------------------------------------------


def judge_values(archive: ArchiveReader, policy: Policy) -> Iterator[Finding]:
    """Tensors of the two pickles with tensors, compared with the sizes of their storages."""
    for name, folder in (("data.pkl", "data"), ("constants.pkl", "constants")):
        if name not in archive:
            continue
        try:
            value = archive.pickle(name)
        except ArchiveError:
            continue  # the scan of the pickle has told
        for record in _tensors(value):
            message = _out_of_bounds(record, archive, folder)
            if message is not None:
                yield Finding(rules.OUT_OF_BOUNDS, message, name)
                break


def _tensors(root: Any) -> Iterator[TensorRecord]:
    pending, seen = [root], set[int]()
    while pending:
        each = pending.pop()
        if isinstance(each, QuantizedTensorRecord):
            pending.extend(children(each))
            each = each.tensor
        if isinstance(each, TensorRecord):
            yield each
        elif id(each) not in seen:
            seen.add(id(each))
            pending.extend(children(each))


def _out_of_bounds(record: TensorRecord, archive: ArchiveReader, folder: str) -> str | None:
    storage = record.storage
    key = f"{folder}/{storage.key}"
    if key not in archive:
        return (
            f"the storage {visible(storage.key)} is not in the archive" if storage.count else None
        )
    if archive.size(key) != storage.nbytes:
        return f"the storage {visible(storage.key)} has {archive.size(key)} bytes, not {storage.nbytes}"
    if 0 in record.sizes:
        return None
    reach = record.offset + sum((n - 1) * step for n, step in zip(record.sizes, record.strides))
    if reach >= _elements(storage, record):
        return f"a tensor of sizes {list(record.sizes)} reaches beyond its storage {visible(storage.key)}"
    return None


def _elements(storage: StorageRecord, record: TensorRecord) -> int:
    width = StorageRecord("", record.dtype, "", 1).nbytes
    return storage.nbytes // width
