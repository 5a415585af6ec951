"""When two constants are the same: alike in type, and in value down to the last element.

Python's ``==`` would not do: it holds between ``1``, ``1.0`` and ``True``. No NaN is like another.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from tsc.compiler.ir.node import Node
from tsc.compiler.types import Device, FunctionType


def constant_key(node: Node) -> Hashable:
    """Equal for two prim::Constant nodes that may stand for each other."""
    type = node.output.type
    if isinstance(type, FunctionType):
        return type
    return type, value_key(node.attribute("value") if node.has_attribute("value") else None)


def value_key(value: object) -> Hashable:
    """Equal for plain values that may stand for each other; what is not plain is itself only."""
    if value is None or isinstance(value, (bool, int, str, Device)):
        return type(value), value
    if isinstance(value, float):
        return float, object() if value != value else value.hex()
    if isinstance(value, complex):
        return complex, value_key(value.real), value_key(value.imag)
    if isinstance(value, (tuple, list)):
        members = cast("tuple[object, ...]", value)
        return type(members), tuple(map(value_key, members))
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return dict, tuple((value_key(key), value_key(item)) for key, item in items)
    return id(value)
