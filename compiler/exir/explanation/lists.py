"""Steps on lists that data's numbers are in, or that are asked for the element at a place which data tells."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.data_numbers import ASKED, INDEXED, MOVED
from tsc.compiler.exir.explanation.facts import Facts
from tsc.compiler.ir import Node, Value, prim
from tsc.compiler.types import ClassType, Type, TypeKind

_ELEMENTS: Final = frozenset(
    {
        *(TypeKind.TensorType, TypeKind.IntType, TypeKind.FloatType, TypeKind.BoolType),
        *(TypeKind.ListType, TypeKind.TupleType),
    }
)


def is_list_step(node: Node, facts: Facts) -> bool:
    """Whether capture knows what a node gives, though data decides what is in its list or which element it takes."""
    if node.kind == "aten::__getitem__" and node.inputs[1] in facts.numbers:
        return _may_choose(node.inputs[0].type)
    if node.kind in INDEXED:
        return node.inputs[1] not in facts.numbers
    if not node.inputs or node.inputs[0].type.kind is not TypeKind.ListType:
        return False
    if node.kind in ASKED:
        return node.inputs[0].type.contained[0].kind in _ELEMENTS
    return node.kind in MOVED and not any(_is_late_number(each, facts) for each in node.inputs[1:])


def _may_choose(type: Type) -> bool:
    """Whether elements of a list may be alike: tensors, numbers, and tuples and lists of them."""
    return type.kind is TypeKind.ListType and _is_chosen(type.contained[0])


def _is_chosen(type: Type) -> bool:
    if isinstance(type, ClassType):
        return False
    return type.kind in _ELEMENTS and all(map(_is_chosen, type.contained))


def _is_late_number(value: Value, facts: Facts) -> bool:
    is_list = value.type.kind in (TypeKind.ListType, TypeKind.TupleType)
    return value in facts.numbers and not is_list and value.node.kind != prim.Constant
