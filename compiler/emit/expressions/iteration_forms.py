"""What loops run over: ``range``, ``zip``, ``enumerate``, ``reversed``."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call, emit_builtin_values
from tsc.compiler.emit.calls.call_arguments import check_argument_count
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values import IterableTree, RangeValue, SimpleValue, TupleValue
from tsc.compiler.frontend.tree_views import Apply
from tsc.compiler.ir import MAX_TRIP_COUNT, Value, aten
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import ListType, StringType, Type


def emit_range(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    _refuse_keywords(tree, "range")
    return RangeValue(tree.range, emitter, emitter.emit_values(tree.inputs))


def emit_zip(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    _refuse_keywords(tree, "zip")
    if not tree.inputs:
        raise CompileError(
            "zip expected at least 1 arguments, got 0", tree.range, code=codes.WRONG_SPECIAL_CALL
        )
    result = IterableTree(tree.range, emitter)
    for argument in tree.inputs:
        iterated = emitter.emit_sugared_expression(argument, 1)
        result.add_child(tree.range, emitter, iterated.iterator(tree.range, emitter))
    return result


def emit_enumerate(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``enumerate(x, start)`` is ``zip(range(start, largest int), x)``."""
    count = len(tree.inputs) + len(tree.attributes)
    if not tree.inputs:
        raise CompileError(
            "enumerate expected at least 1 arguments, got 0",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    if count > 2:
        raise CompileError(
            f"enumerate expected at most 2 arguments, got {count}",
            tree.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    start = _start(emitter, tree)
    end = emitter.number(MAX_TRIP_COUNT, tree.range)
    sugared = emitter.emit_sugared_expression(tree.inputs[0], 1)
    iterable = sugared.iterator(tree.range, emitter)
    bounds = [end] if start is None else [start, end]
    counter = RangeValue(tree.range, emitter, bounds, iterable.static_length())
    return IterableTree(tree.range, emitter, [counter, iterable])


def _start(emitter: Emitter, tree: Apply) -> Value | None:
    if len(tree.inputs) == 2:
        return emitter.emit_expression(tree.inputs[1])
    if not tree.attributes:
        return None
    attribute = tree.attributes[0]
    if attribute.name.name != "start":
        raise CompileError(
            f"enumerate has no keyword argument '{attribute.name.name}'",
            attribute.range,
            code=codes.WRONG_SPECIAL_CALL,
        )
    return emitter.emit_expression(attribute.value)


def emit_reversed(emitter: Emitter, tree: Apply, type_hint: Type | None) -> SugaredValue:
    """``reversed(x)`` of a list, a string, a tuple or a range."""
    refusal = "Python builtin 'reversed' is currently not supported in TorchScript"
    emitter.acceptance.use(extensions.REVERSED, tree.range, refusal)
    check_argument_count(tree, 1)
    sugared = emitter.emit_sugared_expression(tree.inputs[0], 1)
    iterable = sugared.iterator(tree.range, emitter)
    if isinstance(iterable, RangeValue):
        return _reversed_range(emitter, tree.range, iterable)
    if isinstance(iterable, TupleValue):
        return TupleValue(iterable.elements[::-1])
    if isinstance(iterable, SimpleValue) and isinstance(iterable.value.type, ListType | StringType):
        return _reversed_sequence(emitter, tree.range, iterable.value)
    raise CompileError(
        f"'{sugared.kind}' object is not reversible",
        tree.range,
        code=codes.NOT_ITERABLE,
        hint="make a list of it first; a tensor has .flip(0)",
    )


def _reversed_range(emitter: Emitter, range: SourceRange, iterable: RangeValue) -> SugaredValue:
    def emit(name: str, *values: Value) -> Value:
        return emit_builtin_values(range, emitter, name, values)

    one = emitter.graph.insert_constant(1, range=range)
    length = iterable.length(range, emitter)
    if iterable.has_only_end:
        length = emit("aten::__range_length", iterable.start, iterable.end, iterable.step)
    last = emit(aten.derive_index, emit(aten.sub, length, one), iterable.start, iterable.step)
    stop = emit(aten.sub, iterable.start, iterable.step)
    return RangeValue(range, emitter, [last, stop, emit(aten.neg, iterable.step)])


def _reversed_sequence(emitter: Emitter, range: SourceRange, value: Value) -> SugaredValue:
    step = emitter.graph.insert_constant(-1, range=range)
    keywords = [NamedValue(step, range, "step")]
    arguments = [NamedValue(value, range)]
    return SimpleValue(emit_builtin_call(range, emitter, aten.slice, arguments, keywords))


def _refuse_keywords(tree: Apply, name: str) -> None:
    if tree.attributes:
        raise CompileError(
            f"{name} takes no keyword arguments",
            tree.attributes[0].range,
            code=codes.WRONG_SPECIAL_CALL,
        )
