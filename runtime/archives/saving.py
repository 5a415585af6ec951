"""``tsc.save``: a module becomes an archive, which ``torch.jit.load`` reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, cast

from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import Stage
from tsc.compiler.types import ANY
from tsc.runtime.archives.code_files import CodeFiles
from tsc.runtime.archives.recording import Recorder
from tsc.runtime.archives.saved_functions import module_of_function
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule
from tsc.runtime.serialization.archive_writer import (
    OLDEST_WRITTEN_VERSION,
    ArchiveContents,
    write_archive,
)
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.values.ivalue import IValue


@foreseen()
def save(
    m: ScriptModule | ScriptFunction,
    f: str | os.PathLike[str] | IO[bytes],
    _extra_files: Mapping[str, bytes | str] | None = None,
) -> None:
    """Write a module to a path, atomically, or to an open binary file. The same module gives the same bytes.

    A function becomes the ``forward`` of a module.

    Raises:
        ArchiveError: something cannot be saved, or the file cannot be written.
        CompileError: a method that was never run does not compile.
    """
    module = _module(m)
    with Stage("saving", f"module '{module.original_name}'"), deep_recursion():
        contents = archive_contents(module, _extra_files or {})
    write_archive(f, contents)


def _module(m: object) -> ScriptModule:
    if isinstance(m, ScriptModule):
        return m
    if isinstance(m, ScriptFunction):
        return module_of_function(m)
    raise ArchiveError(
        f"an object of type {type(m).__name__!r} cannot be saved",
        hint="save a module or a function of tsc.load or tsc.script",
    )


def archive_contents(
    module: ScriptModule, extra_files: Mapping[str, bytes | str]
) -> ArchiveContents:
    """All that the archive of a module holds."""
    recorder = Recorder()
    data = recorder.record(module.script_object, module.script_object.script_type)
    code = CodeFiles()
    code.add(recorder.classes)
    constants = Recorder()
    values = tuple([constants.record(cast(IValue, each), ANY) for each in code.constants.values])
    code.add(each for each in constants.classes if each not in recorder.classes)
    return ArchiveContents(
        data,
        recorder.storages.contents(),
        code.texts(),
        code.source_ranges(),
        constants=values,
        constant_storages=constants.storages.contents(),
        extra_files=extra_files,
        version=max(OLDEST_WRITTEN_VERSION, code.version),
    )
