"""The IR of an archive's methods, for a page that shows it beside their code. Nothing is run for it.

No object is restored, so no ``__setstate__`` runs, and constants are not folded: that would be running operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from tsc.compiler.archive_program import archive_program
from tsc.compiler.emit.resolvers.archive_resolver import ArchiveResolver
from tsc.compiler.ir import Function
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import Error, Source
from tsc.compiler.types import ClassType
from tsc.runtime.archives.operator_versions import toolchain_of_version
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.inspection.declarations import Method
from tsc.runtime.inspection.inspection import ArchiveContent, Inspection
from tsc.runtime.serialization.archive_reader import NEWEST_VERSION, ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import TensorRecord
from tsc.runtime.serialization.tensors import archive_storages

_MOST_CODE = 1 << 20
_LONGEST_GRAPH = 1 << 20


def graphs_of(found: Inspection) -> Iterator[tuple[str, Method, str]]:
    """Each method with its qualified name and the text of its graph, or why there is none."""
    content = found.archive
    if content is None:
        return
    program = _program(ArchiveReader(found.view), content)
    compiled = 0
    for name, method in content.declarations.methods():
        compiled += len(method.source)
        if compiled > _MOST_CODE:
            yield name, method, "not compiled for this page: the archive has too much code"
        else:
            yield name, method, _graph_text(program, name)


def _program(archive: ArchiveReader, content: ArchiveContent) -> ArchiveResolver:
    using = toolchain_of_version(content.version or NEWEST_VERSION, toolchain())

    def find_source(qualifier: str) -> Source | None:
        code = content.files.get(f"{qualifier.replace('.', '/')}.py")
        return None if code is None else Source(code.text, f"code/{code.path}")

    return archive_program(
        find_source, replace(using, evaluate=lambda _node, _inputs: None), _constants(archive)
    )


def _constants(archive: ArchiveReader) -> list[Any]:
    """The tensors among the constants of the code; other values need classes, and are left out."""
    found: list[Any] = []
    with suppress(ArchiveError, TypeError):  # the pickle may hold anything
        storages = archive_storages(archive, "constants")
        for record in archive.pickle("constants.pkl"):
            found.append(storages.tensor(record) if isinstance(record, TensorRecord) else None)
    return found


def _graph_text(program: ArchiveResolver, name: str) -> str:
    try:
        with deep_recursion():
            function = _function(program, name)
            if function is None:
                return "no graph: it is declared without a body"
            text = str(function.graph)
    except (Error, RecursionError) as error:
        return f"not compiled: {str(error).partition(chr(10) + 'explain:')[0]}"
    if len(text) > _LONGEST_GRAPH:
        return f"{text[:_LONGEST_GRAPH]}\n… (cut off)"
    return text


def _function(program: ArchiveResolver, name: str) -> Function | None:
    """The method of a class, or the function of a file."""
    owner, _, last = name.rpartition(".")
    source = Source(name, "<inspection>")
    class_ = program.type_named(owner, source.range(0, len(name)))
    found = class_.methods.get(last) if isinstance(class_, ClassType) else None
    if found is None and isinstance(class_, ClassType):
        found = class_.static_methods.get(last)
    found = found if found is not None else program.function_named(name)
    return found if isinstance(found, Function) else None
