"""The problems of source files, for `tsc check`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tsc.compiler.budget import budget
from tsc.compiler.check import check_source
from tsc.compiler.emit.resolvers.source_resolver import SourceResolver
from tsc.compiler.frontend.unreachable_code import unreachable_statements
from tsc.compiler.ir import Function
from tsc.compiler.reports import Problem, Selection, json_report, sarif, text
from tsc.compiler.source import (
    CompileError,
    Error,
    ExtensionUse,
    Problems,
    Source,
    UsageError,
    codes,
)
from tsc.runtime.commands.module_classes import ModuleClasses
from tsc.runtime.commands.programs import (
    archives,
    is_printed_archive,
    printed_archive,
    read_program,
)
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.programs.ir_text import is_ir_text, unit_of_graph
from tsc.runtime.programs.source_files import STDIN
from tsc.runtime.programs.unread_code import LeftOut, unread_code
from tsc.runtime.serialization.errors import ArchiveError

if TYPE_CHECKING:
    from tsc.runtime.serialization.archive_reader import ArchiveReader

OnFile = Callable[[str, int, int], None]
"""Hears of each file before it is checked: its name, its number and how many there are."""


@dataclass
class Checked:
    """What was found: problems by file and place, files that could not be read, and what was not looked at."""

    files: int = 0
    problems: list[Problem] = field(default_factory=list)
    unreadable: list[Error] = field(default_factory=list)
    not_typed: dict[str, LeftOut] = field(default_factory=dict)
    not_looked_at: list[LeftOut] = field(default_factory=list)

    @property
    def summary(self) -> str:
        return text.summary(self.problems, self.files)

    @property
    def remarks(self) -> list[str]:
        """What was not looked at, a line each: without problems is only the rest."""
        lines: list[str] = []
        if self.not_typed:
            first = next(iter(self.not_typed))
            hint = f'say how they are made, as in --init "{first}(10, hidden=32)"'
            lines.append(f"Not typed are the methods of these modules; {hint}:")
            lines += [
                f"  {each.place}: {name}: {each.reason}" for name, each in self.not_typed.items()
            ]
        if self.not_looked_at:
            lines += ["Not looked at:", *(f"  {each}" for each in self.not_looked_at)]
        return lines


def check_files(
    files: Sequence[str],
    selection: Selection,
    *,
    strict: bool = False,
    inits: Sequence[str] = (),
    on_file: OnFile | None = None,
) -> Checked:
    """Check files, and what they use of the files that they import; `inits` construct modules.

    A file that is imported by one of `files` and is among them itself is checked once, as a whole.
    """
    modules = ModuleClasses({each.partition("(")[0].strip(): each for each in inits})
    checked = Checked(not_typed=modules.not_typed)
    names = list(dict.fromkeys(files))
    problems = Problems()
    for number, name in enumerate(names, start=1):
        if on_file is not None:
            on_file(name, number, len(names))
        try:
            source = read_program(name)
        except UsageError as error:
            checked.unreadable.append(error)
            continue
        if not isinstance(source, Source):
            _check_archive(source, checked, problems, selection)
            continue
        checked.files += 1
        with budget():
            if is_printed_archive(source):
                functions = printed_archive(source, toolchain()).report(problems)
                _report_extensions(functions, selection, problems)
                continue
            if is_ir_text(source):
                _check_graph(source, problems)
                continue
            checked.not_looked_at += check_file(
                source, selection, problems, strict=strict, modules=modules
            )
    if not checked.unreadable:
        modules.check_used()
    found = [Problem(each) for each in problems if selection.wants(each.code)]
    checked.problems = sorted(_without_doubles(found, names), key=_order(names))
    return checked


def written(checked: Checked, form: str, version: str) -> str:
    """A report as ``text``, ``json`` or ``sarif``; ``version`` is that of tsc."""
    if form == "json":
        not_typed = {name: each.reason for name, each in checked.not_typed.items()}
        return json_report.report(
            checked.problems, checked.files, not_typed, list(map(_entry, checked.not_looked_at))
        )
    if form == "sarif":
        remarks = [f"the methods of {each} were not typed" for each in checked.not_typed]
        remarks += [f"not looked at: {each}" for each in checked.not_looked_at]
        complete = not checked.unreadable
        return sarif.report(checked.problems, version, complete=complete, remarks=remarks)
    return text.report(checked.problems)


def _entry(left_out: LeftOut) -> Mapping[str, object]:
    range = left_out.range
    return {"file": range.filename, "line": range.line, "reason": left_out.reason}


def check_file(
    source: Source,
    selection: Selection,
    problems: Problems,
    *,
    strict: bool = False,
    modules: ModuleClasses | None = None,
) -> list[LeftOut]:
    """Report the problems of one text, and the warnings if they are wanted; what was not looked at."""
    using = toolchain(strict)
    texts: list[SourceResolver] = []
    functions = check_source(source, using, problems, texts)
    if any(text.is_module(name) for text in texts for name in text.class_names):
        from tsc.runtime.commands.checking_modules import check_modules  # most texts have none

        for text in texts:
            methods = check_modules(text, using, problems, modules or ModuleClasses())
            functions += [each for each in methods if _is_of(each, source)]
    _report_extensions(functions, selection, problems)
    if selection.wants(codes.UNREACHABLE_CODE):
        for error in unreachable_statements(source):
            problems.report(error)
    return [each for text in texts for each in unread_code(text)]


def _check_graph(source: Source, problems: Problems) -> None:
    try:
        unit_of_graph(source, toolchain())
    except CompileError as error:
        problems.report(error)


def _is_of(function: Function, source: Source) -> bool:
    return function.range is not None and function.range.filename == source.filename


def _report_extensions(
    functions: Iterable[Function], selection: Selection, problems: Problems
) -> None:
    if selection.wants(codes.EXTENSION_USED):
        for function in functions:
            for use in function.extensions:
                problems.report(extension_used(use))


def _check_archive(
    archive: ArchiveReader, checked: Checked, problems: Problems, selection: Selection
) -> None:
    """Report the methods of an archive that do not compile, such as those with unknown operators."""
    try:
        with budget():
            functions = archives().unit_of_archive(archive, toolchain()).report(problems)
    except ArchiveError as error:
        checked.unreadable.append(error)
        return
    checked.files += 1
    _report_extensions(functions, selection, problems)


def extension_used(use: ExtensionUse) -> CompileError:
    return CompileError(
        f"PyTorch refuses this: {use.extension.summary} in tsc only",
        use.range,
        code=codes.EXTENSION_USED,
        notes=[f"it is the extension '{use.extension.name}'"],
    )


def _without_doubles(problems: Sequence[Problem], names: Sequence[str]) -> Iterator[Problem]:
    """Leave out what was found in a file under another name than it is checked under."""
    named = {Path(name).resolve(): name for name in names if name != "-"}
    for each in problems:
        if named.get(Path(each.file).resolve(), each.file) == each.file:
            yield each


def _order(names: Sequence[str]) -> Callable[[Problem], tuple[int, str, int, int]]:
    """The files as they are named, then those that they import; in a file, by place."""
    rank = {STDIN if name == "-" else name: rank for rank, name in enumerate(names)}

    def key(problem: Problem) -> tuple[int, str, int, int]:
        range = problem.error.range
        return rank.get(problem.file, len(rank)), problem.file, range.start, range.end

    return key
