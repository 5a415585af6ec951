"""``x[i] = value``: an operator on a container, a copy into a part of a tensor."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.subscripts.indexing import emit_int_and_slice_indexing, indices_of
from tsc.compiler.emit.sugared_values.objects import call_magic_method
from tsc.compiler.frontend.tree_views import SliceExpr, Subscript
from tsc.compiler.ir import Value, aten, prim
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, SourceRange, codes
from tsc.compiler.types import (
    ANY_TUPLE,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMBER,
    TENSOR,
    OptionalType,
)

_NUMERIC = (NUMBER, INT, BOOL, FLOAT, COMPLEX)


def assign_item(emitter: Emitter, range: SourceRange, target: Subscript, value: NamedValue) -> None:
    """Emit ``target = value`` for a statement that stands at ``range``."""
    container = emitter.emit_expression(target.value)
    if container.type.is_subtype_of(TENSOR):
        _assign_to_tensor(emitter, range, target, container, value)
    else:
        _assign_to_container(emitter, range, target, container, value)


def _assign_to_tensor(
    emitter: Emitter,
    range: SourceRange,
    target: Subscript,
    tensor: Value,
    value: NamedValue,
) -> None:
    """Copy into the selected part, or put at the positions that tensors say."""
    part, tensor_indices = emit_int_and_slice_indexing(
        emitter, target.range, tensor, indices_of(target)
    )
    source = NamedValue(_as_tensor_like(emitter, value.value, part), value.range)
    destination = NamedValue(part, target.range)
    if not tensor_indices:
        emit_builtin_call(range, emitter, aten.copy_, [destination, source])
        return
    indices = index_list(emitter, tensor_indices)
    arguments = [destination, NamedValue(indices, range), source]
    emit_builtin_call(range, emitter, aten.index_put_, arguments)


def index_list(emitter: Emitter, tensor_indices: list[Value]) -> Value:
    """Tensor indices, None among them for dimensions taken whole, as ``aten::index`` takes them."""
    return insert_list(emitter.graph, OptionalType(TENSOR), tensor_indices)


def _as_tensor_like(emitter: Emitter, value: Value, like: Value) -> Value:
    """A number as a tensor of the dtype and the device of ``like``."""
    if value.type not in _NUMERIC:
        return value

    def property_of(name: str) -> Value:
        return emit_builtin_call(UNKNOWN_RANGE, emitter, name, [NamedValue(like, UNKNOWN_RANGE)])

    options = [
        NamedValue(property_of(prim.dtype), UNKNOWN_RANGE, "dtype"),
        NamedValue(property_of(prim.device), UNKNOWN_RANGE, "device"),
    ]
    return emit_builtin_call(
        UNKNOWN_RANGE, emitter, aten.tensor, [NamedValue(value, UNKNOWN_RANGE)], options
    )


def _assign_to_container(
    emitter: Emitter,
    range: SourceRange,
    target: Subscript,
    container: Value,
    value: NamedValue,
) -> None:
    indices = indices_of(target)
    if len(indices) != 1 or isinstance(indices[0], SliceExpr):
        raise CompileError(
            "Sliced expression not yet supported for subscripted assignment. File a bug if you "
            "want this",
            target.range,
            code=codes.NO_SLICE_CHANGE,
            hint="assign the items one by one",
        )
    if container.type.is_subtype_of(ANY_TUPLE):
        raise CompileError(
            f"{container.type.message_text} does not support subscripted assignment",
            target.range,
            code=codes.UNCHANGEABLE_ITEM,
            hint="tuples do not change: build a new one, or use a list",
        )
    index = NamedValue(emitter.emit_expression(indices[0]), indices[0].range)
    arguments = [NamedValue(container, target.value.range), index, value]
    if call_magic_method(range, emitter, "__setitem__", arguments) is not None:
        return
    emit_builtin_call(range, emitter, aten.set_item, arguments)
