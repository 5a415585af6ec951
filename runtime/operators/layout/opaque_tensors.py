"""Usual tensors made of quantized and sparse ones, and what these tell of themselves."""

from __future__ import annotations

from tsc.runtime.arrays.dtypes import FLOAT, NUMPY_OF_CODE
from tsc.runtime.arrays.type_promotion import converted
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.opaque_tensors import (
    SPARSE_COO,
    SPARSE_CSR,
    QuantizedTensor,
    Quantizer,
    SparseTensor,
)
from tsc.runtime.values.tensor import Tensor

_STRIDED = 0


@operator("prim::layout(Tensor a) -> Layout")
def layout(a: Tensor) -> int:
    return a.layout if isinstance(a, SparseTensor) else _STRIDED


@operator("prim::is_sparse(Tensor a) -> bool")
def is_sparse(a: Tensor) -> bool:
    return layout(a) == SPARSE_COO


@operator("prim::is_sparse_csr(Tensor a) -> bool")
def is_sparse_csr(a: Tensor) -> bool:
    return layout(a) == SPARSE_CSR


@operator("prim::is_quantized(Tensor a) -> bool")
def is_quantized(a: Tensor) -> bool:
    return isinstance(a, QuantizedTensor)


@operator(
    "aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor"
)
def to_dense(self: Tensor, dtype: int | None = None, masked_grad: bool | None = None) -> Tensor:
    if not isinstance(self, SparseTensor):
        target = self.array.dtype if dtype is None else NUMPY_OF_CODE[dtype]
        return self if self.array.dtype is target else Tensor(converted(self.array, target))
    if dtype is not None:
        raise ScriptError(
            "RuntimeError",
            "dtype argument is not supported for a sparse tensor: convert the result of to_dense()",
        )
    return Tensor(self.dense())


# Quantized tensors ------------------------------------------------------------------------------


@operator("aten::dequantize.self(Tensor self) -> Tensor")
def dequantize(self: Tensor) -> Tensor:
    """The numbers in float32, of a tensor of any dtype."""
    if isinstance(self, QuantizedTensor):
        return Tensor(self.dequantized())
    return Tensor(converted(self.array, FLOAT))


@operator("aten::dequantize.tensors(Tensor[] tensors) -> Tensor[]")
def dequantize_all(tensors: list[Tensor]) -> list[Tensor]:
    return [dequantize(each) for each in tensors]


@operator("aten::int_repr(Tensor self) -> Tensor")
def int_repr(self: Tensor) -> Tensor:
    return Tensor(_quantized(self, "int_repr").integers.array.copy())


@operator("aten::q_scale(Tensor self) -> float")
def q_scale(self: Tensor) -> float:
    scale = _quantizer(self, "q_scale", per_channel=False).scale
    assert isinstance(scale, float)
    return scale


@operator("aten::q_zero_point(Tensor self) -> int")
def q_zero_point(self: Tensor) -> int:
    zero_point = _quantizer(self, "q_zero_point", per_channel=False).zero_point
    assert isinstance(zero_point, int)
    return zero_point


@operator("aten::q_per_channel_scales(Tensor self) -> Tensor")
def q_per_channel_scales(self: Tensor) -> Tensor:
    scales = _quantizer(self, "q_per_channel_scales", per_channel=True).scale
    assert isinstance(scales, Tensor)
    return scales


@operator("aten::q_per_channel_zero_points(Tensor self) -> Tensor")
def q_per_channel_zero_points(self: Tensor) -> Tensor:
    zero_points = _quantizer(self, "q_per_channel_zero_points", per_channel=True).zero_point
    assert isinstance(zero_points, Tensor)
    return zero_points


@operator("aten::q_per_channel_axis(Tensor self) -> int")
def q_per_channel_axis(self: Tensor) -> int:
    return _quantizer(self, "q_per_channel_axis", per_channel=True).axis


def _quantized(tensor: Tensor, name: str) -> QuantizedTensor:
    if not isinstance(tensor, QuantizedTensor):
        message = f"{name}: the tensor is not quantized"
        raise ScriptError("NotImplementedError", message)
    return tensor


def _quantizer(tensor: Tensor, name: str, *, per_channel: bool) -> Quantizer:
    quantizer = _quantized(tensor, name).quantizer
    if isinstance(quantizer.scale, Tensor) is not per_channel:
        wanted = "channel" if per_channel else "tensor"
        message = f"{name}: the tensor is not quantized per {wanted}"
        raise ScriptError("RuntimeError", message)
    return quantizer
