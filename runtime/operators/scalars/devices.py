"""Devices: made from text, and asked for their parts. Only ``cpu`` and ``meta`` can hold tensors."""

from __future__ import annotations

import re

from tsc.compiler.schema import Effects
from tsc.compiler.types import Device
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator

_DEVICE = re.compile(r"([A-Za-z_]+)(?::(0|[1-9][0-9]*))?")
_DEVICE_TYPES = (
    *("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga"),
    *("maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone"),
)


def require_type(text: str) -> None:
    if text not in _DEVICE_TYPES:
        known = ", ".join(_DEVICE_TYPES)
        message = f"Expected one of {known} device type at start of device string: {text}"
        raise ScriptError("RuntimeError", message)


def as_index(number: int) -> int:
    """A device's index has 8 bits."""
    return (number + 128) % 256 - 128


@operator("aten::device(str a) -> Device")
def device(a: str) -> Device:
    if not a:
        raise ScriptError("RuntimeError", "Device string must not be empty")
    match = _DEVICE.fullmatch(a)
    if match is None:
        raise ScriptError("RuntimeError", f"Invalid device string: '{a}'")
    require_type(match[1])
    if match[2] is None:
        return Device(match[1])
    number = int(match[2])
    if number >= 2**31:
        message = f"Could not parse device index '{number}' in device string '{a}'"
        raise ScriptError("RuntimeError", message)
    return Device(match[1], as_index(number))


@operator("aten::device.with_index(str type, int index) -> Device")
def device_with_index(type: str, index: int) -> Device:
    require_type(type)
    if index < 0:
        raise ScriptError("RuntimeError", f"Device index must not be negative, got {index}")
    return Device(type, as_index(index))


@operator("prim::type(Device self) -> str")
def device_type(self: Device) -> str:
    return self.type


@operator("prim::index(Device self) -> int?")
def device_index(self: Device) -> int | None:
    return self.index


_BFLOAT16, _HALF, _UNDEFINED = 15, 5, 46
_AUTOCAST_DTYPES = {
    **dict.fromkeys(("cpu", "hpu", "xla", "maia"), _BFLOAT16),
    **dict.fromkeys(("cuda", "mps", "xpu", "ipu", "privateuseone", "mtia"), _HALF),
}


@operator("aten::get_autocast_dtype(str device_type) -> ScalarType", effects=Effects.SIDE_EFFECT)
def autocast_dtype(device_type: str) -> int:
    """The dtype that autocast would compute with."""
    return _AUTOCAST_DTYPES.get(device(device_type).type, _UNDEFINED)
