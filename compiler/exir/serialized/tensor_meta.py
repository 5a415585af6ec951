"""Sizes, dtypes and layouts of a serialized program, read and written."""

from __future__ import annotations

import re
from typing import Any, Final

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fake_tensor import FakeTensor, SymInt
from tsc.compiler.exir.serialized.expressions import expression_text
from tsc.compiler.exir.serialized.json_values import (
    JsonObject,
    SerializedProgramError,
    floating,
    integer,
)
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression, parse_symbolic_expression
from tsc.compiler.types.tensor_options import Device

_MOST_DIMENSIONS: Final = 64
_OF_DATA: Final = re.compile(r"\b(u|zuf)\d+\b")
"""The name of a number that data decides, in an expression."""
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


# -- Writing -------------------------------------------------------------------------------------


def constant_json(constant: TorchConstant) -> dict[str, Any]:
    """A dtype, layout or memory format as an argument. Raises `SerializedProgramError` for one without a number."""
    for kind, codes in _CODES.items():
        if constant.name in codes:
            return {kind: codes[constant.name]}
    raise SerializedProgramError(f"{constant} has no place in a serialized program")


def device_json(device: Device) -> dict[str, Any]:
    """A device."""
    return {"type": device.type, "index": device.index}


def symbolic_json(value: Any) -> dict[str, Any]:
    """A number, or the expression that stands for one, with the value that it was exported for.

    Of what data decides no value is told: PyTorch takes a symbol that has one for a size of an argument.
    """
    if isinstance(value, SymbolicExpression):
        is_told = value.hint is not None and not _OF_DATA.search(str(value))
        hint = {_number_kind(value.hint): value.hint} if is_told else None
        return {"as_expr": {"expr_str": expression_text(value), "hint": hint}}
    return {_number_kind(value): value}


def _number_kind(value: object) -> str:
    found = _NUMBERS.get(type(value))
    if found is None:
        raise SerializedProgramError(f"{value!r} is no number")
    return found


def tensor_json(known: FakeTensor) -> dict[str, Any]:
    """What is known of a tensor; one without strides lies in row-major order."""
    strides = _row_major(known) if known.stride is None else known.stride
    return {
        "dtype": _code("as_scalar_type", known.dtype),
        "sizes": [symbolic_json(each) for each in known.size],
        "requires_grad": known.requires_grad,
        "device": device_json(known.device),
        "strides": [symbolic_json(each) for each in strides],
        "storage_offset": symbolic_json(known.storage_offset),
        "layout": _code("as_layout", known.layout),
    }


def _row_major(known: FakeTensor) -> tuple[int, ...]:
    if not all(type(each) is int for each in known.size):
        raise SerializedProgramError(f"the strides of {known} are not known")
    strides = [1]
    for each in known.size[:0:-1]:
        strides.append(strides[-1] * max(each, 1))
    return tuple(reversed(strides[: len(known.size)]))


def _code(kind: str, constant: TorchConstant) -> int:
    written = constant_json(constant)
    if kind not in written:
        raise SerializedProgramError(f"{constant} stands in the wrong place")
    return written[kind]


_CODES: Final = {
    kind: {name: code for code, name in names.items()}
    for kind, names in {
        "as_scalar_type": _DTYPES,
        "as_layout": _LAYOUTS,
        "as_memory_format": _MEMORY_FORMATS,
    }.items()
}
_NUMBERS: Final[dict[type, str]] = {int: "as_int", float: "as_float", bool: "as_bool"}
