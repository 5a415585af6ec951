"""The functions of one or more source texts, found by name and ready to be called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from compiler.compile import Toolchain, compile_source
from compiler.emit.source_resolver import SourceResolver
from compiler.ir import Function
from compiler.source import Source
from runtime.source_files import UsageError
from runtime.toolchain import toolchain

if TYPE_CHECKING:
    from compiler.types import EnumType, TupleType
    from runtime.script_function import ScriptFunction

_ENTRY_POINTS = ("main", "forward")


class SourceUnit:
    """Functions that may call each other, compiled with one toolchain."""

    def __init__(self, toolchain: Toolchain, texts: Iterable[SourceResolver] = ()) -> None:
        """`texts` are those of another unit, whose classes and constants this one may use."""
        self._toolchain = toolchain
        self._compiled: dict[str, Function] = {}
        self._scripted: dict[str, ScriptFunction] = {}
        self._texts = list(texts)

    @classmethod
    def from_source(
        cls, source: Source, *, strict: bool = False, using: Toolchain | None = None
    ) -> SourceUnit:
        """A unit of an already read source, compiled with the toolchain `using` if one is given."""
        unit = cls(toolchain(strict) if using is None else using)
        unit.define(source)
        return unit

    def define(self, source: Source) -> None:
        """Compile more functions, which may call those of the unit. All or none are added.

        Raises `CompileError`, also for the name of a function that the unit has already.
        """
        compile_source(source, self._toolchain, self._compiled, earlier=self._texts)

    def define_expression(self, source: Source) -> SourceUnit:
        """A unit of its own for a text that may use the classes and constants of this one."""
        unit = SourceUnit(self._toolchain, self._texts)
        unit.define(source)
        return unit

    @property
    def class_names(self) -> list[str]:
        """The names of the classes of all texts, those that cannot be used included."""
        return [name for text in self._texts for name in text.class_names]

    def class_type(self, name: str) -> TupleType | EnumType | None:
        """The type that a class of that name is, if there is one. Raises `CompileError`."""
        types = (text.class_type(name) for text in reversed(self._texts))
        return next((type for type in types if type is not None), None)

    @property
    def compiled(self) -> Mapping[str, Function]:
        """Every function as the compiler made it, by name, in the order of the text."""
        return self._compiled

    def function(self, name: str) -> ScriptFunction:
        """The function of that name; raises `UsageError` if there is none."""
        if name not in self._scripted:
            from runtime.script_function import ScriptFunction

            self._scripted[name] = ScriptFunction(self._compiled[self.existing(name)])
        return self._scripted[name]

    def existing(self, name: str) -> str:
        """`name`, if there is a function of that name; raises `UsageError` otherwise."""
        if name not in self._compiled:
            raise UsageError(f"there is no function {name!r} {self._choice()}")
        return name

    def choose(self, name: str | None) -> ScriptFunction:
        """The function to run: the one named, or else the only one, or ``main``, or ``forward``."""
        if name is not None:
            return self.function(name)
        if len(self._compiled) == 1:
            return self.function(next(iter(self._compiled)))
        for entry in _ENTRY_POINTS:
            if entry in self._compiled:
                return self.function(entry)
        raise UsageError(f"which function to run? Name one {self._choice()}")

    def _choice(self) -> str:
        names = ", ".join(self._compiled)
        return f"(the functions are {names})" if names else "(the file defines no function)"
