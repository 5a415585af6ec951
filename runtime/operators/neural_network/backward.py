"""Gradients of operators as operators of their own, as graphs of gradients call them."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.operators.creation.creation import numpy_dtype
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.pointwise.arithmetic import mul, mul_number, sub
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray


@operator("aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor")
def native_dropout_backward(grad_output: Tensor, mask: Tensor, scale: float) -> Tensor:
    return mul(grad_output, mul_number(mask, scale))


@operator(
    "aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim,"
    " ScalarType input_dtype) -> Tensor"
)
def softmax_backward(grad_output: Tensor, output: Tensor, dim: int, input_dtype: int) -> Tensor:
    weighted = mul(grad_output, output).array
    axis = wrap_dimension(dim, weighted.ndim)
    total = asarray(weighted.sum(axis, keepdims=weighted.ndim > 0))
    result = sub(Tensor(weighted), mul(output, Tensor(total))).array
    return Tensor(result.astype(numpy_dtype(input_dtype), copy=False))


@operator(
    "aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim,"
    " ScalarType input_dtype) -> Tensor"
)
def log_softmax_backward(grad_output: Tensor, output: Tensor, dim: int, input_dtype: int) -> Tensor:
    gradient = grad_output.array
    axis = wrap_dimension(dim, gradient.ndim)
    total = Tensor(asarray(gradient.sum(axis, keepdims=gradient.ndim > 0)))
    result = sub(grad_output, mul(Tensor(asarray(np.exp(output.array))), total)).array
    return Tensor(result.astype(numpy_dtype(input_dtype), copy=False))


out_forms(SAME, "native_dropout_backward")
