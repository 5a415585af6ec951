"""The name of a class of modules in a program: its static methods can be called, but none can be made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.function_value import FunctionValue
from tsc.compiler.frontend.tree_views import ClassDef, Def, Var
from tsc.compiler.ir import Function, Value
from tsc.compiler.source import CompileError, SourceRange


class ModuleClassName(SugaredValue):
    """``derived`` compiles a definition of its text; ``refusal`` is the error of any other use."""

    __slots__ = ("definition", "derived", "refusal")

    def __init__(
        self, definition: ClassDef, derived: Callable[[Def], Function], refusal: CompileError
    ) -> None:
        self.definition = definition
        self.derived = derived
        self.refusal = refusal

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return f"class '{self.definition.name.name}'"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        raise self.refusal

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        for each in self.definition.body:
            if isinstance(each, Def) and each.name.name == name and _is_static(each):
                return FunctionValue(self.derived(replace(each, decorators=())))
        raise self.refusal

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        raise self.refusal


def _is_static(definition: Def) -> bool:
    names = [each.name.name for each in definition.decorators if isinstance(each, Var)]
    return names == ["staticmethod"]
