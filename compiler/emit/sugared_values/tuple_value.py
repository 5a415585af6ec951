"""A tuple of sugared values, which need not be first-class."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.ir import Value, constant_value
from tsc.compiler.source import SourceRange, codes
from tsc.compiler.types import Type


class TupleValue(SugaredValue):
    """Elements that the compiler knows one by one; loops over it are unrolled."""

    __slots__ = ("elements",)

    def __init__(self, elements: Sequence[SugaredValue]) -> None:
        self.elements = list(elements)

    @property
    def kind(self) -> str:
        return "Tuple"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        values = [element.as_value(range, emitter) for element in self.elements]
        return insert_tuple(emitter.graph, values)

    def as_tuple(
        self, range: SourceRange, emitter: Emitter, size_hint: int | None = None
    ) -> list[SugaredValue]:
        return list(self.elements)

    def as_tuple_value(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def static_length(self) -> int | None:
        return len(self.elements)

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        position = constant_value(index)
        if not isinstance(position, int) or isinstance(position, bool):
            raise self._refusal(
                range,
                "Expected integer literal for index but got a variable or non-integer",
                code=codes.INVALID_TUPLE_INDEX,
                hint="the elements may differ in type, so the index must be known when compiling",
            )
        length = len(self.elements)
        if not -length <= position < length:
            raise self._refusal(
                range,
                f"Index {position} out of range of length {length}",
                code=codes.INVALID_TUPLE_INDEX,
            )
        return self.elements[position]


class UnrolledMethod(SugaredValue):
    """``self.table.items`` and its like: a call gives what is known already."""

    __slots__ = ("result",)

    def __init__(self, result: SugaredValue) -> None:
        self.result = result

    @property
    def kind(self) -> str:
        return "ModuleDictMethod"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if args or kwargs:
            raise self._refusal(
                range, "this method takes no arguments", code=codes.TOO_MANY_ARGUMENTS
            )
        return self.result


def pairs(names: Sequence[SugaredValue], values: Sequence[SugaredValue]) -> TupleValue:
    """A tuple of pairs, as ``items()`` and ``named_children()`` give them."""
    return TupleValue([TupleValue(pair) for pair in zip(names, values)])
