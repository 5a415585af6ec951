"""What a ``for`` loop can run over besides plain values: ranges, and trees of iterables.

`zip(x, y)` iterates over its children in step; `enumerate(x)` is `zip(range(...), x)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_values
from tsc.compiler.emit.calls.call_hints import conversion_hint, variable_name
from tsc.compiler.emit.calls.missing_annotations import missing_annotation, type_error
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.protocols import Emitter, SugaredValue
from tsc.compiler.emit.sugared_values.simple_value import SimpleValue
from tsc.compiler.emit.sugared_values.tuple_value import TupleValue
from tsc.compiler.ir import Value, aten, prim
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import INT, IntType, Type


class RangeValue(SugaredValue):
    """``range(...)``. With ``end`` alone, trip counts and items need no arithmetic.

    The range of an `enumerate` takes its static length from what is enumerated.
    """

    __slots__ = ("end", "has_only_end", "known_length", "start", "step")

    def __init__(
        self,
        range: SourceRange,
        emitter: Emitter,
        inputs: Sequence[Value],
        known_length: int | None = None,
    ) -> None:
        _check_range_inputs(range, emitter, inputs)
        insert_constant = emitter.graph.insert_constant
        self.has_only_end = len(inputs) == 1
        self.known_length = known_length
        if self.has_only_end:
            self.end = inputs[0]
            self.start = insert_constant(0, range=range)
        else:
            self.start, self.end = inputs[:2]
        self.step = inputs[2] if len(inputs) == 3 else insert_constant(1, range=range)

    @property
    def kind(self) -> str:
        return "range"

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def static_length(self) -> int | None:
        return self.known_length

    def length(self, range: SourceRange, emitter: Emitter) -> Value:
        if self.known_length is not None:
            return emitter.graph.insert_constant(self.known_length, range=range)
        if self.has_only_end:
            return self.end
        values = [self.start, self.end, self.step]
        return emit_builtin_values(range, emitter, aten.range_length, values)

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        if self.has_only_end:
            return SimpleValue(index)
        values = [index, self.start, self.step]
        return SimpleValue(emit_builtin_values(range, emitter, aten.derive_index, values))


def _check_range_inputs(range: SourceRange, emitter: Emitter, inputs: Sequence[Value]) -> None:
    for position, value in enumerate(inputs):
        if not isinstance(value.type, IntType):
            raise type_error(
                f"all inputs of range must be ints, found {value.type.message_text} "
                f"in argument {position}",
                range,
                emitter,
                missing_annotation(value, INT),
                code=codes.WRONG_ARGUMENT,
                hint=conversion_hint(variable_name(value), value.type, INT),
            )
    if not inputs:
        raise CompileError(
            "range expected at least 1 arguments, got 0", range, code=codes.WRONG_SPECIAL_CALL
        )
    if len(inputs) > 3:
        raise CompileError(
            f"range expected at most 3 arguments, got {len(inputs)}",
            range,
            code=codes.WRONG_SPECIAL_CALL,
        )


class IterableTree(SugaredValue):
    """Iterables that are run over in step, as long as the shortest one lasts.

    If one of them must be unrolled (a tuple), all must have a static length.
    """

    __slots__ = ("children", "unroll_length")

    def __init__(
        self, range: SourceRange, emitter: Emitter, children: Sequence[SugaredValue] = ()
    ) -> None:
        self.children: list[SugaredValue] = []
        self.unroll_length: int | None = None
        for child in children:
            self.add_child(range, emitter, child)

    @property
    def kind(self) -> str:
        return "iterabletree"

    def add_child(self, range: SourceRange, emitter: Emitter, child: SugaredValue) -> None:
        """Add an iterable (already an ``iterator``) that runs in step with the others."""
        length = child.static_length()
        if not self.children or length is None or self.unroll_length is None:
            if self.children and (length is None) != (self.unroll_length is None):
                raise self._refusal(
                    range,
                    "zip() takes no module list or tuple beside a value that does not have a "
                    "statically determinable length: make lists of all of them",
                    code=codes.NOT_ITERABLE,
                )
            self.unroll_length = length
        else:
            self.unroll_length = min(length, self.unroll_length)
        self.children.append(child)

    def base_iterables(self) -> Iterator[SugaredValue]:
        """The leaves of the tree: values and ranges."""
        for child in self.children:
            if isinstance(child, IterableTree):
                yield from child.base_iterables()
            else:
                yield child

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return self

    def static_length(self) -> int | None:
        return self.unroll_length

    def length(self, range: SourceRange, emitter: Emitter) -> Value:
        lengths = [iterable.length(range, emitter) for iterable in self.base_iterables()]
        all_lengths = insert_list(emitter.graph, INT, lengths)
        return emit_builtin_values(range, emitter, prim.min, [all_lengths])

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        return TupleValue([child.get_item(range, emitter, index) for child in self.children])
