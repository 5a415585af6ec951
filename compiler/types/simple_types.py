"""The types without parts, one instance each."""

from __future__ import annotations

from typing import ClassVar, Final

from tsc.compiler.types.base import Type, TypeKind


class SimpleType(Type):
    """A type without parts: all its instances are equal."""

    __slots__ = ()

    text: ClassVar[str]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class _ScalarType(SimpleType):
    """int, float and complex: what ``Scalar`` stands for."""

    __slots__ = ()

    def is_subtype_of(self, other: Type) -> bool:
        return other.kind is TypeKind.NumberType or super().is_subtype_of(other)


class IntType(_ScalarType):
    __slots__ = ()
    kind = TypeKind.IntType
    text = "int"


class FloatType(_ScalarType):
    __slots__ = ()
    kind = TypeKind.FloatType
    text = "float"


class ComplexType(_ScalarType):
    __slots__ = ()
    kind = TypeKind.ComplexType
    text = "complex"


class NumberType(SimpleType):
    """``Scalar``: an int, a float or a complex."""

    __slots__ = ()
    kind = TypeKind.NumberType
    text = "Scalar"

    @property
    def annotation(self) -> str:
        return "number"


class BoolType(SimpleType):
    __slots__ = ()
    kind = TypeKind.BoolType
    text = "bool"


class StringType(SimpleType):
    __slots__ = ()
    kind = TypeKind.StringType
    text = "str"


class NoneType(SimpleType):
    __slots__ = ()
    kind = TypeKind.NoneType
    text = "NoneType"

    def is_subtype_of(self, other: Type) -> bool:
        return other.kind is TypeKind.OptionalType or super().is_subtype_of(other)


class AnyType(SimpleType):
    __slots__ = ()
    kind = TypeKind.AnyType
    text = "Any"


class AnyListType(SimpleType):
    """A list of whatever."""

    __slots__ = ()
    kind = TypeKind.AnyListType
    text = "list"


class AnyTupleType(SimpleType):
    """A tuple of whatever."""

    __slots__ = ()
    kind = TypeKind.AnyTupleType
    text = "tuple"


class AnyEnumType(SimpleType):
    """A member of any enum."""

    __slots__ = ()
    kind = TypeKind.AnyEnumType
    text = "AnyEnumType"


class AnyClassType(SimpleType):
    """An object of any class."""

    __slots__ = ()
    kind = TypeKind.AnyClassType
    text = "AnyClassType"


class DeviceObjType(SimpleType):
    __slots__ = ()
    kind = TypeKind.DeviceObjType
    text = "Device"


class GeneratorType(SimpleType):
    __slots__ = ()
    kind = TypeKind.GeneratorType
    text = "Generator"


class StorageType(SimpleType):
    __slots__ = ()
    kind = TypeKind.StorageType
    text = "Storage"


class StreamObjType(SimpleType):
    __slots__ = ()
    kind = TypeKind.StreamObjType
    text = "Stream"


class LayoutType(SimpleType):
    """A layout in a schema's text; its values are ints."""

    __slots__ = ()
    kind = TypeKind.LayoutType
    text = "Layout"


class MemoryFormatType(SimpleType):
    """A memory format in a schema's text; its values are ints."""

    __slots__ = ()
    kind = TypeKind.MemoryFormatType
    text = "MemoryFormat"


class ScalarTypeType(SimpleType):
    """A dtype in a schema's text; its values are ints."""

    __slots__ = ()
    kind = TypeKind.ScalarTypeType
    text = "ScalarType"


class SymIntType(SimpleType):
    """A size in a schema's text; its values are ints."""

    __slots__ = ()
    kind = TypeKind.SymIntType
    text = "SymInt"

    @property
    def annotation(self) -> str:
        return "int"


class SymFloatType(SimpleType):
    __slots__ = ()
    kind = TypeKind.SymFloatType
    text = "SymFloat"

    @property
    def annotation(self) -> str:
        return "float"


class SymBoolType(SimpleType):
    __slots__ = ()
    kind = TypeKind.SymBoolType
    text = "SymBool"

    @property
    def annotation(self) -> str:
        return "bool"


class QSchemeType(SimpleType):
    __slots__ = ()
    kind = TypeKind.QSchemeType
    text = "QScheme"


class QuantizerType(SimpleType):
    __slots__ = ()
    kind = TypeKind.QuantizerType
    text = "Quantizer"


class DimnameType(SimpleType):
    __slots__ = ()
    kind = TypeKind.DimnameType
    text = "Dimname"


class CapsuleType(SimpleType):
    """An opaque object of the host."""

    __slots__ = ()
    kind = TypeKind.CapsuleType
    text = "Capsule"


class PyObjectType(SimpleType):
    """An opaque Python object."""

    __slots__ = ()
    kind = TypeKind.PyObjectType
    text = "PyObject"


INT: Final = IntType()
FLOAT: Final = FloatType()
COMPLEX: Final = ComplexType()
NUMBER: Final = NumberType()
BOOL: Final = BoolType()
STRING: Final = StringType()
NONE: Final = NoneType()
ANY: Final = AnyType()
ANY_LIST: Final = AnyListType()
ANY_TUPLE: Final = AnyTupleType()
ANY_ENUM: Final = AnyEnumType()
ANY_CLASS: Final = AnyClassType()
DEVICE: Final = DeviceObjType()
GENERATOR: Final = GeneratorType()
STORAGE: Final = StorageType()
STREAM: Final = StreamObjType()
LAYOUT: Final = LayoutType()
MEMORY_FORMAT: Final = MemoryFormatType()
SCALAR_TYPE: Final = ScalarTypeType()
SYM_INT: Final = SymIntType()
SYM_FLOAT: Final = SymFloatType()
SYM_BOOL: Final = SymBoolType()
QSCHEME: Final = QSchemeType()
QUANTIZER: Final = QuantizerType()
DIMNAME: Final = DimnameType()
CAPSULE: Final = CapsuleType()
PY_OBJECT: Final = PyObjectType()
