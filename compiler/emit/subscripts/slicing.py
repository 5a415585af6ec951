"""Slices ``a:b:c``: an operator on tensors, lists and strings; indexed one by one on tuples."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.sugared_values import SliceValue
from tsc.compiler.frontend.tree_views import Expr, SliceExpr
from tsc.compiler.ir import Value, aten, constant_value, prim
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import TENSOR, TupleType, Type
from tsc.compiler.value_classes import value_class


@value_class
class Slice:
    """The bounds of a slice, emitted; None where one was left out."""

    start: Value | None
    end: Value | None
    step: Value | None


def emit_bounds(emitter: Emitter, slice: SliceExpr | SliceValue) -> Slice:
    """Emit the bounds of ``a:b:c``; those of a ``slice(a, b, c)`` have been."""
    if isinstance(slice, SliceValue):
        return Slice(slice.start, slice.stop, slice.step)

    def bound(tree: Expr | None) -> Value | None:
        return None if tree is None else emitter.emit_expression(tree)

    return Slice(bound(slice.start), bound(slice.end), bound(slice.step))


def emit_basic_slice(
    emitter: Emitter, range: SourceRange, value: Value, slice: SliceExpr | SliceValue
) -> Value:
    """Emit ``value[a:b:c]``, along the first dimension of a tensor."""
    if isinstance(value.type, TupleType):
        return _emit_tuple_slice(emitter, range, value, value.type, emit_bounds(emitter, slice))
    dimension = None
    if value.type.is_subtype_of(TENSOR):
        dimension = emitter.graph.insert_constant(0, range=range)
    return emit_slice(emitter, range, value, slice, dimension)


def emit_slice(
    emitter: Emitter,
    range: SourceRange,
    value: Value,
    slice: SliceExpr | SliceValue,
    dimension: Value | None,
) -> Value:
    """Emit ``aten::slice``; a tensor is sliced along ``dimension``."""
    bounds = emit_bounds(emitter, slice)
    step = bounds.step or emitter.graph.insert_constant(1, range=range)
    arguments = [NamedValue(value, range)]
    if dimension is not None:
        arguments.append(NamedValue(dimension, range))
    named = [("start", bounds.start), ("end", bounds.end), ("step", step)]
    keywords = [NamedValue(given, range, name) for name, given in named if given is not None]
    return emit_builtin_call(range, emitter, aten.slice, arguments, keywords)


def _emit_tuple_slice(
    emitter: Emitter, range: SourceRange, value: Value, type: TupleType, bounds: Slice
) -> Value:
    """The elements are chosen at compile time, so the bounds must be constants."""
    positions = _positions(len(type.elements))[constant_bounds(bounds, range)]
    elements = [emit_tuple_element(emitter, value, type, position) for position in positions]
    return insert_tuple(emitter.graph, elements)


def _positions(length: int) -> tuple[int, ...]:
    return tuple(range(length))


def constant_bounds(bounds: Slice, range: SourceRange) -> slice:
    """The bounds of a slice of what the compiler knows element by element."""
    start, end = _constant(bounds.start, range), _constant(bounds.end, range)
    step = _constant(bounds.step, range)
    if step == 0:
        raise CompileError("slice step cannot be zero", range, code=codes.INVALID_SLICE)
    return slice(start, end, step)


def emit_tuple_element(emitter: Emitter, value: Value, type: TupleType, position: int) -> Value:
    index = emitter.graph.insert_constant(position)
    return insert_tuple_index(emitter, value, index, type.elements[position])


def insert_tuple_index(emitter: Emitter, value: Value, index: Value, type: Type) -> Value:
    return emitter.insert(prim.TupleIndex, [value, index]).output.set_type(type)


def _constant(bound: Value | None, range: SourceRange) -> int | None:
    if bound is None:
        return None
    constant = constant_value(bound)
    if not isinstance(constant, int) or isinstance(constant, bool):
        raise CompileError(
            "tuple slice indices must be integer constants",
            range,
            code=codes.INVALID_SLICE,
            hint="the type of the result depends on them; a list may be sliced by variables",
        )
    return constant
