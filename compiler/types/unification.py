"""The least type that covers two, and the normal forms of Optional and Union that follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tsc.compiler.types.base import Type, TypeKind
from tsc.compiler.types.container_types import FutureType, TupleType
from tsc.compiler.types.simple_types import ANY, NONE, NUMBER
from tsc.compiler.types.tensor_type import TensorType
from tsc.compiler.types.union_types import NUMBERS, OptionalType, UnionType, union_members


def optional(type: Type) -> Type:
    """``Optional[type]``; the type itself where it is None or already an Optional."""
    if type == NONE or isinstance(type, OptionalType):
        return type
    if isinstance(type, UnionType) and NONE in type.members:
        return OptionalType(union(member for member in type.members if member != NONE))
    return OptionalType(type)


def union(types: Iterable[Type]) -> Type:
    """``Union[types]`` in PyTorch's normal form.

    Nested unions are flattened, subtypes absorbed, members sorted by kind; a type with None is an
    Optional, and int, float and complex together are ``Scalar``. One type alone is itself.
    """
    flat = [member for type in types for member in _flatten(type)]
    members = _sorted(_coalesce(flat))
    if len(members) == 1:
        return members[0]
    others = tuple(member for member in members if member != NONE)
    if others == NUMBERS:
        return NUMBER if len(members) == 3 else OptionalType(NUMBER)
    if len(members) == 2 and len(others) == 1:
        return OptionalType(others[0])
    return UnionType(members)


def _flatten(type: Type) -> Iterable[Type]:
    if isinstance(type, OptionalType):
        return (*_flatten(type.element), NONE)
    return union_members(type)


def _coalesce(types: list[Type]) -> list[Type]:
    """Unites what can be united, from right to left as PyTorch does: the order may matter."""
    end = len(types) - 1
    for i in range(len(types) - 1, 0, -1):
        for j in range(min(i - 1, end), -1, -1):
            united = _absorb(types[i], types[j])
            if united is not None:
                types[j] = united
                types[i] = types[end]
                end -= 1
                break
    return types[: end + 1]


def _absorb(a: Type, b: Type) -> Type | None:
    if (a == NONE) != (b == NONE):
        return None  # None stays a member of its own
    return unify_types(a, b)


def _sorted(types: list[Type]) -> tuple[Type, ...]:
    return tuple(sorted(types, key=lambda type: (type.kind, type.schema_text)))


def unify_types(
    a: Type, b: Type, *, default_to_union: bool = False, hint: Type | None = None
) -> Type | None:
    """The type that holds both, or None; with ``default_to_union``, a Union if all else fails."""
    unified = _unify(a, b, default_to_union=default_to_union, hint=hint)
    if unified is None and default_to_union:
        return union((a, b))
    return unified


def _unify(a: Type, b: Type, *, default_to_union: bool, hint: Type | None) -> Type | None:
    if a.is_subtype_of(b):
        return b
    if b.is_subtype_of(a):
        return a
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        return a.merge(b)
    if NONE in (a, b):
        return optional(b if a == NONE else a)
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        return _unify_optional(a, b)
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        return _unify_tuples(a, b, default_to_union)
    if isinstance(a, FutureType) and isinstance(b, FutureType):
        element = unify_types(a.element, b.element, default_to_union=default_to_union)
        return None if element is None else FutureType(element)
    return _unify_without_shapes(a, b) or _agree_on_hint(a, b, hint)


def _unify_optional(a: Type, b: Type) -> Type | None:
    """The Optional of what holds both elements; a Union of them would not be made one."""
    inner_a = a.element if isinstance(a, OptionalType) else a
    inner_b = b.element if isinstance(b, OptionalType) else b
    element = unify_types(inner_a, inner_b)
    return None if element is None else optional(element)


def _unify_tuples(a: TupleType, b: TupleType, default_to_union: bool) -> Type | None:
    if len(a.elements) != len(b.elements):
        return None
    elements: list[Type] = []
    for x, y in zip(a.elements, b.elements):
        element = unify_types(x, y, default_to_union=default_to_union)
        if element is None:
            return None
        elements.append(element)
    return TupleType(tuple(elements))


def _unify_without_shapes(a: Type, b: Type) -> Type | None:
    """Lists of differently shaped tensors are lists of tensors."""
    plain_a, plain_b = without_shapes(a), without_shapes(b)
    if plain_a.is_subtype_of(plain_b):
        return plain_b
    if plain_b.is_subtype_of(plain_a):
        return plain_a
    return None


def _agree_on_hint(a: Type, b: Type, hint: Type | None) -> Type | None:
    if hint is not None and a.is_subtype_of(hint) and b.is_subtype_of(hint):
        return hint
    return None


def without_shapes(type: Type) -> Type:
    """The type with every tensor type in it reduced to "a tensor"."""
    if isinstance(type, TensorType):
        return type.without_shape()
    contained = type.contained
    if not contained or type.kind is TypeKind.ClassType:
        return type
    plain = [without_shapes(inner) for inner in contained]
    return type if plain == list(contained) else remade(type, plain)


def with_requires_grad(type: Type, requires_grad: bool | None) -> Type:
    """The type of a tensor, or of a tuple of them, that say this of gradients; None leaves it open."""
    if isinstance(type, TensorType):
        return replace(type, requires_grad=requires_grad)
    if isinstance(type, TupleType):
        return type.with_contained(
            [with_requires_grad(each, requires_grad) for each in type.contained]
        )
    return type


def remade(type: Type, contained: Sequence[Type]) -> Type:
    """The same kind of type made of other types, in normal form."""
    if isinstance(type, OptionalType):
        return optional(contained[0])
    if isinstance(type, UnionType):
        return union(contained)
    return type.with_contained(contained)


def unify_all(
    types: Sequence[Type], *, default_to_union: bool = False, hint: Type | None = None
) -> Type | str:
    """The type that holds all of ``types``, or the reason why there is none."""
    if not types:
        return "Cannot get unified type from empty list"
    result = types[0]
    for index, type in enumerate(types[1:], start=1):
        unified = unify_types(result, type, default_to_union=default_to_union, hint=hint)
        if unified is None:
            return (
                f"Could not unify type list since element {index} of type {type.message_text} "
                f"did not match the types before it ({result.message_text})"
            )
        result = unified
        if result == ANY:
            return result
    return result
