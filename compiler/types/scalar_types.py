"""The dtype table: every element type's code, PyTorch name, IR name and aliases.

At run time and in the IR a dtype is an int, its code here, as in PyTorch. tsc computes with the
types in ``COMPUTED``; the others are known by name so that schemas, types and ``torch.x`` resolve.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.value_classes import value_class


@value_class
class ScalarTypeInfo:
    """One element type: code 6, name "float32", IR name "Float", aliases ("float",)."""

    code: int
    name: str
    ir_name: str
    aliases: tuple[str, ...] = ()

    @property
    def torch_name(self) -> str:
        return f"torch.{self.name}"


SCALAR_TYPES: Final = (
    ScalarTypeInfo(0, "uint8", "Byte"),
    ScalarTypeInfo(1, "int8", "Char"),
    ScalarTypeInfo(2, "int16", "Short", ("short",)),
    ScalarTypeInfo(3, "int32", "Int", ("int",)),
    ScalarTypeInfo(4, "int64", "Long", ("long",)),
    ScalarTypeInfo(5, "float16", "Half", ("half",)),
    ScalarTypeInfo(6, "float32", "Float", ("float",)),
    ScalarTypeInfo(7, "float64", "Double", ("double",)),
    ScalarTypeInfo(8, "complex32", "ComplexHalf", ("chalf",)),
    ScalarTypeInfo(9, "complex64", "ComplexFloat", ("cfloat",)),
    ScalarTypeInfo(10, "complex128", "ComplexDouble", ("cdouble",)),
    ScalarTypeInfo(11, "bool", "Bool"),
    ScalarTypeInfo(12, "qint8", "QInt8"),
    ScalarTypeInfo(13, "quint8", "QUInt8"),
    ScalarTypeInfo(14, "qint32", "QInt32"),
    ScalarTypeInfo(15, "bfloat16", "BFloat16"),
    ScalarTypeInfo(16, "quint4x2", "QUInt4x2"),
    ScalarTypeInfo(17, "quint2x4", "QUInt2x4"),
    ScalarTypeInfo(18, "bits1x8", "Bits1x8"),
    ScalarTypeInfo(19, "bits2x4", "Bits2x4"),
    ScalarTypeInfo(20, "bits4x2", "Bits4x2"),
    ScalarTypeInfo(21, "bits8", "Bits8"),
    ScalarTypeInfo(22, "bits16", "Bits16"),
    ScalarTypeInfo(23, "float8_e5m2", "Float8_e5m2"),
    ScalarTypeInfo(24, "float8_e4m3fn", "Float8_e4m3fn"),
    ScalarTypeInfo(25, "float8_e5m2fnuz", "Float8_e5m2fnuz"),
    ScalarTypeInfo(26, "float8_e4m3fnuz", "Float8_e4m3fnuz"),
    ScalarTypeInfo(27, "uint16", "UInt16"),
    ScalarTypeInfo(28, "uint32", "UInt32"),
    ScalarTypeInfo(29, "uint64", "UInt64"),
    ScalarTypeInfo(30, "uint1", "UInt1", ("bit",)),
    ScalarTypeInfo(31, "uint2", "UInt2"),
    ScalarTypeInfo(32, "uint3", "UInt3"),
    ScalarTypeInfo(33, "uint4", "UInt4"),
    ScalarTypeInfo(34, "uint5", "UInt5"),
    ScalarTypeInfo(35, "uint6", "UInt6"),
    ScalarTypeInfo(36, "uint7", "UInt7"),
    ScalarTypeInfo(37, "int1", "Int1"),
    ScalarTypeInfo(38, "int2", "Int2"),
    ScalarTypeInfo(39, "int3", "Int3"),
    ScalarTypeInfo(40, "int4", "Int4"),
    ScalarTypeInfo(41, "int5", "Int5"),
    ScalarTypeInfo(42, "int6", "Int6"),
    ScalarTypeInfo(43, "int7", "Int7"),
    ScalarTypeInfo(44, "float8_e8m0fnu", "Float8_e8m0fnu"),
    ScalarTypeInfo(45, "float4_e2m1fn_x2", "Float4_e2m1fn_x2"),
)

COMPUTED: Final = frozenset((0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 15, 27, 28, 29))

SCALAR_TYPE_BY_CODE: Final = {info.code: info for info in SCALAR_TYPES}
SCALAR_TYPE_BY_IR_NAME: Final = {info.ir_name: info for info in SCALAR_TYPES}
SCALAR_TYPE_BY_NAME: Final = {
    name: info for info in SCALAR_TYPES for name in (info.name, *info.aliases)
}
"""By the name after ``torch.``: "float32" and "float" are the same entry."""


def dtype_code(name: str) -> int | None:
    """The code of ``torch.<name>``, or None."""
    info = SCALAR_TYPE_BY_NAME.get(name)
    return None if info is None else info.code


def dtype_name(code: int) -> str:
    """``6`` → "float32"."""
    return SCALAR_TYPE_BY_CODE[code].name
