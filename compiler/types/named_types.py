"""Types that have a name of their own: functions, classes, interfaces, enums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tsc.compiler.types.base import Type, TypeKind
from tsc.compiler.value_classes import value_class


class MethodSchema(Protocol):
    """What a type needs to know of a method's schema (``compiler.schema.FunctionSchema``)."""

    def is_subtype_of(self, other: MethodSchema, *, as_method: bool) -> bool: ...


class NamedFunction(Protocol):
    """What a type needs to know of a function (``compiler.ir.Function``)."""

    @property
    def qualified_name(self) -> str: ...

    @property
    def schema(self) -> MethodSchema: ...


@value_class
class FunctionType(Type):
    """The type of one function."""

    kind = TypeKind.FunctionType

    function: NamedFunction

    def __str__(self) -> str:
        return "Function"

    __repr__ = __str__


@value_class
class ClassAttribute:
    """An attribute of a class: its type, and whether it is a parameter or a buffer of a module."""

    name: str
    type: Type
    is_parameter: bool = False
    is_buffer: bool = False


@value_class
class ClassProperty:
    """A property: the method that reads it, and the one that sets it if it can be set."""

    getter: NamedFunction
    setter: NamedFunction | None = None


class ClassType(Type):
    """A class. Two classes are equal only if they are the same object.

    It is filled while its class is compiled: attributes in the order of their slots, methods by
    name (those of properties included), static methods, constants by name. Hooks of a module are the
    names of methods.
    """

    __slots__ = (
        "attributes",
        "constants",
        "forward_hooks",
        "forward_pre_hooks",
        "is_module",
        "methods",
        "properties",
        "qualified_name",
        "static_methods",
    )

    kind = TypeKind.ClassType

    def __init__(self, qualified_name: str, *, is_module: bool = False) -> None:
        self.qualified_name = qualified_name
        self.is_module = is_module
        self.attributes: dict[str, ClassAttribute] = {}
        self.methods: dict[str, NamedFunction] = {}
        self.properties: dict[str, ClassProperty] = {}
        self.static_methods: dict[str, NamedFunction] = {}
        self.constants: dict[str, object] = {}
        self.forward_pre_hooks: tuple[str, ...] = ()
        self.forward_hooks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.qualified_name.rpartition(".")[2]

    def add_attribute(self, attribute: ClassAttribute) -> None:
        assert attribute.name not in self.attributes
        self.attributes[attribute.name] = attribute

    def attribute_type(self, name: str) -> Type | None:
        attribute = self.attributes.get(name)
        return None if attribute is None else attribute.type

    def is_subtype_of(self, other: Type) -> bool:
        if other.kind is TypeKind.AnyClassType:
            return True
        if isinstance(other, InterfaceType):
            return other.is_implemented_by(self.methods, is_module=self.is_module)
        return Type.is_subtype_of(self, other)

    def __str__(self) -> str:
        return self.qualified_name

    __repr__ = __str__


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class InterfaceType(Type):
    """An interface: the methods that a class must have."""

    kind = TypeKind.InterfaceType

    qualified_name: str
    methods: Mapping[str, MethodSchema] = field(default_factory=dict[str, MethodSchema])
    is_module: bool = False

    @property
    def name(self) -> str:
        return self.qualified_name.rpartition(".")[2]

    def is_implemented_by(self, methods: Mapping[str, NamedFunction], *, is_module: bool) -> bool:
        if self.is_module and not is_module:
            return False
        return all(
            name in methods and methods[name].schema.is_subtype_of(schema, as_method=True)
            for name, schema in self.methods.items()
        )

    def is_subtype_of(self, other: Type) -> bool:
        if not isinstance(other, InterfaceType):
            return Type.is_subtype_of(self, other)
        if other.is_module and not self.is_module:
            return False
        return self is other or all(
            name in self.methods and self.methods[name].is_subtype_of(schema, as_method=True)
            for name, schema in other.methods.items()
        )

    def __str__(self) -> str:
        return f"InterfaceType<{self.name}>"

    __repr__ = __str__

    @property
    def annotation(self) -> str:
        return self.qualified_name


@value_class
class EnumType(Type):
    """An enum: ``members`` are names with values of ``value_type``. Equal if the names are."""

    kind = TypeKind.EnumType

    qualified_name: str
    value_type: Type = field(compare=False)
    members: tuple[tuple[str, object], ...] = field(default=(), compare=False)

    @property
    def name(self) -> str:
        return self.qualified_name.rpartition(".")[2]

    def member(self, name: str) -> EnumMember | None:
        """The member of that name, as a new object."""
        for each, value in self.members:
            if each == name:
                return EnumMember(self, name, value)
        return None

    def is_subtype_of(self, other: Type) -> bool:
        return other.kind is TypeKind.AnyEnumType or Type.is_subtype_of(self, other)

    def __str__(self) -> str:
        return f"Enum<{self.qualified_name}>"

    __repr__ = __str__

    @property
    def annotation(self) -> str:
        return self.qualified_name

    @property
    def message_text(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True, eq=False)
class EnumMember:
    """A member of an enum, as constants and running programs hold it.

    Two are equal if enum and name are; each is an object of its own to ``is``, as in PyTorch.
    """

    script_type: EnumType
    name: str
    value: object

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EnumMember):
            return NotImplemented
        return self.name == other.name and self.script_type == other.script_type

    def __hash__(self) -> int:
        return hash((self.script_type, self.name))

    def __str__(self) -> str:
        return f"{self.script_type.name}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self}: {self.value!r}>"

    def constant_text(self) -> str:
        return f"{self.script_type.qualified_name}.{self.name}"

    def constant_type(self) -> Type:
        return self.script_type
