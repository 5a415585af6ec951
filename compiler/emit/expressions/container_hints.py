"""What an annotation says of the elements of a list or a dict that is being made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.ir import Value
from tsc.compiler.source import CompileError, SourceRange, codes, extensions
from tsc.compiler.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    Type,
    UnionType,
)

_KEYS = (INT, FLOAT, COMPLEX, TENSOR, DEVICE, STRING, BOOL)
Container = TypeVar("Container", ListType, DictType)


def check_key_type(type: Type, range: SourceRange) -> None:
    if type not in _KEYS:
        raise CompileError(
            f"Cannot create dict for key type '{type}': keys are int, float, complex, str, Tensor "
            "or torch.device",
            range,
            code=codes.INVALID_KEY_TYPE,
        )


class _ContainerHint(Generic[Container]):
    """The container type that an annotation asks for, or those it leaves to choose from."""

    __slots__ = ("_choice", "candidates", "range", "union")

    def __init__(
        self, range: SourceRange, hint: Type | None, container: type[Container], name: str
    ) -> None:
        self.range = range
        self.union = hint if isinstance(hint, UnionType) else None
        self._choice = hint if isinstance(hint, UnionType | OptionalType) else None
        plain = hint.element if isinstance(hint, OptionalType) else hint
        members = self.union.members if self.union is not None else (plain,)
        self.candidates = [member for member in members if isinstance(member, container)]
        if plain is not None and plain != ANY and not self.candidates:
            wanted = f"annotation of type {name} but got"
            if self.union is not None:
                wanted = f"Union type annotation with an inner {name} type, but got"
            raise CompileError(
                f"Expected an {wanted} {plain.message_text}", range, code=codes.CONTAINER_MISMATCH
            )

    def cast_to_choice(self, emitter: Emitter, value: Value) -> Value:
        """The container as a value of the Union or Optional that is asked for."""
        return value if self._choice is None else emitter.insert_unchecked_cast(value, self._choice)

    def _only(self) -> Container | None:
        return self.candidates[0] if len(self.candidates) == 1 else None

    def _refuse_choice(self, name: str) -> None:
        """An empty container says nothing about which candidate is meant."""
        if len(self.candidates) > 1:
            raise CompileError(
                f"Cannot assign an empty {name.lower()} to a variable annotated to be type "
                f"{self._union_text()} because there are multiple possible {name} type "
                "candidates in the Union annotation",
                self.range,
                code=codes.CONTAINER_MISMATCH,
                hint="say which, with torch.jit.annotate",
            )

    def _union_text(self) -> str:
        return "" if self.union is None else self.union.message_text

    def _names(self) -> list[str]:
        return [candidate.message_text for candidate in self.candidates]

    def _none_of_union(self, kind: str, elements: str, found: str) -> str:
        return (
            f"Union type annotation `{self._union_text()}` can hold {' or '.join(self._names())}, "
            f"but none of those {kind}types {elements}, which were unified to {found}"
        )


class ListHint(_ContainerHint[ListType]):
    def __init__(self, range: SourceRange, hint: Type | None) -> None:
        super().__init__(range, hint, ListType, "List")

    @property
    def element(self) -> Type | None:
        """The element type, where there is no choice."""
        only = self._only()
        return None if only is None else only.element

    def element_of_empty(self) -> Type:
        self._refuse_choice("List")
        return self.element or TENSOR

    def element_for(self, unified: Type) -> Type:
        """The element type of a list whose elements have the type ``unified``."""
        if not self.candidates:
            return unified
        for candidate in self.candidates:
            if unified.is_subtype_of(candidate.element):
                return candidate.element
        raise CompileError(
            self._mismatch(unified),
            self.range,
            code=codes.CONTAINER_MISMATCH,
            hint=_numeric_hint(unified, [candidate.element for candidate in self.candidates]),
        )

    def _mismatch(self, unified: Type) -> str:
        if len(self.candidates) > 1:
            elements = "match the types of the given list elements"
            return self._none_of_union("", elements, unified.message_text)
        return (
            f"List type annotation `{self._names()[0]}` did not match the types of the given "
            f"list elements, which were unified to {unified.message_text}"
        )


class DictHint(_ContainerHint[DictType]):
    def __init__(self, range: SourceRange, hint: Type | None) -> None:
        super().__init__(range, hint, DictType, "Dict")

    @property
    def value(self) -> Type | None:
        """The type of values, where there is no choice."""
        only = self._only()
        return None if only is None else only.value

    def type_of_empty(self) -> DictType:
        self._refuse_choice("Dict")
        return self._only() or DictType(STRING, TENSOR)

    def find(self, key: Type, value: Type) -> DictType | None:
        """The type of a dict whose keys and values have these types, if there is one."""
        if not self.candidates:
            return DictType(key, value)
        for candidate in self.candidates:
            if key.is_subtype_of(candidate.key) and value.is_subtype_of(candidate.value):
                return candidate
        return None

    def type_of_literal(self, key: Type, value: Type) -> DictType:
        type = self.find(key, value)
        if type is None:
            raise CompileError(
                self._literal_mismatch(key, value),
                self.range,
                code=codes.CONTAINER_MISMATCH,
                hint=_numeric_hint(value, [candidate.value for candidate in self.candidates]),
            )
        return type

    def type_of_comprehension(self, key: Type, value: Type) -> DictType:
        type = self.find(key, value)
        if type is None:
            kind, found = self._culprit(key, value)
            names = " or ".join(self._names())
            raise CompileError(
                f"Dict type annotation `{names}` did not match the type of an actual {kind} type "
                f"`{found.message_text}`",
                self.range,
                code=codes.CONTAINER_MISMATCH,
                hint=_numeric_hint(value, [candidate.value for candidate in self.candidates]),
            )
        return type

    def _literal_mismatch(self, key: Type, value: Type) -> str:
        if len(self.candidates) > 1:
            elements = "can hold the types of the given keys and values"
            return self._none_of_union("dict ", elements, DictType(key, value).message_text)
        kind, found = self._culprit(key, value)
        return (
            f"Type annotation was inferred to be `{self._names()[0]}`, but the type of {kind}s "
            f"given by the dict literal is {found.message_text}"
        )

    def _culprit(self, key: Type, value: Type) -> tuple[str, Type]:
        fits = any(key.is_subtype_of(candidate.key) for candidate in self.candidates)
        return ("value", value) if fits else ("key", key)


def refuse_choice_for_call(range: SourceRange, hint: Type | None) -> None:
    """``dict(...)`` is typed by its first item, before any other could tell which Dict is meant."""
    members = hint.members if isinstance(hint, UnionType) else ()
    if hint is not None and sum(isinstance(member, DictType) for member in members) > 1:
        raise CompileError(
            "There are multiple candidate Dict types in the Union type annotation "
            f"`{hint.message_text}`, and full type inference is not yet supported for the "
            "`dict()` constructor.",
            range,
            code=codes.CONTAINER_MISMATCH,
            hint="write a literal, {key: value}, or a comprehension",
        )


def element_hint(emitter: Emitter, range: SourceRange, hint: Type | None) -> Type | None:
    """A hint for elements that are containers themselves."""
    if not isinstance(hint, ListType | DictType):
        return None
    allowed = emitter.acceptance.allows(extensions.ELEMENT_ANNOTATIONS, range)
    return hint if allowed else None


def _numeric_hint(unified: Type, wanted: Iterable[Type]) -> str | None:
    is_number_missing = unified == INT and FLOAT in wanted
    return "numbers are not converted in a literal: write 1.0 for 1" if is_number_missing else None
