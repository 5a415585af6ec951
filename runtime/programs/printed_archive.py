"""What `tsc print-code` prints of an archive, as a program again: files of code in one text.

A comment tells where each file begins, ``# code/__torch__/a/b.py``; the last part, ``# constants``, describes the
tensors that code names ``CONSTANTS.c0``. The graphs are those of the archive. There is nothing to run, since the
values of attributes and constants stayed in the archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from tsc.compiler.archive_program import archive_program
from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.classes.defined_types import DefinedType
from tsc.compiler.frontend.tree_views import ClassDef, Def
from tsc.compiler.ir import Function, Graph, constant_value, parse_ir
from tsc.compiler.reach import methods_of_class
from tsc.compiler.source import CompileError, Problems, Source, UsageError
from tsc.compiler.types import ClassType
from tsc.runtime.programs.source_unit import SourceUnit

_FILE: Final = re.compile(r"^# code/(__torch__(?:/\w+)*)\.py\n", re.MULTILINE)
_CONSTANTS: Final = "# constants\n"
_ROOT: Final = "__torch__."


def joined_files(texts: Mapping[str, str], constants: Iterable[object] = ()) -> str:
    """One text of the code files of an archive, by their paths, with the types of the constants that they name."""
    parts = [f"# code/{path}\n{text}" for path, text in texts.items()]
    graph = Graph()
    for number, constant in enumerate(constants):
        graph.insert_constant(constant).set_debug_name(f"c{number}")
    described = str(graph).splitlines()[1:-1]
    if described:
        parts.append(_CONSTANTS + "".join(f"#{line}\n" for line in described))
    return "\n".join(parts)


class PrintedArchiveUnit(SourceUnit):
    """The methods and functions in a text that `joined_files` made, by their names without ``__torch__``."""

    def __init__(self, source: Source, using: Toolchain) -> None:
        super().__init__(using)
        self._filename = source.filename
        self._text = source.text
        self._files = dict(_files(source))
        constants = _constants(source.text)
        self._program = archive_program(self._files.get, using, constants)

    def selected(self, name: str | None, init: str | None = None) -> dict[str, Function]:
        """The method or function of that name, the methods of the class of that name, or all."""
        if init is not None:
            raise UsageError("--init: the classes of an archive have no constructors")
        functions = {_path(each): each for each in self._functions()}
        chosen = {
            path: each
            for path, each in functions.items()
            if name is None or f".{name}." in f".{path}."
        }
        if not chosen:
            raise UsageError(f"there is no function or class '{name}' in {self._filename}")
        self._reach.define(chosen.values())
        return chosen

    def choose(self, name: str | None, init: str | None = None) -> Any:
        """Raises `UsageError`: there is nothing to run."""
        raise UsageError(
            f"{self._filename}: this is the code of an archive, without the values of its attributes\n"
            "hint: run the archive that it was printed from"
        )

    def printed(self, name: str | None, init: str | None = None) -> str:
        """Some functions of the text as Python source; without a name, the text as it is, if it compiles."""
        if name is not None:
            return super().printed(name, init)
        self.selected(None, init)
        return self._text

    def report(self, problems: Problems) -> list[Function]:
        """Compile every method and function; what does not compile is reported."""
        compiled: list[Function] = []
        for function in self._functions(problems):
            try:
                function.ensure_defined()
            except CompileError as error:
                problems.report(error)
            else:
                compiled.append(function)
        return compiled

    def _functions(self, problems: Problems | None = None) -> Iterator[Function]:
        for type in self._types(problems):
            if isinstance(type, ClassType):
                yield from methods_of_class(type)
        for name, definition in self._definitions():
            if isinstance(definition, Def):
                function = self._program.function_named(name)
                assert function is not None
                yield function

    def _types(self, problems: Problems | None = None) -> Iterator[DefinedType | None]:
        for name, definition in self._definitions():
            if not isinstance(definition, ClassDef):
                continue
            try:
                yield self._program.type_named(name, definition.range)
            except CompileError as error:
                if problems is None:
                    raise
                problems.report(error)

    def _definitions(self) -> Iterator[tuple[str, ClassDef | Def]]:
        """The definitions of all files, by their qualified names."""
        for qualifier in self._files:
            file = self._program.file(qualifier)
            if file is not None:
                for name, definition in file.definitions.items():
                    yield f"{qualifier}.{name}", definition


def _files(source: Source) -> Iterator[tuple[str, Source]]:
    """The text of each file, by its qualifier, with its place in the whole."""
    text, _, _ = source.text.partition(f"\n{_CONSTANTS}")
    starts = [*_FILE.finditer(text)]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends):
        line = source.first_line + text.count("\n", 0, match.end())
        part = Source(text[match.end() : end], source.filename, line)
        part.origin_at = lambda _offset: None
        yield match.group(1).replace("/", "."), part


def _constants(text: str) -> list[object]:
    """Constants of which only the type and the text in a graph are known."""
    _, _, described = text.partition(f"\n{_CONSTANTS}")
    lines = "".join(f"{line.removeprefix('#')}\n" for line in described.splitlines())
    graph = parse_ir(f"graph():\n{lines}  return ()\n")
    return [constant_value(node.output) for node in graph.nodes()]


def _path(function: Function) -> str:
    return function.qualified_name.removeprefix(_ROOT)
