"""Tensors that are kept but not computed with: quantized and sparse ones, and those of unusual dtypes.

Archives hold them, so they are loaded, passed around and saved again. Whatever looks for their
elements is refused, with the name that the tensor has in its module. `dequantize` and `to_dense` make
usual tensors of them.
"""

from __future__ import annotations

import copy
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsc.compiler.types.scalar_types import ScalarTypeInfo
from tsc.runtime.arrays.dtypes import FLOAT, INTEGRAL, LONG, DType
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor

SPARSE_COO, SPARSE_CSR = 1, 2
"""The layouts of sparse tensors, by their codes."""


class OpaqueTensor(Tensor):
    """A tensor without an array. ``name`` is that of the attribute that holds it, if one does."""

    __slots__ = ("_shape", "name")

    has_array = False

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        self.name = ""
        self.autograd = None

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    @property
    def array(self) -> np.ndarray:
        name = f" '{self.name}'" if self.name else ""
        message = f"the tensor{name} is {self.kind}, and tsc does not compute with it"
        raise ScriptError("NotImplementedError", f"{message}; {self.way_out}")

    @property
    def kind(self) -> str:
        raise NotImplementedError

    way_out = "with PyTorch, convert it to another dtype and save again"

    @property
    def dtype(self) -> DType:
        raise NotImplementedError

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __deepcopy__(self, memo: dict[int, Any]) -> OpaqueTensor:
        made = memo[id(self)] = type(self).__new__(type(self))
        for kind in type(self).__mro__:
            for name in vars(kind).get("__slots__", ()):
                if name not in ("__weakref__", "array"):
                    setattr(made, name, copy.deepcopy(getattr(self, name), memo))
        return made

    def __repr__(self) -> str:
        return f"<tensor of sizes {list(self.shape)}, {self.kind}>"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Quantizer:
    """How integers stand for numbers: by one scale and zero point, or by one for each slice of `axis`."""

    scheme: str
    scale: float | Tensor
    zero_point: int | Tensor
    axis: int = 0


class QuantizedTensor(OpaqueTensor):
    """Integers that stand for numbers."""

    __slots__ = ("info", "integers", "quantizer")

    def __init__(self, integers: Tensor, info: ScalarTypeInfo, quantizer: Quantizer) -> None:
        super().__init__(integers.shape)
        self.integers = integers
        self.info = info
        self.quantizer = quantizer

    way_out = "make a usual one of it with .dequantize()"

    @property
    def kind(self) -> str:
        return f"quantized ({self.info.torch_name})"

    @property
    def dtype(self) -> DType:
        return _dtype_of(self.info, self.integers.array.dtype)

    def dequantized(self) -> np.ndarray:
        """In float32: scale times the distance from the zero point."""
        scale, zero_point = self.quantizer.scale, self.quantizer.zero_point
        integers = self.integers.array
        if not isinstance(scale, Tensor) or not isinstance(zero_point, Tensor):
            return (integers.astype(LONG) - zero_point).astype(FLOAT) * np.float32(scale)
        shape = [1] * integers.ndim
        shape[self.quantizer.axis] = -1
        scales = scale.array.astype(FLOAT).reshape(shape)
        zero_points = zero_point.array.reshape(shape)
        if zero_points.dtype.kind == "f":
            return (integers.astype(FLOAT) * scales + zero_points).astype(FLOAT)
        return (integers - zero_points).astype(FLOAT) * scales


class SparseTensor(OpaqueTensor):
    """Values and where they are: ``parts`` are the indices, row pointers before columns, and then the values."""

    __slots__ = ("layout", "parts")

    def __init__(self, shape: tuple[int, ...], layout: int, parts: tuple[Tensor, ...]) -> None:
        super().__init__(shape)
        self.layout = layout
        self.parts = parts

    way_out = "make a usual one of it with .to_dense()"

    @property
    def kind(self) -> str:
        return "sparse (COO)" if self.layout == SPARSE_COO else "sparse (CSR)"

    @property
    def dtype(self) -> DType:
        return self.parts[-1].dtype

    def dense(self) -> np.ndarray:
        """All elements; those of an index that is there twice are added."""
        indices, values = self._coordinates(), self.parts[-1].array
        found = np.zeros(self.shape, values.dtype)
        for axis, index in enumerate(indices):
            if index.size and not (index.min() >= 0 and index.max() < self.shape[axis]):
                raise ScriptError("RuntimeError", "an index of a sparse tensor is out of its range")
        np.add.at(found, tuple(indices), values)
        return found

    def _coordinates(self) -> list[np.ndarray]:
        """The indices of each value, an array for each sparse dimension."""
        if self.layout == SPARSE_COO:
            return list(self.parts[0].array)
        starts, columns = self.parts[0].array, self.parts[1].array
        counts = np.diff(starts)
        if (counts < 0).any() or counts.sum() != len(columns):
            raise ScriptError("RuntimeError", "the rows of a sparse tensor do not fit its columns")
        return [np.repeat(np.arange(len(counts)), counts), columns]


class RawTensor(OpaqueTensor):
    """Elements of a dtype that is only known by name: the bytes of a storage, and a view of it."""

    __slots__ = ("content", "info", "itemsize", "offset", "strides")

    def __init__(
        self,
        content: np.ndarray,
        info: ScalarTypeInfo,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
        itemsize: int,
    ) -> None:
        super().__init__(shape)
        self.content = content
        self.itemsize = itemsize
        self.info = info
        self.strides = strides
        self.offset = offset

    @property
    def kind(self) -> str:
        return f"of dtype {self.info.torch_name}"

    @property
    def dtype(self) -> DType:
        return _dtype_of(self.info, np.dtype(np.void))

    @property
    def way_out(self) -> str:
        if self.info.name.startswith("float8"):
            return "convert it to another dtype, as by .to(torch.float32)"
        return super().way_out


@functools.cache
def _dtype_of(info: ScalarTypeInfo, carrier: np.dtype) -> DType:
    """A dtype that can be asked for its name, and not be computed with."""
    return DType(info.name, info.code, info.ir_name, carrier, INTEGRAL)
