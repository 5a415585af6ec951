"""Products of vectors and matrices."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dimensions import check_broadcast, wrap_dimension
from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, DOUBLE, FLOAT, HALF, c_name, scalar_name
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.dense import dense
from tsc.runtime.operators.elementwise import FLOATING_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import CASTABLE, SAME, apart, out_forms, same
from tsc.runtime.operators.pointwise.arithmetic import mul
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import second_name
from tsc.runtime.values.tensor import Tensor, asarray, ndarray, wrap

SLOW_DTYPES = frozenset({HALF, BFLOAT16})


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The matrix product; half precision is accumulated in float32."""
    if a.dtype in SLOW_DTYPES:
        return asarray(matrix_product(a.astype(FLOAT), b.astype(FLOAT))).astype(a.dtype)
    if a.dtype is BOOL:
        raise not_implemented("addmm_impl_cpu_", BOOL)
    return matrix_product(a, b)


def check_same_dtype(a: np.ndarray, b: np.ndarray, names: str = "expected m1 and m2 to") -> None:
    if a.dtype is not b.dtype:
        raise ScriptError(
            "RuntimeError",
            f"{names} have the same dtype, as matrices of one product: one is "
            f"{c_name(a.dtype)}, the other {c_name(b.dtype)}",
        )


def _mismatch(a: np.ndarray, b: np.ndarray) -> ScriptError:
    return ScriptError(
        "RuntimeError",
        f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and "
        f"{b.shape[0]}x{b.shape[1]})",
    )


@operator("aten::mm(Tensor self, Tensor mat2) -> Tensor")
def mm(self: Tensor, mat2: Tensor) -> Tensor:
    a, b = self.array, mat2.array
    if a.ndim != 2:
        raise ScriptError("RuntimeError", "self must be a matrix")
    if b.ndim != 2:
        raise ScriptError("RuntimeError", "mat2 must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise _mismatch(a, b)
    check_same_dtype(a, b)
    return Tensor(dense(a, b) if a.dtype is FLOAT or a.dtype is DOUBLE else product(a, b))


def _check_batches(name: str, a: np.ndarray, b: np.ndarray) -> None:
    if a.ndim != 3:
        raise ScriptError("RuntimeError", f"{name} must be a 3D tensor")
    if b.ndim != 3:
        raise ScriptError("RuntimeError", "batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise ScriptError(
            "RuntimeError",
            f"the first two dimensions of batch2 tensor are [{b.shape[0]}, {b.shape[1]}], where "
            f"[{a.shape[0]}, {a.shape[2]}] would fit the first batch, {list(a.shape)}",
        )


@operator("aten::bmm(Tensor self, Tensor mat2) -> Tensor")
def bmm(self: Tensor, mat2: Tensor) -> Tensor:
    a, b = self.array, mat2.array
    _check_batches("batch1", a, b)
    check_same_dtype(a, b)
    return Tensor(product(a, b))


@operator("aten::matmul(Tensor self, Tensor other) -> Tensor")
def matmul(self: Tensor, other: Tensor) -> Tensor:
    a, b = self.array, other.array
    if a.dtype is not b.dtype:
        check_same_dtype(a, b)
    try:
        is_layer = a.dtype is FLOAT and a.ndim > 1 and b.ndim == 2
        result = dense(a, b) if is_layer else product(a, b)
    except ValueError:
        raise _matmul_error(a, b) from None
    return Tensor(result if type(result) is ndarray else asarray(result))


def _matmul_error(a: np.ndarray, b: np.ndarray) -> ScriptError:
    """PyTorch's words for shapes that do not multiply."""
    if a.ndim == 0 or b.ndim == 0:
        return ScriptError(
            "RuntimeError",
            f"both arguments to matmul need at least one dimension: they have {a.ndim} and {b.ndim}",
        )
    if a.ndim == 1 and b.ndim == 1:
        return ScriptError(
            "RuntimeError",
            f"inconsistent tensor size: the vectors of a product have {a.size} and {b.size} elements",
        )
    if a.ndim == 2 and b.ndim == 1:
        message = f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), "
        return ScriptError("RuntimeError", f"{message}vec ({b.shape[0]})")
    left = a[np.newaxis] if a.ndim == 1 else a
    right = b[:, np.newaxis] if b.ndim == 1 else b
    if left.shape[-1] != right.shape[-2]:
        if left.ndim > 2 and right.ndim == 2:
            left = left.reshape(-1, left.shape[-1])
        if left.ndim == 2 and right.ndim == 2:
            return _mismatch(left, right)
        batch = int(np.prod(np.broadcast_shapes(left.shape[:-2], right.shape[:-2])))
        return ScriptError(
            "RuntimeError",
            f"the first two dimensions of batch2 tensor are [{batch}, {right.shape[-2]}], where "
            f"[{batch}, {left.shape[-1]}] would fit: matmul of {list(a.shape)} and {list(b.shape)}",
        )
    for offset, (m, n) in enumerate(zip(left.shape[-3::-1], right.shape[-3::-1])):
        if m != n and 1 not in (m, n):
            position = max(left.ndim, right.ndim) - 3 - offset
            return ScriptError(
                "RuntimeError",
                f"The size of tensor a ({m}) must match the size of tensor b ({n}) "
                f"at non-singleton dimension {position}",
            )
    return ScriptError("RuntimeError", f"shapes {a.shape} and {b.shape} do not multiply")


