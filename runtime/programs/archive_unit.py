"""An archive as the command line sees it: methods by their paths, to be compiled, printed and run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from typing import Any, cast

from tsc.compiler.compile import Toolchain
from tsc.compiler.ir import Function, callee_of
from tsc.compiler.ir.function import CALLS
from tsc.compiler.printing.python_printer import print_python
from tsc.compiler.schema import FunctionSchema
from tsc.compiler.source import CompileError, Problems, UsageError, codes
from tsc.runtime.archives.code_files import CodeFiles
from tsc.runtime.archives.loading import load_archive, open_archive
from tsc.runtime.exported.loading import exported_archive
from tsc.runtime.programs.exported_unit import ExportedUnit
from tsc.runtime.programs.printed_archive import joined_files
from tsc.runtime.programs.source_unit import SourceUnit
from tsc.runtime.programs.unit_modules import method_at
from tsc.runtime.python_api.script_module import ModuleMethod, ScriptModule
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.zip_reader import FileLike

_FORWARD = "forward"


def read_archive_file(file: str, content: bytes | None = None) -> ArchiveReader:
    """A file as an archive of TorchScript or of an exported program; `content` is what was read of it before.

    Raises `UsageError` if it is none, with what it is and what to do.
    """

    def source() -> FileLike:
        return file if content is None else _Named(content, file)

    try:
        return open_archive(source())
    except ArchiveError as error:
        exported = exported_archive(source())
        if exported is None:
            raise UsageError(str(error)) from None
        return exported


def unit_of_archive(
    archive: ArchiveReader, toolchain: Toolchain, *, on_the_cpu: bool = False
) -> ArchiveUnit | ExportedUnit:
    """The module of an archive, or an exported program, as a unit."""
    if archive.is_exported_program:
        return ExportedUnit(archive, toolchain)
    return ArchiveUnit(archive, toolchain, on_the_cpu=on_the_cpu)


class _Named(BytesIO):
    """Bytes that messages call by a name."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = name


class ArchiveUnit(SourceUnit):
    """The module of an archive. ``encoder.layers.0.forward`` is a method of a submodule."""

    def __init__(
        self, archive: ArchiveReader, toolchain: Toolchain, *, on_the_cpu: bool = False
    ) -> None:
        super().__init__(toolchain)
        self._archive = archive
        self._on_the_cpu = on_the_cpu

    @cached_property
    def module_loaded(self) -> ScriptModule:
        """The module. Raises `ArchiveError` if the archive cannot be loaded."""
        return load_archive(self._archive, self._toolchain, on_the_cpu=self._on_the_cpu)

    def selected(self, name: str | None, init: str | None = None) -> dict[str, Function]:
        """The method of that name, or all methods of the module itself."""
        _refuse_constructor(init)
        if name is not None:
            method = self._method(name)
            return {_full_name(name, method): _ensured(method.function)}
        methods = self.module_loaded.script_object.script_type.methods
        return {name: _ensured(cast("Function", each)) for name, each in methods.items()}

    def choose(self, name: str | None, init: str | None = None) -> Any:
        """The method to run, ``forward`` if none is named; its hooks run too, as in a call of the module."""
        _refuse_constructor(init)
        if name is None:
            self._refuse_without_forward()
        method = self._method(name or _FORWARD)
        return ForwardCall(method) if method.name == _FORWARD else method

    def _refuse_without_forward(self) -> None:
        """Say which methods there are, if none is the one that is run when none is named."""
        methods = list(self.module_loaded.script_object.script_type.methods)
        if _FORWARD not in methods:
            there = (
                f"its methods are {', '.join(methods)}: name one" if methods else "nor any method"
            )
            raise UsageError(f"{self._archive.name}: the module has no method 'forward'; {there}")

    def printed(self, name: str | None, init: str | None = None) -> str:
        """A method as Python source; without a name, all code of the archive.

        What calls operators or holds objects that tsc has not is printed as it stands in the archive.
        """
        _refuse_constructor(init)
        if name is None:
            try:
                return self._all_code()
            except (CompileError, ArchiveError) as error:
                if not _is_lacking(error):
                    raise
            return joined_files(self._archive.code_files())
        function = self._method(name).function
        try:
            return print_python(function)
        except CompileError as error:
            if not _is_lacking(error):
                raise
        return _stored_text(function)

    def _all_code(self) -> str:
        files = CodeFiles()
        files.add(each.script_object.script_type for each in self.module_loaded.modules())
        return joined_files(files.texts(), files.constants.values)

    def _method(self, name: str) -> ModuleMethod:
        return method_at(self.module_loaded, name, name)

    def report(self, problems: Problems) -> list[Function]:
        """Compile every method of every module, and what they call; what does not compile is reported."""
        waiting: list[Function] = []
        types = [each.script_object.script_type for each in self.module_loaded.modules()]
        for type in dict.fromkeys(types):
            waiting += cast("list[Function]", [*type.methods.values()])
        known = set(waiting)
        compiled: list[Function] = []
        while waiting:
            function = waiting.pop(0)
            try:
                function.ensure_defined()
            except CompileError as error:
                problems.report(error)
                continue
            compiled.append(function)
            called = [each for each in _called_by(function) if each not in known]
            known.update(called)
            waiting += called
        return compiled


class ForwardCall:
    """A call of a module, with its hooks; `method` is its ``forward``."""

    def __init__(self, method: ModuleMethod) -> None:
        self.method = method
        self._module: ScriptModule = method.module
        self.schema: FunctionSchema = method.schema

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._module(*args, **kwargs)

    def check_arguments(self, *args: Any, **kwargs: Any) -> None:
        """Raise `ScriptError` if ``forward`` does not take these arguments."""
        self.method.check_arguments(*args, **kwargs)


def _is_lacking(error: CompileError | ArchiveError) -> bool:
    """Whether the code is sound, and needs what only PyTorch or an extension of it has."""
    cause = error.__cause__ if isinstance(error, ArchiveError) else error
    known = (codes.UNKNOWN_OPERATOR, codes.UNKNOWN_SERIALIZED_NAME)
    return isinstance(cause, CompileError) and cause.code in known


def _called_by(function: Function) -> Iterator[Function]:
    """The functions and methods that a function calls, each as often as it does."""
    return filter(
        None, (callee_of(each) for each in function.graph.all_nodes() if each.kind in CALLS)
    )


def _stored_text(function: Function) -> str:
    """The text that a function was compiled from, its body indented as that of a function."""
    text, start = function.range.source.text, function.range.start
    first = text.rfind("\n", 0, start) + 1
    lines = text[first : function.range.end].split("\n")
    indent = lines[0].partition("def")[0]
    body = 1 + next((number for number, line in enumerate(lines) if line.endswith(":")), 0)
    lines = [lines[0].removeprefix(indent), *lines[1:body]] + [
        line.removeprefix(indent) for line in lines[body:]
    ]
    return "".join(f"{line}\n" for line in lines)


def _ensured(function: Function) -> Function:
    function.ensure_defined()
    return function


def _full_name(name: str, method: ModuleMethod) -> str:
    return name if name.rpartition(".")[2] == method.name else f"{name}.{method.name}"


def _refuse_constructor(init: str | None) -> None:
    if init is not None:
        raise UsageError("--init: the module of an archive is made already")
