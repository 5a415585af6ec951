"""``tsc.load``: an archive becomes a module. Code is parsed as far as its types need it, and compiled when run."""

from __future__ import annotations

import contextlib
from functools import partial
from threading import Lock
from typing import Any, cast

from tsc.compiler.archive_program import archive_program
from tsc.compiler.budget import budget, charge_text
from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.resolvers.archive_resolver import ArchiveResolver
from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection
from tsc.compiler.source import Source, SourceRange, Stage
from tsc.compiler.types import ANY
from tsc.runtime.archives.code_devices import moved_to_the_cpu
from tsc.runtime.archives.operator_versions import toolchain_of_version
from tsc.runtime.archives.refusals import malformed_is_refused
from tsc.runtime.archives.restoring import Restorer
from tsc.runtime.context.hooks import backends
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.byte_places import BytePlaces
from tsc.runtime.serialization.errors import DAMAGED, ArchiveError
from tsc.runtime.serialization.kinds import Kind, identify, not_torchscript
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.records import ObjectRecord
from tsc.runtime.serialization.source_ranges import SourceRanges
from tsc.runtime.serialization.tensors import archive_storages
from tsc.runtime.serialization.zip_reader import FileLike, mapped, source_name


@foreseen()
def load(
    f: FileLike,
    map_location: Any = None,
    _extra_files: dict[str, Any] | None = None,
    *,
    backend: str | None = None,
) -> ScriptModule:
    """The module in a TorchScript archive: a path, an open binary file, or bytes.

    Tensors are parts of the mapped file, so that loading costs no more for large ones. The contents of the
    archive's extra files are put in the place of the values of `_extra_files`. All tensors are on the CPU;
    `map_location` "cpu" says so of the devices that the code names, too. With a `backend` (``native``,
    ``onnxruntime``, ``openvino``), that computes what it can of each method, without gradients.

    Raises:
        BackendError: the package of the backend is not installed.
        ArchiveError: the file is no TorchScript archive, or it is damaged or made to mislead.
    """
    if map_location is not None and str(map_location) != "cpu":
        raise ArchiveError(
            f"map_location={str(map_location)!r}: tensors can only be on the CPU",
            hint="leave it out, or say 'cpu'",
        )
    archive = open_archive(f)
    if _extra_files is not None:
        found = archive.extra_files()
        for name in _extra_files:
            _extra_files[name] = found.get(name, b"")
    module = load_archive(archive, on_the_cpu=map_location is not None)
    return module if backend is None else backends().with_backend(module, backend)


def open_archive(f: FileLike, limits: Limits = DEFAULT_LIMITS) -> ArchiveReader:
    """A file as a TorchScript archive; raises `ArchiveError` with what it is if it is something else."""
    view, name = mapped(f), source_name(f)
    with contextlib.suppress(ArchiveError):  # what is wrong with it is told by what it is instead
        archive = ArchiveReader(view, limits=limits, name=name)
        if archive.is_torchscript:
            return archive
    found = identify(view, limits=limits)
    if found.kind not in (Kind.TORCHSCRIPT, Kind.MOBILE):
        raise not_torchscript(name, found)
    return ArchiveReader(view, limits=limits, name=name)


def load_archive(
    archive: ArchiveReader, using: Toolchain | None = None, *, on_the_cpu: bool = False
) -> ScriptModule:
    """The module of an opened archive, compiled with a toolchain that reads today's operators.

    With `on_the_cpu`, other devices that the code names are taken for the CPU.
    """
    stage = Stage("loading", archive.name)
    with (
        stage,
        malformed_is_refused(archive.name),
        budget(),
        deep_recursion(),
        rare_garbage_collection(),
    ):
        record = archive.pickle("data.pkl")
        if not isinstance(record, ObjectRecord):
            raise ArchiveError("data.pkl holds no module", hint=DAMAGED)
        using = toolchain_of_version(archive.version, using or toolchain())
        program = _program(archive, using, on_the_cpu)
        restorer = Restorer(program, archive_storages(archive))
        if not restorer.class_named(record).is_module:
            raise ArchiveError(f"'{record.class_name}' is no module", hint=DAMAGED)
        made = wrapped(restorer.value(record, ANY))
        assert isinstance(made, ScriptModule)
        return made


def _program(archive: ArchiveReader, using: Toolchain, on_the_cpu: bool) -> ArchiveResolver:
    constants: list[Any] = []
    find_source = partial(_source_of, archive, on_the_cpu=on_the_cpu)
    program = archive_program(find_source, using, constants)
    records = archive.pickle("constants.pkl") if "constants.pkl" in archive else ()
    if not isinstance(records, tuple):
        raise ArchiveError("constants.pkl holds no tuple", hint=DAMAGED)
    restorer = Restorer(program, archive_storages(archive, "constants"))
    constants += [restorer.value(each, ANY) for each in cast("tuple[Any, ...]", records)]
    return program


def _source_of(archive: ArchiveReader, qualifier: str, *, on_the_cpu: bool) -> Source | None:
    """The text of a code file, which knows what it was printed from."""
    path = f"{qualifier.replace('.', '/')}.py"
    if f"code/{path}" not in archive:
        return None
    text = archive.text(f"code/{path}")
    charge_text(len(text))
    if on_the_cpu:
        text = moved_to_the_cpu(path, text)
    source = Source(text, f"code/{path}")
    source.origin_at = _Origins(archive, path, source)
    return source


class _Origins:
    """Where code was printed from; the record is read when somebody asks."""

    def __init__(self, archive: ArchiveReader, path: str, source: Source) -> None:
        self._archive = archive
        self._path = path
        self._places = BytePlaces(source.text)
        self._ranges: SourceRanges | None = None
        self._lock = Lock()
        self._is_read = False

    def __call__(self, offset: int) -> SourceRange | None:
        if not self._is_read:
            with self._lock:
                if not self._is_read:
                    self._read()
        return None if self._ranges is None else self._ranges.at(self._places.byte_of(offset))

    def _read(self) -> None:
        """Read once; other threads wait, so that nobody sees code that comes from nowhere."""
        try:
            self._ranges = self._archive.source_ranges(self._path)
        except ArchiveError:
            self._ranges = None  # it only serves to make messages better
        self._is_read = True