@operator("aten::mv(Tensor self, Tensor vec) -> Tensor")
def mv(self: Tensor, vec: Tensor) -> Tensor:
    a, b = self.array, vec.array
    if a.ndim != 2 or b.ndim != 1:
        raise ScriptError(
            "RuntimeError",
            f"vector + matrix @ vector expected, got 1, {a.ndim}, {b.ndim}",
        )
    if a.shape[1] != b.shape[0]:
        raise _matmul_error(a, b)
    check_same_dtype(a, b)
    return Tensor(product(a, b))


@operator("aten::dot(Tensor self, Tensor tensor) -> Tensor")
def dot(self: Tensor, tensor: Tensor) -> Tensor:
    a, b = self.array, tensor.array
    if a.ndim != 1 or b.ndim != 1:
        raise ScriptError(
            "RuntimeError", f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors"
        )
    if a.dtype is not b.dtype:
        raise ScriptError(
            "RuntimeError",
            "dot : expected both vectors to have same dtype: one is "
            f"{scalar_name(a.dtype)}, the other {scalar_name(b.dtype)}",
        )
    if a.size != b.size:
        raise _matmul_error(a, b)
    return wrap(product(a, b))


@operator("aten::vdot(Tensor self, Tensor other) -> Tensor")
def vdot(self: Tensor, other: Tensor) -> Tensor:
    return dot(wrap(np.conj(self.array)), other)


@operator("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor")
def linalg_vecdot(x: Tensor, y: Tensor, dim: int = -1) -> Tensor:
    """Dot products along one dimension; complex numbers of `x` are conjugated."""
    a, b = x.array, y.array
    if a.dtype is not b.dtype:
        raise ScriptError(
            "RuntimeError",
            "linalg.vecdot: Expected x and y to have the same dtype: x is "
            f"{scalar_name(a.dtype)}, y {scalar_name(b.dtype)}",
        )
    if a.dtype not in FLOATING_DTYPES:
        raise ScriptError(
            "RuntimeError",
            "linalg.vecdot: Expected a floating point or complex tensor as input. "
            f"Got {scalar_name(a.dtype)}",
        )
    if a.ndim == b.ndim == 1 and a.size != b.size:
        raise _matmul_error(a, b)
    check_broadcast(a, b)
    dtype = a.dtype
    wide = COMPUTE_DTYPE.get(dtype, dtype)
    a, b = np.broadcast_arrays(a.astype(wide, copy=False), b.astype(wide, copy=False))
    axis = wrap_dimension(dim, a.ndim)
    return Tensor(asarray(np.add.reduce(np.conj(a) * b, axis), dtype))


