"""The functions, classes and methods of FILE; of an archive, methods by the paths of their modules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from tsc.compiler.frontend.outline import parse_outline
from tsc.compiler.frontend.tree_views import ClassDef, Def
from tsc.compiler.source import Error, Source
from tsc.runtime.inspection.inspection import inspect_file
from tsc.runtime.programs.source_files import is_archive

_MOST_BYTES = 4 << 20
"""Of a source text whose functions are offered: a larger one takes seconds."""


def offered(context: click.Context, so_far: str) -> list[CompletionItem]:
    """What FUNCTION may be; nothing while FILE is not readable."""
    given = [context.params.get("file"), *context.args]  # the latter while an option has no value
    file = next(filter(None, given), "-")
    return [CompletionItem(name) for name in _functions_of(file) if name.startswith(so_far)]


def _functions_of(file: str) -> list[str]:
    if file == "-":
        return []
    try:
        found = _methods_of_archive(file) if is_archive(file) else _defined_in(file)
        return [name for name in dict.fromkeys(found) if ".__" not in f".{name}"]
    except (Error, OSError, ValueError, RecursionError, MemoryError):
        return []


def _defined_in(file: str) -> Iterator[str]:
    """What a source text defines. Bodies are not parsed."""
    with Path(file).open("rb") as opened:
        content = opened.read(_MOST_BYTES + 1)
    text = "" if len(content) > _MOST_BYTES else content.decode("utf-8-sig")
    for statement in parse_outline(Source(text, file)).statements:
        if isinstance(statement, Def | ClassDef):
            yield statement.name.name
        if isinstance(statement, ClassDef):
            methods = [each.name.name for each in statement.body if isinstance(each, Def)]
            yield from (f"{statement.name.name}.{each}" for each in methods)


def _methods_of_archive(file: str) -> Iterator[str]:
    archive = inspect_file(file).archive
    for module in () if archive is None else archive.modules:
        class_ = archive.declarations.classes.get(module.class_name) if archive else None
        for method in () if class_ is None else class_.methods:
            yield f"{module.path}.{method}" if module.path else method
