"""Sizes, dtypes and layouts of a serialized program."""

from __future__ import annotations

from typing import Any, Final

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fake_tensor import FakeTensor, SymInt
from tsc.compiler.exir.serialized.json_values import (
    JsonObject,
    SerializedProgramError,
    floating,
    integer,
)
from tsc.compiler.exir.symbolic_expressions import parse_symbolic_expression
from tsc.compiler.types.tensor_options import Device

_MOST_DIMENSIONS: Final = 64
_DTYPES: Final = {
    1: "uint8",
    2: "int8",
    3: "int16",
    4: "int32",
    5: "int64",
    6: "float16",
    7: "float32",
    8: "float64",
    9: "complex32",
    10: "complex64",
    11: "complex128",
    12: "bool",
    13: "bfloat16",
    28: "uint16",
    29: "float8_e4m3fn",
    30: "float8_e5m2",
    31: "float8_e4m3fnuz",
    32: "float8_e5m2fnuz",
    33: "float8_e8m0fnu",
    34: "uint32",
    35: "uint64",
}
_LAYOUTS: Final = {
    1: "sparse_coo",
    2: "sparse_csr",
    3: "sparse_csc",
    4: "sparse_bsr",
    5: "sparse_bsc",
    6: "_mkldnn",
    7: "strided",
}
_MEMORY_FORMATS: Final = {
    1: "contiguous_format",
    2: "channels_last",
    3: "channels_last_3d",
    4: "preserve_format",
}


def dtype_of(code: Any, place: str) -> TorchConstant:
    """A dtype by its number in files."""
    return _named(_DTYPES, code, place)


def layout_of(code: Any, place: str) -> TorchConstant:
    """A layout by its number in files."""
    return _named(_LAYOUTS, code, place)


def memory_format_of(code: Any, place: str) -> TorchConstant:
    """A memory format by its number in files."""
    return _named(_MEMORY_FORMATS, code, place)


def _named(names: dict[int, str], code: Any, place: str) -> TorchConstant:
    if type(code) is not int or code not in names:
        raise SerializedProgramError(f"{place} is {code!r}, which stands for nothing that is known")
    return TorchConstant(names[code])


def device_of(value: JsonObject) -> Device:
    """A device."""
    index = value.integer("index") if value.has("index") else None
    return Device(value.text("type"), index)


def symbolic(value: JsonObject) -> Any:
    """A number, or an expression that stands for one."""
    kind, found = value.choice()
    place = f"{value.place}.{kind}"
    if kind == "as_int":
        return integer(found, place)
    if kind == "as_float":
        return floating(found, place)
    if kind == "as_bool" and isinstance(found, bool):
        return found
    if kind != "as_expr":
        raise SerializedProgramError(f"{place} is no number")
    expression = JsonObject.of(found, place)
    hint = expression.object("hint").choice()[1] if expression.has("hint") else None
    return expression.read("expr_str", lambda text: parse_symbolic_expression(text, hint))


def tensor_of(value: JsonObject) -> FakeTensor:
    """What is known of a tensor."""
    if max(len(value.items("sizes")), len(value.items("strides"))) > _MOST_DIMENSIONS:
        raise SerializedProgramError(f"{value.place} has more than {_MOST_DIMENSIONS} dimensions")
    return FakeTensor(
        _sizes(value, "sizes"),
        dtype_of(value.integer("dtype"), f"{value.place}.dtype"),
        _sizes(value, "strides"),
        device_of(value.object("device")),
        value.flag("requires_grad"),
        symbolic(value.object("storage_offset")),
        layout_of(value.integer("layout"), f"{value.place}.layout"),
    )


def _sizes(value: JsonObject, name: str) -> tuple[SymInt, ...]:
    return tuple([symbolic(each) for each in value.objects(name)])
