"""Operators whose results have as many elements as the data says, told by their nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tsc.compiler.exir.data_sizes import INDEXING, ONE_HOT, UNKNOWN_SIZES, told_of
from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.types import TypeKind

_TRUTHS: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite", "isin", "isclose"),
        *("logical_and", "logical_or", "logical_xor", "logical_not", "isposinf", "isneginf"),
        *("greater", "less", "greater_equal", "less_equal", "not_equal", "signbit"),
    )
)
_KEEP_DTYPE: Final = frozenset(
    {
        *("aten::bitwise_not", "aten::__and__", "aten::__or__", "aten::bitwise_and"),
        *("aten::bitwise_or", "aten::select", "aten::slice", "aten::squeeze", "aten::unsqueeze"),
        *("aten::view", "aten::reshape", "aten::flatten", "aten::clone", "aten::expand"),
    }
)


def size_from_data(node: Node) -> str | None:
    """What to say of a node whose result has a size that data decides, and no symbol is; None of others."""
    if node.operator is None:
        return None
    name = node.operator.qualified_name
    unknown = name in UNKNOWN_SIZES
    if name == ONE_HOT:
        unknown = node.is_constant("num_classes") and node.get("num_classes") == -1
    elif name == INDEXING:
        indices = list(_indices(node.inputs[1]))
        unknown = len(indices) > 1 and any(map(_is_mask, indices))
    return told_of(name) if unknown else None


def is_indexed_by_mask(node: Node) -> bool:
    """Whether the first index that a tensor is read at is a mask, as far as the graph tells."""
    return any(map(_is_mask, list(_indices(node.inputs[1]))[:1]))


def _indices(value: Value) -> Iterator[Value]:
    if value.node.kind == prim.ListConstruct:
        yield from (e for e in value.node.inputs if e.type.kind is not TypeKind.NoneType)


def _is_mask(value: Value) -> bool:
    """Whether a tensor is one of truths by the operator that gives it."""
    while value.node.kind in _KEEP_DTYPE and value.type.kind is TypeKind.TensorType:
        value = value.node.inputs[0]
    return value.node.kind in _TRUTHS
