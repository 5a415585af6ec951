"""Indexing of tensors: ``x[1, a:b, None, ..., t]`` as select, slice, unsqueeze and index.

Ints, slices, None and tensors act on a dimension that depends on what stands left of them; what
follows an ellipsis counts from the right instead. So all indices are emitted first, from left to
right up to the ellipsis and then from the right, and applied after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tsc.compiler.emit.calls.builtin_calls import emit_builtin_call, emit_builtin_values
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.emit.subscripts.slicing import emit_slice
from tsc.compiler.emit.sugared_values import SliceValue
from tsc.compiler.frontend.tree_views import Dots, Expr, SliceExpr, Subscript, TupleLiteral
from tsc.compiler.ir import Value, aten
from tsc.compiler.source import UNKNOWN_RANGE, CompileError, SourceRange, codes
from tsc.compiler.types import INT, NONE, STRING, TENSOR, ListType, OptionalType, dtype_code
from tsc.compiler.value_classes import value_class

_OPTIONAL_TENSOR = OptionalType(TENSOR)
_LONG = dtype_code("int64")


def indices_of(tree: Subscript) -> Sequence[Expr]:
    """The indices of ``x[i, j]``, which may stand in brackets: ``x[(i, j)]``."""
    indices = tree.subscript_exprs
    if len(indices) == 1 and isinstance(indices[0], TupleLiteral) and indices[0].inputs:
        return indices[0].inputs
    return indices


def emit_multidimensional_indexing(
    emitter: Emitter, range: SourceRange, tensor: Value, indices: Sequence[Expr]
) -> Value:
    """Emit ``tensor[indices]``."""
    if not tensor.type.is_subtype_of(TENSOR):
        raise CompileError(
            "Unsupported operation: attempted to use multidimensional indexing on a non-tensor "
            "type",
            range,
            code=codes.NOT_SUBSCRIPTABLE,
            hint="index one level after the other, as in `x[0][1]`",
        )
    part, tensor_indices = emit_int_and_slice_indexing(emitter, range, tensor, indices)
    if not tensor_indices:
        return part
    index = insert_list(emitter.graph, _OPTIONAL_TENSOR, tensor_indices)
    return emit_builtin_values(range, emitter, aten.index, [part, index])


def emit_int_and_slice_indexing(
    emitter: Emitter, range: SourceRange, tensor: Value, indices: Sequence[Expr]
) -> tuple[Value, list[Value]]:
    """Apply all indices but tensors; returns the part, and the tensors by its dimensions."""
    plan = _Plan(emitter, range)
    plan.make(indices)
    part = tensor
    for step in sorted(plan.steps, key=lambda step: step.position):
        part = plan.apply(part, step)
    return part, plan.tensor_indices()


@value_class
class _Step:
    """One index: its place among the indices, the dimension it acts on, its value."""

    position: int
    dimension: int
    index: Value | SliceExpr | SliceValue


@dataclass(slots=True)
class _Plan:
    emitter: Emitter
    range: SourceRange
    steps: list[_Step] = field(default_factory=list[_Step])
    tensors: dict[int, Value] = field(default_factory=dict[int, "Value"])

    def make(self, indices: Sequence[Expr]) -> None:
        """Emit the values of the indices, and work out their dimensions."""
        ellipsis = next((i for i, tree in enumerate(indices) if isinstance(tree, Dots)), None)
        before = len(indices) if ellipsis is None else ellipsis
        dimension = 0
        for position, tree in enumerate(indices[:before]):
            dimension += self._add(position, tree, dimension, is_after_ellipsis=False)
        dimension = -1
        for position in reversed(range(before + 1, len(indices))):
            dimension -= self._add(position, indices[position], dimension, is_after_ellipsis=True)

    def _add(self, position: int, tree: Expr, dimension: int, *, is_after_ellipsis: bool) -> int:
        """Plan one index; returns how many dimensions the next one is further on."""
        if isinstance(tree, SliceExpr):
            self.steps.append(_Step(position, dimension, tree))
            return 1
        if isinstance(tree, Dots):
            raise CompileError(
                "An index can only have a single ellipsis: the second has no dimensions left to stand for",
                self.range,
                code=codes.INVALID_TENSOR_INDEX,
            )
        index = self._index_value(tree)
        if isinstance(index, SliceValue):
            self.steps.append(_Step(position, dimension, index))
            return 1
        self.steps.append(_Step(position, dimension, index))
        if index.type.is_subtype_of(NONE):
            return 0 if is_after_ellipsis else 1
        if index.type == INT:
            return 1 if is_after_ellipsis else 0
        if not index.type.is_subtype_of(_OPTIONAL_TENSOR):
            raise _unsupported_index(index, self.range)
        if is_after_ellipsis:
            raise CompileError(
                "Ellipses followed by tensor indexing, as in `x[..., places]`, are not compiled",
                self.range,
                code=codes.INVALID_TENSOR_INDEX,
                hint="write the slices `:` out",
            )
        return 1

    def _index_value(self, tree: Expr) -> Value | SliceValue:
        """A list as index means the tensor of its numbers."""
        sugared = self.emitter.emit_sugared_expression(tree, 1)
        if isinstance(sugared, SliceValue):
            return sugared
        index = sugared.as_value(tree.range, self.emitter)
        if not isinstance(index.type, ListType):
            return index
        dtype = self.emitter.graph.insert_constant(_LONG)
        return emit_builtin_call(
            UNKNOWN_RANGE,
            self.emitter,
            aten.tensor,
            [NamedValue(index, UNKNOWN_RANGE)],
            [NamedValue(dtype, UNKNOWN_RANGE, "dtype")],
        )

    def apply(self, tensor: Value, step: _Step) -> Value:
        index = step.index
        if isinstance(index, SliceExpr | SliceValue):
            return emit_slice(self.emitter, self.range, tensor, index, self._constant(step))
        if index.type.is_subtype_of(NONE):
            return self._call(aten.unsqueeze, tensor, self._constant(step))
        if index.type == INT:
            return self._call(aten.select, tensor, self._constant(step), index)
        self.tensors[step.dimension] = index
        return tensor

    def tensor_indices(self) -> list[Value]:
        """The tensors, and None for the dimensions before the last of them that have none."""
        if not self.tensors:
            return []
        dimensions = range(max(self.tensors) + 1)
        return [self.tensors.get(dimension) or self._none() for dimension in dimensions]

    def _none(self) -> Value:
        return self.emitter.graph.insert_constant(None)

    def _constant(self, step: _Step) -> Value:
        return self.emitter.graph.insert_constant(step.dimension, range=self.range)

    def _call(self, name: str, *values: Value) -> Value:
        return emit_builtin_values(self.range, self.emitter, name, values)


def _unsupported_index(index: Value, range: SourceRange) -> CompileError:
    return CompileError(
        "Unsupported operation: indexing tensor with unsupported index type "
        f"'{index.type.message_text}'. Only ints, slices, lists and tensors are supported",
        range,
        code=codes.INVALID_TENSOR_INDEX,
        hint=_hint_for_key(range) if index.type == STRING else None,
    )


def _hint_for_key(range: SourceRange) -> str | None:
    """``d["key"]`` of a parameter without an annotation."""
    name = range.text.partition("[")[0]
    if not name.isidentifier():
        return None
    return f"a dictionary that is passed is annotated, as in `{name}: Dict[str, Tensor]`"
