"""An archive as the command line sees it: methods by their paths, to be compiled, printed and run."""

from __future__ import annotations

from typing import Any, cast

from compiler.compile import Toolchain
from compiler.ir import Function
from compiler.printing import print_python
from compiler.schema import FunctionSchema
from compiler.source import CompileError, Problems
from compiler.types import ClassType
from runtime.archives.code_files import CodeFiles
from runtime.archives.loading import load_archive, open_archive
from runtime.script_module import ModuleMethod, ScriptModule
from runtime.serialization.archive_reader import ArchiveReader
from runtime.serialization.errors import ArchiveError
from runtime.source_files import UsageError
from runtime.source_unit import SourceUnit, method_at

_FORWARD = "forward"


def read_archive_file(file: str) -> ArchiveReader:
    """A file as an archive. Raises `UsageError` if it is none, with what it is and what to do."""
    try:
        return open_archive(file)
    except ArchiveError as error:
        raise UsageError(str(error)) from None


class ArchiveUnit(SourceUnit):
    """The module of an archive. ``encoder.layers.0.forward`` is a method of a submodule."""

    def __init__(self, archive: ArchiveReader, toolchain: Toolchain) -> None:
        super().__init__(toolchain)
        self.module_loaded = load_archive(archive, toolchain)

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
        method = self._method(name or _FORWARD)
        return ForwardCall(method) if method.name == _FORWARD else method

    def printed(self, name: str | None, init: str | None = None) -> str:
        """A method as Python source; without a name, all code of the archive."""
        _refuse_constructor(init)
        if name is not None:
            return print_python(self._method(name).function)
        files = CodeFiles()
        files.add(each.script_object.script_type for each in self.module_loaded.modules())
        texts = files.texts()
        return "\n".join([f"# code/{path}\n{text}" for path, text in texts.items()])

    def _method(self, name: str) -> ModuleMethod:
        return method_at(self.module_loaded, name, name)

    def report(self, problems: Problems) -> list[Function]:
        """Compile every method of every module; what does not compile is reported."""
        compiled: list[Function] = []
        types = [each.script_object.script_type for each in self.module_loaded.modules()]
        for type in dict.fromkeys(types):
            compiled += _compiled_methods(type, problems)
        return compiled


class ForwardCall:
    """A call of a module."""

    def __init__(self, method: ModuleMethod) -> None:
        self._module: ScriptModule = method.module
        self.schema: FunctionSchema = method.schema

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._module(*args, **kwargs)


def _compiled_methods(type: ClassType, problems: Problems) -> list[Function]:
    compiled: list[Function] = []
    for method in type.methods.values():
        assert isinstance(method, Function)
        try:
            method.ensure_defined()
        except CompileError as error:
            problems.report(error)
        else:
            compiled.append(method)
    return compiled


def _ensured(function: Function) -> Function:
    function.ensure_defined()
    return function


def _full_name(name: str, method: ModuleMethod) -> str:
    return name if name.rpartition(".")[2] == method.name else f"{name}.{method.name}"


def _refuse_constructor(init: str | None) -> None:
    if init is not None:
        raise UsageError("--init: the module of an archive is made already")
