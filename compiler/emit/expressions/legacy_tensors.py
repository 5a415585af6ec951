"""``torch.FloatTensor(...)`` and its like: elements, or the sizes of a tensor not yet filled."""

from __future__ import annotations

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values import LegacyTensorConstructor, SimpleValue
from tsc.compiler.frontend.tree_views import Apply
from tsc.compiler.ir import Value, aten
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, codes
from tsc.compiler.types import INT, ListType, TupleType


def emit_legacy_constructor(
    emitter: Emitter, tree: Apply, callee: LegacyTensorConstructor
) -> SugaredValue:
    if tree.attributes:
        raise CompileError(
            "Legacy tensor constructors take no keyword arguments",
            tree.attributes[0].range,
            code=codes.WRONG_SPECIAL_CALL,
            hint="use torch.tensor(..., dtype=...) or torch.empty(..., dtype=...)",
        )
    values = emitter.emit_values(tree.inputs)
    if not values:
        elements = insert_list(emitter.graph, INT, [])
        return SimpleValue(_call(emitter, aten.tensor, elements, callee.dtype))
    if all(value.type == INT for value in values):
        sizes = insert_list(emitter.graph, INT, values)
        return SimpleValue(_call(emitter, "aten::empty", sizes, callee.dtype))
    if len(values) == 1 and isinstance(values[0].type, ListType | TupleType):
        return SimpleValue(_call(emitter, aten.tensor, values[0], callee.dtype))
    raise CompileError(
        "multiple positional arguments that were not all integers: legacy tensor constructors take "
        "a list of elements, or sizes that are ints",
        tree.range,
        code=codes.WRONG_SPECIAL_CALL,
        hint="use torch.tensor(..., dtype=...)",
    )


def _call(emitter: Emitter, name: str, argument: Value, dtype: int) -> Value:
    keyword = NamedValue(emitter.graph.insert_constant(dtype), UNKNOWN_RANGE, "dtype")
    arguments = [NamedValue(argument, UNKNOWN_RANGE)]
    return emit_builtin_call(UNKNOWN_RANGE, emitter, name, arguments, [keyword])
