"""Functions of Python itself: casts, ``print``, and those that a class may define for itself."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.objects import call_magic_method
from tsc.compiler.emit.sugared_values.simple_value import BuiltinFunction, SimpleValue
from tsc.compiler.emit.sugared_values.special_forms import NoneValue, SliceValue
from tsc.compiler.ir import Value, aten, prim
from tsc.compiler.source import SourceRange, codes
from tsc.compiler.types import ANY_LIST, BOOL, NONE, STRING, DictType, Type

_LARGEST_INT = 2**63 - 1


class CastValue(BuiltinFunction):
    """``int(x)`` and its like: nothing is done when ``x`` has the type already."""

    __slots__ = ("type",)

    def __init__(self, type: Type, name: str) -> None:
        super().__init__(name)
        self.type = type

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if len(args) == 1 and not kwargs:
            value = args[0].value
            zero = emitter.graph.insert_constant(0)  # unused or not: exits are guarded up to it
            if value.type.is_subtype_of(self.type):
                return SimpleValue(value)
            if self.type == BOOL and _is_container(value.type):
                return SimpleValue(_is_not_empty(range, emitter, value, zero))
        return super().call(range, emitter, args, kwargs, binders)


def _is_container(type: Type) -> bool:
    return type.is_subtype_of(ANY_LIST) or type.is_subtype_of(STRING) or isinstance(type, DictType)


def _is_not_empty(range: SourceRange, emitter: Emitter, value: Value, zero: Value) -> Value:
    length = emit_builtin_values(range, emitter, aten.len, [value])
    return emit_builtin_values(range, emitter, aten.gt, [length, zero])


class MagicMethod(SugaredValue):
    """A function that asks an object's class first: ``len(x)`` is ``x.__len__()`` there."""

    __slots__ = ("base", "name")

    def __init__(self, name: str, base: SugaredValue) -> None:
        self.name = name
        self.base = base

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return self.name

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        called = call_magic_method(range, emitter, self.name, args)
        if called is not None:
            return SimpleValue(called)
        return self.base.call(range, emitter, args, kwargs, binders)


class PrintValue(SugaredValue):
    """``print``, which takes any number of values and no options."""

    __slots__ = ()

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "print"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if kwargs:
            raise self._refusal(
                range,
                "print doesn't accept any keyword arguments",
                code=codes.WRONG_SPECIAL_CALL,
                hint="join the pieces into one string first",
            )
        values = [argument.value for argument in args]
        emitter.graph.insert_node(emitter.graph.create(prim.Print, values, 0, range=range))
        return NoneValue()


class SliceClass(SugaredValue):
    """Python's ``slice``, whose calls make indices."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return "Python slice class"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if kwargs:
            raise self._refusal(
                range, "Slice does not accept any keyword arguments", code=codes.WRONG_SPECIAL_CALL
            )
        if not 1 <= len(args) <= 3:
            raise self._refusal(
                range,
                f"slice accepts exactly 1, 2 or 3 arguments, got: {len(args)}",
                code=codes.WRONG_SPECIAL_CALL,
            )
        values: list[Value | None] = [argument.value for argument in args]
        start, stop, step = [None, *values, None] if len(values) == 1 else [*values, None][:3]

        def or_default(value: Value | None, default: int) -> Value:
            if value is None or value.type.is_subtype_of(NONE):
                return emitter.graph.insert_constant(default, range=range)
            return value

        return SliceValue(or_default(start, 0), or_default(stop, _LARGEST_INT), or_default(step, 1))
