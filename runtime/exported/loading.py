"""``tsc.load_exported``: a `.pt2` file becomes an exported program, of which nothing has run."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final

from tsc.compiler.budget import LimitReached, budget
from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.serialized.programs import read_program
from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection
from tsc.compiler.source import Error, Stage
from tsc.runtime.archives.refusals import malformed_is_refused
from tsc.runtime.archives.tensor_files import load_tensors
from tsc.runtime.exported.layout import (
    ARCHIVE_VERSION,
    CONSTANTS,
    FORMAT,
    MODELS,
    SAMPLES,
    WEIGHTS,
)
from tsc.runtime.exported.payloads import read_tensors, tensor_records
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import HOSTILE, ArchiveError
from tsc.runtime.serialization.kinds import Kind, identify
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.records import TensorRecord
from tsc.runtime.serialization.zip_reader import FileLike, mapped, source_name

_MOST_VALUES: Final = 5_000_000
NO_PROGRAM: Final = (
    "save one with torch.export.save: packages of AOTInductor have machine code alone"
)
_OLD_LAYOUT: Final = (
    "PyTorch 2.13 reads it, and writes the layout of today: "
    "torch.export.save(torch.export.load(path), path)"
)
_ANOTHER_VERSION: Final = "load it with the PyTorch that wrote it, and save it with PyTorch 2.13"


@foreseen()
def load_exported(f: FileLike) -> LoadedProgram:
    """The program in a `.pt2` file that ``torch.export.save`` wrote: a path, an open binary file, or bytes.

    Nothing in the file is executed, pickles in it are read as data, and tensors are parts of the mapped file.

    Raises:
        ArchiveError: the file is no exported program, is damaged or made to mislead, or of another version.
    """
    return read_exported(open_exported(f))


def open_exported(f: FileLike, limits: Limits = DEFAULT_LIMITS) -> ArchiveReader:
    """A file as an archive with an exported program; raises `ArchiveError` with what it is if it is something else."""
    view, name = mapped(f), source_name(f)
    found = identify(view, limits=limits)
    if found.kind is not Kind.EXPORTED_PROGRAM:
        message = f"{name}: this is no exported program, but {found.description}"
        raise ArchiveError(message, hint=found.advice)
    return opened_program(view, limits, name)


def exported_archive(f: FileLike) -> ArchiveReader | None:
    """The same; None for any other file. Raises `ArchiveError` for a program that cannot be opened."""
    view, limits = mapped(f), DEFAULT_LIMITS
    is_exported = identify(view, limits=limits).kind is Kind.EXPORTED_PROGRAM
    return opened_program(view, limits, source_name(f)) if is_exported else None


def opened_program(view: memoryview, limits: Limits, name: str) -> ArchiveReader:
    """The archive of an exported program; raises `ArchiveError` for a layout that is not read."""
    try:
        return ArchiveReader(view, limits=limits, name=name)
    except ArchiveError:
        raise ArchiveError(
            f"{name}: a program of torch.export in the layout of PyTorch 2.7 and earlier is not read",
            hint=_OLD_LAYOUT,
        ) from None


def read_exported(archive: ArchiveReader) -> LoadedProgram:
    """The program of an opened file."""
    with _reading(archive):
        name = _model_name(archive)
        found = _serialized(archive, name)
        tensors = [read_tensors(archive, *each) for each in _folders(name)]
        return LoadedProgram(
            found.graph_module,
            found.graph_signature,
            found.call_spec,
            tensors[0],
            found.range_constraints,
            found.equality_constraints,
            tensors[1],
            found.dialect,
            found.guards,
            found.module_paths,
            example_inputs=_examples(archive, f"{SAMPLES}/{name}.pt"),
        )


def read_without_tensors(
    archive: ArchiveReader,
) -> tuple[ExportedProgram, dict[str, TensorRecord | str]]:
    """The program of an opened file, and where the tensors by their paths are, none of them read."""
    with _reading(archive):
        name = _model_name(archive)
        weights, constants = [tensor_records(archive, *each) for each in _folders(name)]
        return _serialized(archive, name), weights | constants


def _folders(name: str) -> list[tuple[str, str]]:
    """Where the weights and the constants of a program are, and the record that tells of them."""
    return [(each.folder, each.config(name)) for each in (WEIGHTS, CONSTANTS)]


def _serialized(archive: ArchiveReader, name: str) -> ExportedProgram:
    _check_version(archive)
    text = archive.text(f"{MODELS}{name}.json")
    _check_size(text)
    return read_program(text, f"{MODELS}{name}.json")


def _check_version(archive: ArchiveReader) -> None:
    """Whether the archive is laid out as PyTorch 2.8 and later do it."""
    for name, wanted in (("archive_format", FORMAT), ("archive_version", ARCHIVE_VERSION)):
        found = archive.text(name).strip() if name in archive else "nothing"
        if found != wanted:
            raise ArchiveError(
                f"{name} holds {found[:40]!r}, and {wanted!r} is read",
                hint=_ANOTHER_VERSION,
            )


def _model_name(archive: ArchiveReader) -> str:
    """The program in the archive: the one that ``torch.export.save`` calls "model", or the only one."""
    names = [
        each.removeprefix(MODELS).removesuffix(".json")
        for each in archive.names()
        if each.startswith(MODELS) and each.endswith(".json")
    ]
    if "model" in names:
        return "model"
    if not names:
        raise ArchiveError(
            "there is no program in the archive",
            hint=NO_PROGRAM,
        )
    if len(names) != 1:
        raise ArchiveError(f"the archive has {len(names)} programs, none of them called model")
    return names[0]


def _check_size(text: str) -> None:
    """Refuse a text that would fill the memory: values of JSON take more than their letters."""
    values = text.count(",") + text.count("{") + text.count("[") + text.count(":")
    if values > _MOST_VALUES:
        raise ArchiveError(f"the program has more than {_MOST_VALUES} values", hint=HOSTILE)


def _examples(archive: ArchiveReader, record: str) -> Any:
    """The arguments for which the program was exported, if they are tensors, numbers and containers."""
    if record not in archive:
        return None
    try:
        found = load_tensors(archive.read(record))
    except ArchiveError:
        return None  # objects of classes of the user: the program runs without
    return found if _is_call(found) else None


def _is_call(value: Any) -> bool:
    """Whether a value is a tuple of positional arguments, and a dict of named ones."""
    match value:
        case (tuple(), dict()):
            return True
        case _:
            return False


@contextmanager
def _reading(archive: ArchiveReader) -> Generator[None]:
    with (
        Stage("loading", archive.name),
        malformed_is_refused(archive.name),
        _errors_are_of_files(),
        budget(),
        deep_recursion(),
        rare_garbage_collection(),
    ):
        yield


@contextmanager
def _errors_are_of_files() -> Generator[None]:
    """What does not fit in a program is an `ArchiveError`."""
    try:
        yield
    except (ArchiveError, LimitReached):
        raise
    except Error as error:
        raise ArchiveError(str(error), hint=getattr(error, "hint", None)) from None
