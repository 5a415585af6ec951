"""``tsc.save_exported``: an exported program becomes a `.pt2` file, which ``torch.export.load`` reads."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.serialized.programs import write_program
from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import Error, Stage
from tsc.runtime.archives.tensor_files import save_tensors
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.layout import (
    ARCHIVE_VERSION,
    CONSTANTS,
    FORMAT,
    MODELS,
    SAMPLES,
    WEIGHTS,
    Payloads,
)
from tsc.runtime.exported.payloads import payload_json
from tsc.runtime.serialization.archive_writer import Entry, write_entries
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.storage_table import StorageTable
from tsc.runtime.values.tensor import Tensor

_NAME: Final = "model"
_ZIP_VERSION: Final = 6
"""Of the layout of the zip file, as PyTorch's writer of these files counts it."""


@foreseen()
def save_exported(program: ExportedProgram, f: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write a program to a path, atomically, or to an open binary file. The same program gives the same bytes.

    Tensors of one storage stay so; their bytes go to the file from where they are.

    Raises:
        ArchiveError: something in the program has no place in such a file, or the file cannot be written.
    """
    _check(program)
    with Stage("saving", "exported program"), deep_recursion():
        try:
            entries = list(_entries(program.undelegated))
        except ArchiveError:
            raise
        except Error as error:
            raise ArchiveError(f"the program cannot be saved: {error}") from None
    write_entries(f, entries)


def _check(program: object) -> None:
    if not isinstance(program, ExportedProgram):
        raise ArchiveError(
            f"an object of type {type(program).__name__!r} is no exported program",
            hint="tsc.load_exported reads one; tsc.save saves modules",
        )


def _entries(program: ExportedProgram) -> Iterator[Entry]:
    """The records, in the order of PyTorch."""
    parameters = frozenset(program.graph_signature.parameters)
    yield from _tensors(WEIGHTS, program.state_dict, parameters)
    yield from _tensors(CONSTANTS, program.constants, parameters)
    text = write_program(program, toolchain().operators)
    yield Entry(f"{MODELS}{_NAME}.json", text.encode())
    yield Entry(f"{SAMPLES}/{_NAME}.pt", _examples(getattr(program, "example_inputs", None)))
    yield Entry("archive_format", FORMAT.encode())
    yield Entry("archive_version", ARCHIVE_VERSION.encode())
    yield Entry(".data/version", f"{_ZIP_VERSION}\n".encode())
    yield Entry("byteorder", sys.byteorder.encode())


def _tensors(
    payloads: Payloads, tensors: Mapping[str, Any], parameters: frozenset[str]
) -> Iterator[Entry]:
    """A record for each storage, and one that says which tensor looks where."""
    storages = StorageTable()
    config: dict[str, Any] = {}
    for path, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise ArchiveError(f"{path} is a {type(tensor).__name__}, and no tensor")
        record = storages.record(tensor)
        config[path] = payload_json(path, record, payloads.prefix, is_parameter=path in parameters)
    for number, content in enumerate(storages.contents()):
        yield Entry(f"{payloads.folder}/{payloads.prefix}{number}", content)
    yield Entry(payloads.config(_NAME), json.dumps({"config": config}).encode())


def _examples(arguments: Any) -> bytes:
    """The arguments for which the program was exported, as a file of tensors; nothing if there are none."""
    if arguments is None:
        return b""
    content = io.BytesIO()
    save_tensors(arguments, content)
    return content.getvalue()