@operator("aten::inner(Tensor self, Tensor other) -> Tensor")
def inner(self: Tensor, other: Tensor) -> Tensor:
    a, b = self.array, other.array
    if a.ndim == 0 or b.ndim == 0:
        return mul(self, other)
    if a.dtype is not b.dtype:
        raise ScriptError("RuntimeError", "both inputs should have same dtype")
    if a.shape[-1] != b.shape[-1]:
        raise ScriptError(
            "RuntimeError",
            "inner() the last dimension must match: the shapes are "
            f"{list(a.shape)} and {list(b.shape)}",
        )
    if a.dtype is BOOL:
        raise not_implemented("dot" if a.ndim == b.ndim == 1 else "addmm_impl_cpu_", BOOL)
    return wrap(np.inner(a, b))


@operator("aten::outer(Tensor self, Tensor vec2) -> Tensor")
def outer(self: Tensor, vec2: Tensor) -> Tensor:
    a, b = self.array, vec2.array
    for name, vector in (("self", a), ("vec2", b)):
        if vector.ndim != 1:
            raise ScriptError(
                "RuntimeError",
                f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D",
            )

    return mul(Tensor(a[:, np.newaxis]), Tensor(b))


def _check_linear(a: np.ndarray, weight: np.ndarray, bias: Tensor | None) -> None:
    """Weights are a matrix, or a vector without bias."""
    if a.ndim == 0 or weight.ndim == 0:
        raise ScriptError(
            "RuntimeError",
            "both arguments to linear need at least one dimension: the input has "
            f"{a.ndim}, the weight {weight.ndim}",
        )
    if weight.ndim > 2:
        message = f"t() expects a tensor with <= 2 dimensions: the weight has {weight.ndim}"
        raise ScriptError("RuntimeError", message)
    if weight.ndim == 1 and bias is not None:
        raise ScriptError("RuntimeError", "mat2 must be a matrix, got 1-D tensor")


@operator("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    a, w = input.array, weight.array
    if w.ndim != 2 or a.ndim == 0:
        _check_linear(a, w, bias)
    if a.dtype is not w.dtype:
        check_same_dtype(a, w)
    if a.shape[-1] != w.shape[-1]:
        flat = a.reshape(np.prod(a.shape[:-1], dtype=int), a.shape[-1])
        raise _mismatch(flat, w.T if w.ndim == 2 else w.reshape(-1, 1))
    if bias is None:
        is_layer = a.ndim > 1 and w.ndim == 2 and a.dtype is FLOAT
        return Tensor(dense(a, w.T) if is_layer else asarray(product(a, w.T)))
    check_same_dtype(bias.array, a, "self and mat2, bias and matrix, must")
    if a.dtype in SLOW_DTYPES:
        wide = [each.astype(FLOAT) for each in (a, w, bias.array)]
        return Tensor(asarray(_affine(*wide)).astype(a.dtype))
    return Tensor(_affine(a, w, bias.array))


def _affine(a: np.ndarray, w: np.ndarray, bias: np.ndarray) -> np.ndarray:
    if a.ndim > 1 and bias.shape == w.shape[:1] and a.dtype in (FLOAT, DOUBLE):
        return dense(a, w.T, bias)
    result = asarray(product(a, w.T))
    return np.add(result, bias, result)


second_name("linalg_matmul", "matmul")
out_forms(apart(CASTABLE), "outer")
out_forms(SAME, "bmm linalg_matmul linear mm")
second_name("ger", "outer", "- out")
out_forms(same("result dtype {out} does not match input dtype {result}"), "dot matmul vdot")
out_forms(
    same(
        "tensordot: Expected the output tensor to have dtype {result}, but got an output tensor "
        "with dtype {out}"
    ),
    "inner",
)
out_forms(same("linalg.vecdot: Expected out of dtype{result} but found {out}"), "linalg_vecdot")
out_forms(
    same("addmv input tensors must have the same dtype, but got {out}, {result}, and {result}"),
    "mv",
)
