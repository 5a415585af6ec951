"""The root of the type hierarchy, and what holds for every type unless it says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, auto
from typing import ClassVar


class TypeKind(IntEnum):
    """The kinds of type, in the order in which PyTorch sorts the members of a union."""

    AnyType = auto()
    EnumType = auto()
    AnyEnumType = auto()
    TensorType = auto()
    StorageType = auto()
    TupleType = auto()
    ListType = auto()
    DictType = auto()
    NumberType = auto()
    FloatType = auto()
    ComplexType = auto()
    FutureType = auto()
    AwaitType = auto()
    RRefType = auto()
    IntType = auto()
    NoneType = auto()
    StringType = auto()
    GeneratorType = auto()
    QuantizerType = auto()
    BoolType = auto()
    OptionalType = auto()
    VarType = auto()
    DeviceObjType = auto()
    StreamObjType = auto()
    FunctionType = auto()
    ClassType = auto()
    PyObjectType = auto()
    CapsuleType = auto()
    InterfaceType = auto()
    QSchemeType = auto()
    ScalarTypeType = auto()
    LayoutType = auto()
    MemoryFormatType = auto()
    AnyListType = auto()
    AnyTupleType = auto()
    AnyClassType = auto()
    SymIntType = auto()
    SymFloatType = auto()
    SymBoolType = auto()
    UnionType = auto()
    DimnameType = auto()


class Type:
    """A TorchScript type: an immutable, hashable value, compared with ``==``.

    It has three texts. ``str(t)`` is the IR's (``int[]?``); ``schema_text`` the one in schemas,
    which differs for futures, named tuples and tensors with details; ``annotation`` is Python's
    (``Optional[List[int]]``).
    """

    __slots__ = ()

    kind: ClassVar[TypeKind]

    @property
    def schema_text(self) -> str:
        return str(self)

    @property
    def annotation(self) -> str:
        return self.schema_text

    @property
    def message_text(self) -> str:
        """The type as error messages name it."""
        return self.annotation

    @property
    def contained(self) -> Sequence[Type]:
        """The types this one is made of."""
        return ()

    def with_contained(self, types: Sequence[Type]) -> Type:
        """The same kind of type made of ``types``."""
        assert not types
        return self

    @property
    def has_type_variables(self) -> bool:
        return any(inner.has_type_variables for inner in self.contained)

    def is_subtype_of(self, other: Type) -> bool:
        """Whether a value of this type may stand where ``other`` is expected."""
        return self == other or other.kind is TypeKind.AnyType or other.admits(self)

    def admits(self, other: Type) -> bool:
        """Whether this type lets the other one in as one of its alternatives."""
        del other
        return False

    def why_not_subtype_of(self, other: Type) -> str | None:
        """A remark for error messages, where there is something to say."""
        del other
        return None
