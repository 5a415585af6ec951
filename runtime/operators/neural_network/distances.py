"""Distances and similarities between vectors, and bilinear forms of them."""

from __future__ import annotations

import math
from typing import NoReturn

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import broadcast_shape, check_broadcast, wrap_dimension
from tsc.runtime.arrays.dtypes import (
    BFLOAT16,
    CATEGORY,
    FLOATING,
    HALF,
    REAL_OF_COMPLEX,
    scalar_name,
)
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.arrays.type_promotion import Number, floating_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.distances import all_distances, euclidean_distances, vector_norms
from tsc.runtime.operators.elementwise import not_implemented, promote
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.pointwise.arithmetic import check_subtraction
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _refuse(message: str) -> NoReturn:
    raise ScriptError("RuntimeError", message)


@operator(
    "aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
    layout=Layout.ROW_MAJOR,
)
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    a, b = promote(x1.array, x2.array)
    if CATEGORY[a.dtype] != FLOATING:
        _refuse(f"expected common dtype to be floating point, not {scalar_name(a.dtype)}")
    shape = broadcast_shape(a.shape, b.shape)
    axis = wrap_dimension(dim, len(shape))
    a, b = (np.moveaxis(_at_least_one(np.broadcast_to(x, shape)), axis, -1) for x in (a, b))
    a, b, dtype = widened(a), widened(b), a.dtype
    product = _dot(a, b)
    smallest = a.dtype.type(eps)
    lengths = [np.maximum(np.sqrt(_dot(x, x)), smallest) for x in (a, b)]
    return Tensor(narrowed(product / (lengths[0] * lengths[1]), dtype))


