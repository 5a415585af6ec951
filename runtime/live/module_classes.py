"""A class of modules in a program: its static methods can be called, but a function cannot make one."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import TYPE_CHECKING

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.source import CompileError, SourceRange, codes

if TYPE_CHECKING:
    from tsc.runtime.live.protocols import LiveCompilation


class ModuleClassValue(SugaredValue):
    """A subclass of ``nn.Module`` by its name."""

    __slots__ = ("cls", "compilation", "range")

    def __init__(self, cls: type, compilation: LiveCompilation, range: SourceRange) -> None:
        self.cls = cls
        self.compilation = compilation
        self.range = range

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return f"class '{self.cls.__name__}'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        found = inspect.getattr_static(self.cls, name, None)
        if isinstance(found, staticmethod):
            function = found.__func__
            return self.compilation.meaning(function, name, emitter, range, closed=False)
        hint = None
        if isinstance(found, FunctionType | classmethod):
            hint = (
                "make it in the __init__ of another module, and call it as "
                f"self.name.{name}(...); or decorate the method with @staticmethod"
            )
        raise CompileError(
            f"class '{self.cls.__name__}' has no static method '{name}'",
            range,
            code=codes.UNKNOWN_ATTRIBUTE,
            hint=hint,
        )

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        raise CompileError(
            f"Cannot instantiate class '{self.cls.__name__}' in a script function",
            self.range,
            code=codes.NO_MODULE_CLASS,
            hint="make it in the __init__ of another module, and call it as self.name(...)",
        )
