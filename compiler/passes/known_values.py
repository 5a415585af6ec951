"""What is known of a value before a program runs: the value itself, what it consists of, or a type."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tsc.compiler.ir import Node
from tsc.compiler.passes.constant_key import value_key
from tsc.compiler.types import ListType, TensorType, TupleType, Type
from tsc.compiler.value_classes import value_class


@value_class
class Exactly:
    """A value that is known: a number, a text, None."""

    value: object


@value_class
class Elements:
    """A tuple, or a list that nobody writes to: what is known of each element."""

    members: tuple[Known, ...]
    type: Type

    def as_type(self) -> Type:
        """The type, with what is known of tensors in a tuple."""
        if not isinstance(self.type, TupleType):
            return self.type
        declared = self.type.contained
        return self.type.with_contained(list(map(_refined, declared, self.members)))


Known = Exactly | Elements | Type
"""A type where neither value nor elements are known; those of tensors may tell dtype, sizes and so on."""

Infer = Callable[[Node, Sequence[Known]], "Sequence[Known] | None"]
"""What is known of the outputs of a node, from what is known of its inputs; None where nothing is."""


def known_of_type(type: Type) -> Known:
    """What a type says."""
    if isinstance(type, TupleType):
        return Elements(tuple(map(known_of_type, type.contained)), type)
    return type


def merge_known(first: Known, second: Known, type: Type) -> Known:
    """What holds whichever of the two a value of ``type`` is."""
    if isinstance(first, TensorType) and isinstance(second, TensorType):
        return first.merge(second)
    if isinstance(first, Elements) and isinstance(second, Elements):
        types = _member_types(type, len(first.members))
        if len(first.members) == len(second.members) == len(types):
            return Elements(tuple(map(merge_known, first.members, second.members, types)), type)
    if isinstance(first, Exactly) and isinstance(second, Exactly):
        same = value_key(first.value) == value_key(second.value)
        return first if same else type
    return known_of_type(type)


def _member_types(type: Type, count: int) -> Sequence[Type]:
    if isinstance(type, ListType):
        return (type.element,) * count
    return type.contained if isinstance(type, TupleType) else ()


def _refined(type: Type, known: Known) -> Type:
    if isinstance(known, Elements):
        return known.as_type()
    return known if isinstance(type, TensorType) and isinstance(known, TensorType) else type
