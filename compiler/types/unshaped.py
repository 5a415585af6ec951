"""Types without what is known of tensors: dtypes, shapes, strides, devices."""

from __future__ import annotations

from tsc.compiler.types.base import Type
from tsc.compiler.types.tensor_type import TENSOR, TensorType


def unshaped(type: Type) -> Type:
    """The type with every tensor in it just a tensor."""
    if isinstance(type, TensorType):
        return TENSOR
    parts = type.contained
    if not parts:
        return type
    plain = [unshaped(part) for part in parts]
    return type if all(map(_is_same, parts, plain)) else type.with_contained(plain)


def _is_same(a: Type, b: Type) -> bool:
    return a is b
