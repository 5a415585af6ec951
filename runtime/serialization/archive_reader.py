"""TorchScript archives and state_dict zips: what their entries are called, and what they say."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Literal

from tsc.runtime.serialization.errors import DAMAGED, ELSEWHERE, ArchiveError
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_reader import read_pickle
from tsc.runtime.serialization.source_ranges import SourceRanges, read_source_ranges
from tsc.runtime.serialization.zip_reader import FileLike, ZipReader

ByteOrder = Literal["little", "big"]

OLDEST_VERSION, NEWEST_VERSION = 1, 10
"""The file format versions that PyTorch 2.13 reads."""
_MODEL = re.compile(r"models/[^/]+\.json")
_CODE, _DEBUG_SUFFIX, _EXTRA = "code/", ".debug_pkl", "extra/"


class ArchiveReader:
    """The entries of a zip archive of PyTorch, by their names below its one folder.

    Opening reads the directory alone. Pickles become `records`; see `tensors.Storages` for tensors.

    Raises:
        ArchiveError: no zip archive that can be trusted, or none of PyTorch's layout.
    """

    def __init__(
        self, source: FileLike, *, limits: Limits = DEFAULT_LIMITS, name: str | None = None
    ) -> None:
        self.zip = ZipReader(source, limits=limits, name=name)
        self.name = self.zip.name
        self.limits = limits
        first = next(iter(self.zip), "")
        self.folder = first.partition("/")[0]
        if "/" not in first:
            raise self._error(
                "the zip archive has not the layout of PyTorch: its entries lie in no folder",
                ELSEWHERE,
            )

    def names(self) -> list[str]:
        """The entries below the folder, in the order of the archive."""
        prefix = f"{self.folder}/"
        return [name.removeprefix(prefix) for name in self.zip if name.startswith(prefix)]

    def __contains__(self, name: str) -> bool:
        return f"{self.folder}/{name}" in self.zip

    def size(self, name: str) -> int:
        """How many bytes a record has, without reading it."""
        return self.zip.entries[f"{self.folder}/{name}"].size

    def view(self, name: str) -> memoryview:
        """The bytes of a record of any size: of the mapped file, if they are stored."""
        return self.zip.view(f"{self.folder}/{name}")

    def read(self, name: str) -> bytes:
        """The bytes of a small record, with its checksum compared."""
        return bytes(self.zip.read(f"{self.folder}/{name}"))

    def text(self, name: str) -> str:
        """A record as UTF-8 text."""
        try:
            return self.read(name).decode("utf-8")
        except UnicodeDecodeError:
            raise self._error(f"{name} is no UTF-8 text", DAMAGED) from None

    def pickle(self, name: str) -> Any:
        """The value of a pickle, as data: see `records`."""
        content = self.zip.read(f"{self.folder}/{name}")
        try:
            return read_pickle(content, limits=self.limits)
        except ArchiveError as error:
            raise error.within(name).within(self.name) from None

    @property
    def is_torchscript(self) -> bool:
        """Whether it has values and code, as archives of ``torch.jit.save`` do."""
        has_code = any(name.startswith(_CODE) for name in self.names())
        return "constants.pkl" in self and "data.pkl" in self and has_code

    @property
    def is_exported_program(self) -> bool:
        """Whether it is laid out as the files of ``torch.export`` are."""
        return "archive_format" in self

    @cached_property
    def has_programs(self) -> bool:
        """Whether it has programs of ``torch.export``: what AOTInductor packs has machine code alone."""
        return self.is_exported_program and any(map(_MODEL.fullmatch, self.names()))

    @cached_property
    def version(self) -> int:
        """The version of the file format, which tells the versions of operators.

        Raises `ArchiveError` for those that PyTorch 2.13 does not read either.
        """
        name = ".data/version" if ".data/version" in self else "version"
        digits = self.read(name).strip()
        if not digits.isdigit() or len(digits) > 10:
            raise self._error(f"{name} holds {digits[:40]!r}, which is no version", DAMAGED)
        version = int(digits)
        if not OLDEST_VERSION <= version <= NEWEST_VERSION:
            raise self._error(
                f"the archive has format version {version}; {OLDEST_VERSION} to {NEWEST_VERSION} are known",
                "save it again with a version of PyTorch that reads it",
            )
        return version

    @cached_property
    def byte_order(self) -> ByteOrder:
        """That of the numbers in storages."""
        order = self.read("byteorder") if "byteorder" in self else b"little"
        if order not in (b"little", b"big"):
            raise self._error(f"byteorder holds {order[:40]!r}", DAMAGED)
        return "big" if order == b"big" else "little"

    def code_files(self) -> dict[str, str]:
        """The TorchScript source texts by their paths below ``code/``."""
        paths = [name for name in self.names() if name.startswith(_CODE) and name.endswith(".py")]
        return {path.removeprefix(_CODE): self.text(path) for path in paths}

    def source_ranges(self, path: str) -> SourceRanges | None:
        """Where the code at a path below ``code/`` comes from, if the archive tells."""
        name = f"{_CODE}{path}{_DEBUG_SUFFIX}"
        if name not in self:
            return None
        try:
            return read_source_ranges(self.read(name), limits=self.limits)
        except ArchiveError as error:
            raise error.within(name).within(self.name) from None

    def extra_files(self) -> dict[str, bytes]:
        """The ``_extra_files`` of the archive by their names."""
        names = [name for name in self.names() if name.startswith(_EXTRA)]
        return {name.removeprefix(_EXTRA): self.read(name) for name in names}

    def storage(self, key: str, folder: str = "data") -> memoryview:
        """The bytes of a storage of ``data.pkl`` (or, in the folder "constants", of ``constants.pkl``)."""
        return self.view(f"{folder}/{key}")

    def _error(self, message: str, hint: str) -> ArchiveError:
        return ArchiveError(message, hint=hint).within(self.name)
