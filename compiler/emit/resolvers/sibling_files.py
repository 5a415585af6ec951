"""Imports of sibling files: found beside the importing file, read and declared once each."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tsc.compiler.emit.resolvers.other_texts import LoadModule
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.parser import parse_source
from tsc.compiler.frontend.tree_views import Module
from tsc.compiler.ir import Function
from tsc.compiler.source import CompileError, Source, codes
from tsc.compiler.source.paths import is_file, is_folder


class Declare(Protocol):
    """Makes a module's functions known; gives its resolver first."""

    def __call__(
        self,
        module: Module,
        functions: dict[str, Function],
        prefix: str,
        siblings: SiblingFiles,
    ) -> tuple[SourceResolver, object]: ...


class SiblingFiles:
    """The files imported so far by one compilation."""

    def __init__(self, declare: Declare, parse: Callable[[Source], Module] = parse_source) -> None:
        self._declare = declare
        self._parse = parse
        self._loaded: dict[Path, SourceResolver] = {}

    def add(self, module: Module, resolver: SourceResolver) -> None:
        """Register the text that is compiled, which the files it imports may import in turn."""
        self._loaded[Path(module.range.source.filename).absolute()] = resolver

    def loader_for(self, module: Module) -> LoadModule[SourceResolver] | None:
        """What resolves the imports of a module; None if it is no file, and so has no siblings."""
        file = Path(module.range.source.filename)
        if not is_file(file):
            return None
        return lambda dotted, level: self._load(file, dotted, level)

    def _load(self, importing: Path, dotted: str, level: int) -> SourceResolver | None:
        path = _find(importing, dotted, level)
        if path is None:
            return None
        if path not in self._loaded:
            name = str(path) if importing.is_absolute() else os.path.relpath(path)
            self._read(path, name, dotted)
        return self._loaded[path]

    def _read(self, path: Path, name: str, dotted: str) -> None:
        """Register the file before its functions are compiled: files may import each other."""
        module = self._parse(Source(_text(path, name), name))
        functions: dict[str, Function] = {}
        resolver, _ = self._declare(module, functions, f"__torch__.{dotted}.", self)
        self._loaded[path] = resolver


def _find(importing: Path, dotted: str, level: int) -> Path | None:
    """What a dotted module path means: ``a/b.py``, ``a/b/__init__.py``, or the folder ``a/b``."""
    folder = importing.absolute().parent
    for _ in range(level - 1):
        folder = folder.parent
    parts = dotted.split(".") if dotted else []
    base = folder.joinpath(*parts)
    candidates = [base / "__init__.py"]
    if parts:
        candidates.append(base.with_name(base.name + ".py"))
    file = next((path for path in candidates if is_file(path)), None)
    return base if file is None and is_folder(base) else file


def _text(path: Path, name: str) -> str:
    """The text of a file; a folder without an ``__init__.py`` has none."""
    if path.is_dir():
        return ""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        source = Source("", name)
        raise CompileError(
            "the imported file is not UTF-8 text", source.range(0, 0), code=codes.UNREADABLE_IMPORT
        ) from None
