"""Exception classes and what calling one gives: a message that ``raise`` can use."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.ir import Value, aten
from tsc.compiler.source import SourceRange
from tsc.compiler.types import STRING


class ExceptionMessageValue(SugaredValue):
    """An exception to raise: its message and the qualified name of its class."""

    __slots__ = ("class_name", "message")

    def __init__(self, message: Value, class_name: Value | None = None) -> None:
        self.message = message
        self.class_name = class_name

    @property
    def kind(self) -> str:
        return "exception message"


class ExceptionClass(SugaredValue):
    """A Python exception class, ``builtins.ValueError``."""

    __slots__ = ("qualified_name",)

    def __init__(self, qualified_name: str) -> None:
        self.qualified_name = qualified_name

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "Python exception"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        values = [argument.value for argument in [*args, *kwargs]]
        graph = emitter.graph
        if not values:
            message = graph.insert_constant("", range=range)
        elif len(values) == 1:
            message = values[0]
        else:
            message = insert_tuple(graph, values)
        class_name = graph.insert_constant(self.qualified_name, range=range)
        return ExceptionMessageValue(message, class_name)


class AssertionErrorClass(ExceptionClass):
    """``AssertionError``, which has its name in its message instead of a class to be caught by."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("builtins.AssertionError")

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        message = emitter.graph.insert_constant("AssertionError: ", range=range)
        for argument in args:
            text = argument.value
            if not text.type.is_subtype_of(STRING):
                text = emit_builtin_values(range, emitter, aten.str, [text])
            message = emit_builtin_values(range, emitter, aten.add, [message, text])
        return ExceptionMessageValue(message)
