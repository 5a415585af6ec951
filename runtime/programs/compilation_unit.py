"""The compilation unit of the facade: its functions are its attributes, whatever their names."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import FrameType
from typing import TYPE_CHECKING, Any

from tsc.compiler.ir import Function
from tsc.compiler.outer_net import foreseen
from tsc.compiler.source import Source, UsageError
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.live.outside_names import Names, OutsideNames, names_of_frame
from tsc.runtime.programs.source_files import read_source_file
from tsc.runtime.programs.source_unit import SourceUnit

if TYPE_CHECKING:
    from tsc.runtime.python_api.script_module import ScriptModule


class CompilationUnit:
    """Compiles a whole source text; its functions and classes are attributes.

    `source` is TorchScript with or without imports: ``torch``, ``math``, ``Tensor``, ``List``, …
    resolve either way. `filename` is the name in messages. `strict` rejects what PyTorch rejects
    where tsc goes further. Other names mean what they are bound to where the unit is made, or what `names` says: a
    mapping, or a function that gives the object of a name, and None for an unknown one. Raises `CompileError`.
    """

    def __init__(
        self,
        source: str | None = None,
        filename: str | None = None,
        strict: bool = False,
        names: Names | None = None,
    ) -> None:
        self._unit = SourceUnit(toolchain(strict))
        if source is not None:
            self._define(source, filename, names, sys._getframe(1))

    def define(self, source: str, filename: str | None = None, names: Names | None = None) -> None:
        """Compile more functions, which may call those of the unit. All or none are added.

        Raises `CompileError`, also for the name of a function that the unit has already.
        """
        self._define(source, filename, names, sys._getframe(1))

    def _define(
        self, source: str, filename: str | None, names: Names | None, caller: FrameType
    ) -> None:
        if not isinstance(source, str):
            raise UsageError(
                f"the source of a compilation unit is a text, not an object of type {type(source).__name__!r}"
            )
        with foreseen():
            known = names_of_frame(caller, source) if names is None else names
            outside = OutsideNames(known)
            self._unit.define(Source(source, filename or "<string>"), outside=outside)

    def __getattr__(self, name: str) -> Any:
        unit = self.__dict__.get("_unit")
        with foreseen():
            if unit is not None and name in unit.compiled:
                return unit.function(name)
            if unit is not None and unit.is_module(name):
                return ModuleClass(unit, name)
            defined = None if unit is None else unit.class_type(name)
        if defined is None:
            raise AttributeError(f"the compilation unit has no function {name!r}")
        from tsc.runtime.programs.python_classes import python_class  # with the executor

        return python_class(defined)

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self._unit.compiled, *self._unit.class_names]

    def selected_functions(self) -> dict[str, Function]:
        """All functions and methods, by name. Raises `CompileError`."""
        return self._unit.selected(None)

    def __repr__(self) -> str:
        return f"<CompilationUnit of {', '.join(self._unit.compiled) or 'no functions'}>"


class ModuleClass:
    """A class of modules: a call constructs one, by evaluation of the source, and compiles it."""

    __slots__ = ("_name", "_unit")

    def __init__(self, unit: SourceUnit, name: str) -> None:
        self._unit = unit
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> ScriptModule:
        """Raises `CompileError`, and `ScriptError` for what the constructor raises."""
        with foreseen():
            return self._unit.make_module(self._name, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<module class {self._name!r}>"


def compile_file(path: str, strict: bool = False) -> CompilationUnit:
    """The TorchScript source file at `path`, of which is compiled what is asked for, and what that reaches.

    Raises `CompileError` if it cannot be parsed, or `Error` if it cannot be read; what is wrong with a
    function or a class is raised when it is asked for.
    """
    unit = CompilationUnit(strict=strict)
    with foreseen():
        unit._unit.define(read_source_file(str(path)), at_once=False)
    return unit
