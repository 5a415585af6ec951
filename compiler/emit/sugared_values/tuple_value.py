"""A tuple of sugared values, which need not be first-class."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.protocols import Emitter, SugaredValue
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
