"""Type variables of schemas (``t`` in ``aten::append.t``): matched with types, then replaced."""

from __future__ import annotations

from collections.abc import Mapping

from tsc.compiler.types.base import Type, TypeKind
from tsc.compiler.types.container_types import DictType, ListType, TupleType
from tsc.compiler.types.simple_types import NONE
from tsc.compiler.types.unification import remade, unify_all, unify_types
from tsc.compiler.types.union_types import OptionalType
from tsc.compiler.value_classes import value_class


@value_class
class VarType(Type):
    """A type variable."""

    kind = TypeKind.VarType

    name: str

    @property
    def has_type_variables(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


def match_type_variables(formal: Type, actual: Type, bindings: dict[str, Type]) -> str | None:
    """Binds the variables of ``formal`` so that ``actual`` fits; returns the reason if it cannot.

    Whether the rest of the two types agrees is not looked at: that is for subtyping to say.
    """
    if not formal.has_type_variables:
        return None
    if isinstance(formal, VarType):
        return _bind(formal, actual, bindings)
    if isinstance(formal, ListType):
        return _match_list(formal, actual, bindings)
    if isinstance(formal, TupleType):
        return _match_tuple(formal, actual, bindings)
    if isinstance(formal, OptionalType):
        return _match_optional(formal, actual, bindings)
    return _match_contained(formal, actual, bindings)


def _bind(formal: VarType, actual: Type, bindings: dict[str, Type]) -> str | None:
    bound = bindings.setdefault(formal.name, actual)
    if bound is actual or unify_types(bound, actual) is not None:
        return None
    return (
        f"Type variable '{formal.name}' previously matched to type {bound.message_text} "
        f"is matched to type {actual.message_text}"
    )


def _match_list(formal: ListType, actual: Type, bindings: dict[str, Type]) -> str | None:
    if isinstance(actual, ListType):
        return match_type_variables(formal.element, actual.element, bindings)
    if isinstance(actual, TupleType):
        element = unify_all(actual.elements)
        if isinstance(element, Type):
            return match_type_variables(formal.element, element, bindings)
    return f"Cannot match {formal.message_text} to {actual.message_text}"


def _match_tuple(formal: TupleType, actual: Type, bindings: dict[str, Type]) -> str | None:
    if not isinstance(actual, TupleType):
        return f"Cannot match a tuple to {actual.message_text}"
    if len(formal.elements) != len(actual.elements):
        return "Cannot match tuples of mismatched size"
    return _match_each(formal, actual, bindings)


def _match_optional(formal: OptionalType, actual: Type, bindings: dict[str, Type]) -> str | None:
    if isinstance(actual, OptionalType):
        return match_type_variables(formal.element, actual.element, bindings)
    if not actual.is_subtype_of(NONE):
        return match_type_variables(formal.element, actual, bindings)
    return "Cannot match an Optional[T] to None, because there is no way to determine T from None"


def _match_contained(formal: Type, actual: Type, bindings: dict[str, Type]) -> str | None:
    if formal.kind is not actual.kind:
        return f"Cannot match {_with_article(formal)} to {actual.message_text}"
    return _match_each(formal, actual, bindings)


def _match_each(formal: Type, actual: Type, bindings: dict[str, Type]) -> str | None:
    for inner_formal, inner_actual in zip(formal.contained, actual.contained):
        reason = match_type_variables(inner_formal, inner_actual, bindings)
        if reason is not None:
            return reason
    return None


def _with_article(formal: Type) -> str:
    noun = "dict" if isinstance(formal, DictType) else formal.kind.name.removesuffix("Type").lower()
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def substitute_type_variables(type: Type, bindings: Mapping[str, Type]) -> Type | None:
    """The type with its variables replaced, or None if one of them is not bound."""
    if not type.has_type_variables:
        return type
    if isinstance(type, VarType):
        return bindings.get(type.name)
    replaced: list[Type] = []
    for inner in type.contained:
        substitute = substitute_type_variables(inner, bindings)
        if substitute is None:
            return None
        replaced.append(substitute)
    return remade(type, replaced)
