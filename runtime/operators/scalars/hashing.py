"""``hash(x)``, with PyTorch's numbers: those of C++'s standard library, as GCC has it.

Ints are their own hash. Strings and floats are hashed as bytes, by MurmurHash64A (Appleby, 2008)
with that library's seed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from tsc.compiler.ir import Node
from tsc.compiler.types import Device, DictType, ListType, Type
from tsc.runtime.arrays.integers import wrap
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import node_operator
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.value_types import type_of

_MASK = 2**64 - 1
_SEED = 0xC70F6907
_MULTIPLIER = 0xC6A4A7935BD1E995
_GOLDEN = 0x9E3779B9
_NUMBER_OF_DEVICE_TYPE = {
    name: number
    for number, name in enumerate(
        (
            *("cpu", "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip", "fpga", "maia", "xla"),
            *("vulkan", "metal", "xpu", "mps", "meta", "hpu", "ve", "lazy", "ipu", "mtia"),
            "privateuseone",
        )
    )
}


@node_operator("aten::hash.generic(t value) -> int")
def hash_of_type(node: Node | None) -> Callable[[Any], int]:
    """An empty container does not tell its type, so what to say of it is known beforehand."""
    declared = None if node is None else node.inputs[0].type
    if isinstance(declared, ListType | DictType):
        return lambda _value: refuse(declared)
    return hash_


def refuse(type: Type) -> int:
    raise ScriptError("RuntimeError", f"unhashable type: '{type.message_text}'")


def hash_(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return _hash_of_bytes(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, float):
        return _hash_of_bytes(struct.pack("<d", value)) if value else 0
    if isinstance(value, tuple):
        return _hash_of_tuple(value)
    if isinstance(value, Device):
        index = 0xFF if value.index is None else value.index & 0xFF
        return _NUMBER_OF_DEVICE_TYPE[value.type] << 16 | index
    if isinstance(value, Tensor):
        return id(value)
    return refuse(type_of(value))


def _hash_of_tuple(values: tuple[Any, ...]) -> int:
    combined = 0
    for value in values:
        mixed = hash_(value) + _GOLDEN + (combined << 6) + (combined >> 2)
        combined = (combined ^ mixed) & _MASK
    return wrap(combined)


def _hash_of_bytes(data: bytes) -> int:
    result = _SEED ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        block = int.from_bytes(data[start : start + 8], "little")
        result = (result ^ _mixed(block * _MULTIPLIER) * _MULTIPLIER) * _MULTIPLIER & _MASK
    if whole < len(data):
        result = (result ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER & _MASK
    return wrap(_mixed(_mixed(result) * _MULTIPLIER))


def _mixed(value: int) -> int:
    value &= _MASK
    return value ^ (value >> 47)