def _at_least_one(a: np.ndarray) -> np.ndarray:
    return a if a.ndim else a.reshape(1)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Sums of products along the last dimension."""
    if a.dtype.kind == "f":
        return np.asarray(np.vecdot(a, b))
    return np.add.reduce(a * b, -1)


@operator(
    "aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07,"
    " bool keepdim=False) -> Tensor"
)
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    a, b = promote(x1.array, x2.array)
    check_broadcast(a, b)
    difference = np.asarray(np.subtract(a, b))
    difference = difference.astype(floating_dtype(difference.dtype), copy=False)
    x = widened(_at_least_one(difference))
    shifted = narrowed(x + x.dtype.type(eps), difference.dtype)
    norms = vector_norms(widened(shifted), p, keepdims=keepdim)
    if difference.ndim == 0:
        norms = norms.reshape(())
    return Tensor(narrowed(norms, _real(difference.dtype)))


def _real(dtype: np.dtype) -> np.dtype:
    return REAL_OF_COMPLEX.get(dtype, dtype)


def _check_cdist(a: np.ndarray, b: np.ndarray, p: float, mode: int) -> None:
    for name, x in (("X1", a), ("X2", b)):
        if x.ndim < 2:
            _refuse(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if a.shape[-1] != b.shape[-1]:
        _refuse(
            "X1 and X2 must have the same number of columns: the shapes are "
            f"{list(a.shape)} and {list(b.shape)}"
        )
    for name, x in (("X1", a), ("X2", b)):
        if CATEGORY[x.dtype] != FLOATING:
            _refuse(
                f"cdist only supports floating-point dtypes, {name} got: {scalar_name(x.dtype)}"
            )
    if p < 0:
        _refuse("cdist only supports non-negative p values")
    if mode not in (0, 1, 2):
        _refuse(f"possible modes: 0, 1, 2, but was: {mode}")
    if a.dtype is not b.dtype:
        _refuse(f"expected scalar type {scalar_name(a.dtype)} but found {scalar_name(b.dtype)}")


_BY_PRODUCT = 25
"""More rows than this have their distances computed from a product of matrices."""


@operator(
    "aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor",
    "aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: int | None = None) -> Tensor:
    """`compute_mode` 1: by a product of matrices, 2: never so, 0: for many rows."""
    a, b = x1.array, x2.array
    mode = 0 if compute_mode is None else compute_mode
    _check_cdist(a, b, p, mode)
    lead = broadcast_shape(a.shape[:-2], b.shape[:-2])
    first, second = (
        np.broadcast_to(x, (*lead, *x.shape[-2:])).reshape(math.prod(lead), *x.shape[-2:])
        for x in (a, b)
    )
    many = max(first.shape[1], second.shape[1]) > _BY_PRODUCT
    if p == 2 and first.shape[2] and (mode == 1 or (mode == 0 and many)):
        result = narrowed(euclidean_distances(widened(first), widened(second)), a.dtype)
    elif first.size and second.size and (a.dtype is HALF or a.dtype is BFLOAT16):
        raise not_implemented("cdist", a.dtype)
    else:
        result = all_distances(first, second, p)
    return Tensor(result.reshape(*lead, *result.shape[1:]))


@operator("aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor")
def euclidean_dist(x1: Tensor, x2: Tensor) -> Tensor:
    return Tensor(euclidean_distances(x1.array, x2.array))


@operator(
    "aten::pdist(Tensor self, float p=2.) -> Tensor",
    "aten::_pdist_forward(Tensor self, float p=2.) -> Tensor",
)
def pdist(self: Tensor, p: float = 2.0) -> Tensor:
    a = self.array
    if a.ndim != 2:
        _refuse(f"pdist only supports 2D tensors, got: {a.ndim}D")
    if CATEGORY[a.dtype] != FLOATING:
        _refuse("pdist only supports floating-point dtypes")
    if p < 0:
        _refuse("pdist only supports non-negative p values")
    if a.dtype is HALF or a.dtype is BFLOAT16:
        raise not_implemented("pdist", a.dtype)
    parts = [vector_norms(a[row] - a[row + 1 :], p) for row in range(len(a) - 1)]
    return Tensor(np.concatenate(parts) if parts else np.empty(0, a.dtype))


@operator("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor")
def dist(self: Tensor, other: Tensor, p: Number = 2) -> Tensor:
    check_subtraction(self.array, other.array)
    a, b = promote(self.array, other.array)
    check_broadcast(a, b)
    difference = asarray(np.subtract(a, b))
    if CATEGORY[difference.dtype] < FLOATING:
        _refuse(
            "norm(): input dtype should be floating point or complex, not "
            f"{scalar_name(difference.dtype)}; convert the tensors, as with .float()"
        )
    if isinstance(p, complex):
        _refuse(f"linalg.vector_norm: Expected a non-complex scalar as the order, not {p}")
    norm = asarray(vector_norms(widened(difference.reshape(-1)), float(p)))
    return Tensor(narrowed(norm, _real(difference.dtype)))


def _check_bilinear(a: np.ndarray, b: np.ndarray, w: np.ndarray, bias: np.ndarray | None) -> None:
    if a.ndim != b.ndim:
        _refuse(f"bilinear(): input dimensions do not match: {a.ndim} and {b.ndim}")
    for axis, (first, second) in enumerate(zip(a.shape[:-1], b.shape[:-1])):
        if first != second:
            _refuse(
                f"bilinear(): input batch dimensions do not match: dimension {axis} is {first} and "
                f"{second}"
            )
    for name, x, axis in (("input1", a, 1), ("input2", b, 2)):
        if x.shape[-1] != w.shape[axis]:
            _refuse(
                f"bilinear(): {name} size does not match weight size: got {x.shape[-1]} but "
                f"expected {w.shape[axis]}"
            )
    if bias is not None and bias.shape[0] != w.shape[0]:
        _refuse(
            f"bilinear(): bias size does not match the weight's outputs: {bias.shape[0]} and "
            f"{w.shape[0]}"
        )


@operator(
    "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor"
)
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """For each output k: the sum of ``input1[i] * weight[k, i, j] * input2[j]``."""
    a, b, w = input1.array, input2.array, weight.array
    dtypes = [each.array.dtype for each in (input1, input2, weight, bias) if each is not None]
    if any(dtype is not dtypes[0] for dtype in dtypes):
        names = ", ".join(map(scalar_name, dtypes))
        _refuse(f"bilinear(): all tensors must have the same dtype, not {names}")
    _check_bilinear(a, b, w, None if bias is None else bias.array)
    count = math.prod(a.shape[:-1])
    first, second = (widened(x).reshape(count, x.shape[-1]) for x in (a, b))
    outputs, rows, columns = w.shape
    halves = first @ widened(w).transpose(1, 0, 2).reshape(rows, outputs * columns)
    result = matrix_product(halves.reshape(count, outputs, columns), second[:, :, np.newaxis])[
        ..., 0
    ]
    if bias is not None:
        result = result + widened(bias.array)
    return Tensor(narrowed(result.reshape(*a.shape[:-1], outputs), a.dtype))


@operator(
    "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2,"
    " int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor"
)
def trilinear(
    i1: Tensor,
    i2: Tensor,
    i3: Tensor,
    expand1: list[int],
    expand2: list[int],
    expand3: list[int],
    sumdim: list[int],
    unroll_dim: int = 1,
) -> Tensor:
    """The product of three tensors, with dimensions inserted, summed over some of them."""
    arrays = []
    for tensor, dimensions in ((i1, expand1), (i2, expand2), (i3, expand3)):
        arrays.append(np.expand_dims(tensor.array, tuple(dimensions)))
    check_broadcast(*arrays)
    ndim = max(a.ndim for a in arrays)
    axes = tuple(wrap_dimension(dimension, ndim) for dimension in sumdim)
    product = arrays[0] * arrays[1] * arrays[2]
    return wrap(product.sum(axes, dtype=product.dtype))


out_forms(SAME, "dist _cdist_forward _euclidean_dist _pdist_forward _trilinear")
