"""What is known of a tensor without its elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.types.tensor_options import Device

SymInt = Any
"""An int, or a `SymbolicExpression` over symbols whose values are known when a program runs."""

_ABBREVIATIONS: Final = {
    "bool": "b8",
    "bfloat16": "bf16",
    "complex32": "c32",
    "complex64": "c64",
    "complex128": "c128",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
}


@dataclass(frozen=True, slots=True)
class FakeTensor:
    """A tensor's size and dtype, and how it lies in memory.

    `size` holds ints and expressions; the rank is always known. `stride` counts elements, for each dimension; None
    where a dialect has none.
    """

    size: tuple[SymInt, ...]
    dtype: TorchConstant
    stride: tuple[SymInt, ...] | None = None
    device: Device = field(default=Device("cpu"))
    requires_grad: bool = False
    storage_offset: SymInt = 0
    layout: TorchConstant = field(default=TorchConstant("strided"))

    @property
    def dim_order(self) -> tuple[int, ...]:
        """The dimensions from the outermost one in memory to the innermost; in order, where strides are not known."""
        places = range(len(self.size))
        if self.stride is None or not all(isinstance(each, int) for each in self.stride):
            return tuple(places)
        strides = self.stride
        return tuple(sorted(places, key=lambda place: (-strides[place], place)))

    def __str__(self) -> str:
        """As generated code annotates it: ``f32[s0, 4]``."""
        short = _ABBREVIATIONS.get(self.dtype.name, self.dtype.name)
        return f"{short}[{', '.join(map(str, self.size))}]"
