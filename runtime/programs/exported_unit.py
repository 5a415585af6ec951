"""An exported program as the command line sees it: one function, ``forward``, and the program in its own forms."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from tsc.compiler.compile import Toolchain
from tsc.compiler.exir.exported_program import CallSpec
from tsc.compiler.exir.fx_text import module_text
from tsc.compiler.exir.translation.scope import TranslationError
from tsc.compiler.ir import Function
from tsc.compiler.printing.python_printer import print_python
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import CompileError, Problems, Source, UsageError, codes
from tsc.compiler.types import ANY, TENSOR
from tsc.runtime.exported.loading import read_exported
from tsc.runtime.exported.program import ExportedModule, LoadedProgram
from tsc.runtime.programs.source_unit import SourceUnit
from tsc.runtime.serialization.archive_reader import ArchiveReader

_FORWARD: Final = "forward"


class ExportedUnit(SourceUnit):
    """The program of a `.pt2` file."""

    def __init__(self, archive: ArchiveReader, toolchain: Toolchain) -> None:
        super().__init__(toolchain)
        self._archive = archive

    @cached_property
    def program(self) -> LoadedProgram:
        """The program. Raises `ArchiveError` if the file cannot be loaded."""
        return read_exported(self._archive)

    @cached_property
    def runnable(self) -> ExportedModule:
        """What runs it. Raises `TranslationError` if tsc has not what it calls."""
        return self.program.module()

    def selected(self, name: str | None, init: str | None = None) -> dict[str, Function]:
        """The only function."""
        self._refuse_others(name, init)
        return {_FORWARD: self.runnable.function.function}

    def choose(self, name: str | None, init: str | None = None) -> Any:
        """A call of the program, with its own arguments."""
        self._refuse_others(name, init)
        return ExportedCall(self.runnable, self.program.call_spec)

    def printed(self, name: str | None, init: str | None = None) -> str:
        """The function as Python source, whose first arguments are parameters, buffers and constants."""
        self._refuse_others(name, init)
        return print_python(self.runnable.function.function)

    def report(self, problems: Problems) -> list[Function]:
        """The function; what keeps it from running is reported."""
        try:
            return [self.runnable.function.function]
        except TranslationError as error:
            place = Source("", self._archive.name).range(0, 0)
            problems.report(
                CompileError(error.message, place, code=codes.UNKNOWN_OPERATOR, hint=error.hint)
            )
            return []

    def text_of_stage(self, stage: str) -> str:
        """The program in one of its own forms."""
        if stage == "fx":
            return module_text(self.program.graph_module)
        if stage == "python":
            return str(self.program)
        return f"{self.program.graph_signature}".strip()

    def _refuse_others(self, name: str | None, init: str | None) -> None:
        if init is not None:
            raise UsageError("--init: an exported program is made already")
        if name not in (None, _FORWARD):
            raise UsageError(
                f"{self._archive.name}: an exported program has one function, forward, and no {name!r}"
            )


class ExportedCall:
    """A call of an exported program."""

    def __init__(self, module: ExportedModule, call_spec: CallSpec) -> None:
        self._module = module
        self.function = module.function.function
        self.schema = _schema_of_call(call_spec)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._module(*args, **kwargs)

    def check_arguments(self, *args: Any, **kwargs: Any) -> None:
        """Raise `ScriptError` for arguments for which the program was not made."""
        self._module.check_arguments(*args, **kwargs)


def _schema_of_call(call_spec: CallSpec) -> FunctionSchema:
    """The arguments by name; a container may hold anything."""
    positional, named = call_spec.in_spec.children
    names = call_spec.argument_names or tuple(f"arg_{n}" for n in range(len(positional.children)))
    specs = (*positional.children, *named.children)
    arguments = [
        Argument.of(str(name), TENSOR if spec.kind is None else ANY)
        for name, spec in zip((*names[: len(positional.children)], *named.context), specs)
    ]
    return FunctionSchema(_FORWARD, "", tuple(arguments), (Argument.of("", ANY),))
