"""Products of vectors and matrices."""

from __future__ import annotations

import functools
from collections.abc import Callable
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from runtime.dimensions import wrap_dimension, wrap_dimensions
from runtime.dtypes import BFLOAT16, BOOL, FLOAT, HALF, LONG, scalar_name
from runtime.errors import ScriptError
from runtime.operators.arithmetic import add, mul_number
from runtime.operators.einsum_equation import parse_equation
from runtime.operators.elementwise import FLOATING_DTYPES, not_implemented, promote
from runtime.operators.registration import operator
from runtime.operators.variants import in_place_variant
from runtime.tensor import Tensor, asarray, ndarray, wrap
from runtime.type_promotion import Number, number_array

np_matmul = np.matmul
SLOW_DTYPES = frozenset({HALF, BFLOAT16})


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The matrix product; half precision is accumulated in float32."""
    if a.dtype in SLOW_DTYPES:
        return asarray(np_matmul(a.astype(FLOAT), b.astype(FLOAT))).astype(a.dtype)
    if a.dtype is BOOL:
        raise not_implemented("addmm_impl_cpu_", BOOL)
    return np_matmul(a, b)


def _check_same_dtype(a: np.ndarray, b: np.ndarray) -> None:
    if a.dtype is not b.dtype:
        raise ScriptError(
            "RuntimeError",
            f"expected m1 and m2 to have the same dtype, but got: {_c_name(a)} != {_c_name(b)}",
        )


_C_NAMES = {
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "float32": "float",
    "float64": "double",
}


def _c_name(a: np.ndarray) -> str:
    return _C_NAMES.get(a.dtype.name, a.dtype.name)


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
    _check_same_dtype(a, b)
    return Tensor(a.dot(b) if a.dtype is FLOAT else product(a, b))


def _check_batches(name: str, a: np.ndarray, b: np.ndarray) -> None:
    if a.ndim != 3:
        raise ScriptError("RuntimeError", f"{name} must be a 3D tensor")
    if b.ndim != 3:
        raise ScriptError("RuntimeError", "batch2 must be a 3D tensor")
    if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
        raise ScriptError(
            "RuntimeError",
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{a.shape[0]}, {a.shape[2]}] but got: [{b.shape[0]}, {b.shape[1]}].",
        )


@operator("aten::bmm(Tensor self, Tensor mat2) -> Tensor")
def bmm(self: Tensor, mat2: Tensor) -> Tensor:
    a, b = self.array, mat2.array
    _check_batches("batch1", a, b)
    _check_same_dtype(a, b)
    return Tensor(product(a, b))


@operator(
    "aten::matmul(Tensor self, Tensor other) -> Tensor",
    "aten::linalg_matmul(Tensor self, Tensor other) -> Tensor",
)
def matmul(self: Tensor, other: Tensor) -> Tensor:
    a, b = self.array, other.array
    if a.dtype is not b.dtype:
        _check_same_dtype(a, b)
    try:
        result = np_matmul(a, b) if a.dtype is FLOAT else product(a, b)
    except ValueError:
        raise _matmul_error(a, b) from None
    return Tensor(result if type(result) is ndarray else asarray(result))


def _matmul_error(a: np.ndarray, b: np.ndarray) -> ScriptError:
    """PyTorch's words for shapes that do not multiply."""
    if a.ndim == 0 or b.ndim == 0:
        return ScriptError(
            "RuntimeError",
            "both arguments to matmul need to be at least 1D, but they are "
            f"{a.ndim}D and {b.ndim}D",
        )
    if a.ndim == 1 and b.ndim == 1:
        return ScriptError(
            "RuntimeError",
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the "
            f"same number of elements, but got {a.size} and {b.size} elements respectively",
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
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{batch}, {left.shape[-1]}] but got: [{batch}, {right.shape[-2]}].",
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
    _check_same_dtype(a, b)
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
            "dot : expected both vectors to have same dtype, but found "
            f"{scalar_name(a.dtype)} and {scalar_name(b.dtype)}",
        )
    if a.size != b.size:
        raise _matmul_error(a, b)
    return wrap(product(a, b))


@operator("aten::vdot(Tensor self, Tensor other) -> Tensor")
def vdot(self: Tensor, other: Tensor) -> Tensor:
    return dot(wrap(np.conj(self.array)), other)


@operator("aten::inner(Tensor self, Tensor other) -> Tensor")
def inner(self: Tensor, other: Tensor) -> Tensor:
    a, b = self.array, other.array
    if a.ndim == 0 or b.ndim == 0:
        return wrap(np.multiply(a, b))
    if a.shape[-1] != b.shape[-1]:
        raise ScriptError(
            "RuntimeError",
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(a.shape)} and {list(b.shape)}",
        )
    return wrap(np.inner(a, b))


@operator(
    "aten::outer(Tensor self, Tensor vec2) -> Tensor",
    "aten::ger(Tensor self, Tensor vec2) -> Tensor",
)
def outer(self: Tensor, vec2: Tensor) -> Tensor:
    a, b = self.array, vec2.array
    for name, vector in (("self", a), ("vec2", b)):
        if vector.ndim != 1:
            raise ScriptError(
                "RuntimeError",
                f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D",
            )
    from runtime.operators.arithmetic import mul

    return mul(Tensor(a[:, np.newaxis]), Tensor(b))


def _with_base(base: Tensor, result: np.ndarray, beta: Number, alpha: Number) -> Tensor:
    """``beta * base + alpha * result``; a beta of zero ignores what is in `base`."""
    if alpha != 1:
        result = np.multiply(result, number_array(alpha, result.dtype))
    if beta == 0:
        shape = np.broadcast_shapes(base.array.shape, result.shape)
        return Tensor(np.broadcast_to(result, shape).copy())
    return _added(_scaled(base, beta), Tensor(asarray(result)))


def _scaled(base: Tensor, beta: Number) -> Tensor:
    """``beta * base``; of integers, the integral part of `beta` counts."""
    if beta == 1:
        return base
    if base.array.dtype in FLOATING_DTYPES:
        return mul_number(base, beta)
    return Tensor(asarray(base.array * number_array(beta, base.array.dtype)))


def _added(base: Tensor, result: Tensor) -> Tensor:
    a, b = base.array, result.array
    try:
        broadcast = np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        broadcast = None
    if broadcast != b.shape:
        raise ScriptError(
            "RuntimeError",
            f"The expanded size of the tensor ({b.shape[-1]}) must match the existing size "
            f"({a.shape[-1] if a.ndim else 1}) at non-singleton dimension {b.ndim - 1}.  "
            f"Target sizes: {list(b.shape)}.  Tensor sizes: {list(a.shape)}",
        )
    return add(base, result)


def _declare_sum(name: str, arguments: str, kernel: Callable[..., Tensor]) -> None:
    scales = "*, Scalar beta=1, Scalar alpha=1"
    operator(f"aten::{name}(Tensor self, {arguments}, {scales}) -> Tensor")(kernel)
    in_place_variant(f"aten::{name}_(Tensor(a!) self, {arguments}, {scales}) -> Tensor(a!)", kernel)


def addmm(self: Tensor, mat1: Tensor, mat2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    return _with_base(self, mm(mat1, mat2).array, beta, alpha)


def addmv(self: Tensor, mat: Tensor, vec: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    return _with_base(self, mv(mat, vec).array, beta, alpha)


def baddbmm(
    self: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    return _with_base(self, bmm(batch1, batch2).array, beta, alpha)


def addbmm(
    self: Tensor, batch1: Tensor, batch2: Tensor, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    return _with_base(self, bmm(batch1, batch2).array.sum(0), beta, alpha)


def addr(self: Tensor, vec1: Tensor, vec2: Tensor, beta: Number = 1, alpha: Number = 1) -> Tensor:
    return _with_base(self, outer(vec1, vec2).array, beta, alpha)


_declare_sum("addmm", "Tensor mat1, Tensor mat2", addmm)
_declare_sum("addmv", "Tensor mat, Tensor vec", addmv)
_declare_sum("baddbmm", "Tensor batch1, Tensor batch2", baddbmm)
_declare_sum("addbmm", "Tensor batch1, Tensor batch2", addbmm)
_declare_sum("addr", "Tensor vec1, Tensor vec2", addr)


@operator("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    a, w = input.array, weight.array
    if a.dtype is not w.dtype:
        _check_same_dtype(a, w)
    if a.ndim == 0 or a.shape[-1] != w.shape[-1]:
        flat = a.reshape(-1, a.shape[-1]) if a.ndim else a.reshape(1, 1)
        raise _mismatch(flat, w.T if w.ndim == 2 else w.reshape(-1, 1))
    result = a.dot(w.T) if a.ndim == 2 and a.dtype is FLOAT else asarray(product(a, w.T))
    if bias is not None:
        b = bias.array
        result = np.add(result, b, result if b.dtype is result.dtype else None)
    return Tensor(result)


@operator("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor")
def einsum(equation: str, tensors: list[Tensor], path: list[int] | None = None) -> Tensor:
    arrays = [tensor.array for tensor in tensors]
    for array in arrays[1:]:
        _check_same_dtype(arrays[0], array)
    text = parse_equation(equation, [array.shape for array in arrays])
    dtype = arrays[0].dtype
    wide = FLOAT if dtype in SLOW_DTYPES else dtype
    result = np.einsum(
        text, *(array.astype(wide, copy=False) for array in arrays), optimize=len(arrays) > 1
    )
    return Tensor(np.array(result, dtype))


@operator("aten::einsum.sublist(Tensor a, ...) -> Tensor")
def einsum_of_sublists(*operands: Any) -> Tensor:
    """``einsum(x, [0, 1], y, [1, 2], [0, 2])``: numbers stand for the letters of an equation."""
    if len(operands) < 2:
        raise ScriptError("RuntimeError", "einsum(): must provide at least one operand and list")
    pairs = len(operands) // 2
    inputs = [_subscripts(operands[2 * index + 1]) for index in range(pairs)]
    equation = ",".join(inputs)
    if len(operands) % 2:
        equation += "->" + _subscripts(operands[-1])
    return einsum(equation, [operands[2 * index] for index in range(pairs)])


_SUBSCRIPTS = ascii_uppercase + ascii_lowercase


def _subscripts(numbers: list[int]) -> str:
    for number in numbers:
        if not 0 <= number < len(_SUBSCRIPTS):
            message = f"einsum(): not a valid subscript: {number}; it must be in [0, 52)"
            raise ScriptError("RuntimeError", message)
    return "".join(_SUBSCRIPTS[number] for number in numbers)


@operator("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor")
def tensordot(self: Tensor, other: Tensor, dims_self: list[int], dims_other: list[int]) -> Tensor:
    a, b = self.array, other.array
    if len(dims_self) != len(dims_other):
        message = "both dimension lists should have same length"
        raise ScriptError("RuntimeError", message)
    firsts = wrap_dimensions(dims_self, a.ndim)
    seconds = wrap_dimensions(dims_other, b.ndim)
    for first, second in zip(firsts, seconds):
        extents = a.shape[first], b.shape[second]
        if extents[0] == extents[1]:
            continue
        if 1 not in extents:
            raise ScriptError(
                "RuntimeError",
                f"contracted dimensions need to match, but first has size {extents[0]} in dim "
                f"{first} and second has size {extents[1]} in dim {second}",
            )
        a = a.sum(first, dtype=a.dtype, keepdims=True)
        b = b.sum(second, dtype=b.dtype, keepdims=True)
    return wrap(np.tensordot(a, b, (firsts, seconds)))


@operator(
    "aten::chain_matmul(Tensor[] matrices) -> Tensor",
)
def chain_matmul(matrices: list[Tensor]) -> Tensor:
    return linalg_multi_dot(matrices)


@operator("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor")
def linalg_multi_dot(tensors: list[Tensor]) -> Tensor:
    if len(tensors) == 1:
        return Tensor(tensors[0].array.copy())
    return wrap(np.linalg.multi_dot([tensor.array for tensor in tensors]))


@operator("aten::trace(Tensor self) -> Tensor")
def trace(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim != 2:
        message = f"trace: expected a matrix, but got tensor with dim {a.ndim}"
        raise ScriptError("RuntimeError", message)
    if a.dtype is BOOL:
        raise not_implemented("trace", BOOL)
    return wrap(np.trace(a, dtype=a.dtype if a.dtype in FLOATING_DTYPES else LONG))


def _cross(a: np.ndarray, b: np.ndarray, dim: int) -> Tensor:
    shape = np.broadcast_shapes(a.shape, b.shape)
    a, b = np.broadcast_to(a, shape), np.broadcast_to(b, shape)
    if a.shape[wrap_dimension(dim, a.ndim)] != 3:
        raise ScriptError(
            "RuntimeError",
            f"linalg.cross: inputs dimension {dim} must have length 3. "
            f"Got {a.shape[dim]} and {b.shape[dim]}",
        )
    return Tensor(np.cross(a, b, axis=dim))


@operator("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor")
def cross(self: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    a, b = self.array, other.array
    if dim is None:
        if 3 not in a.shape:
            raise ScriptError("RuntimeError", "no dimension of size 3 in input")
        dim = a.shape.index(3)
    return _cross(a, b, dim)


@operator("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor")
def linalg_cross(self: Tensor, other: Tensor, dim: int = -1) -> Tensor:
    return _cross(self.array, other.array, dim)


@operator("aten::kron(Tensor self, Tensor other) -> Tensor")
def kron(self: Tensor, other: Tensor) -> Tensor:
    return wrap(np.kron(*promote(self.array, other.array)))


def _check_matrix(name: str, a: np.ndarray) -> None:
    if a.ndim < 2:
        message = f"{name}: input tensor must have at least 2 dimensions"
        raise ScriptError("RuntimeError", message)


@functools.lru_cache(maxsize=32)
def _lower_triangle(rows: int, columns: int, diagonal: int) -> np.ndarray:
    return np.tri(rows, columns, diagonal, np.bool_)


@operator("aten::tril(Tensor self, SymInt diagonal=0) -> Tensor")
def tril(self: Tensor, diagonal: int = 0) -> Tensor:
    a = self.array
    _check_matrix("tril", a)
    triangle = _lower_triangle(*a.shape[-2:], diagonal)
    return Tensor(np.where(triangle, a, np.zeros((), a.dtype)))


@operator("aten::triu(Tensor self, SymInt diagonal=0) -> Tensor")
def triu(self: Tensor, diagonal: int = 0) -> Tensor:
    a = self.array
    _check_matrix("triu", a)
    triangle = _lower_triangle(*a.shape[-2:], diagonal - 1)
    return Tensor(np.where(triangle, np.zeros((), a.dtype), a))


for _name, _kernel in {"tril": tril, "triu": triu}.items():
    in_place_variant(f"aten::{_name}_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)", _kernel)


@operator("aten::diag(Tensor self, int diagonal=0) -> Tensor")
def diag(self: Tensor, diagonal: int = 0) -> Tensor:
    if self.array.ndim not in (1, 2):
        message = f"diag(): Supports 1D or 2D tensors. Got {self.array.ndim}D"
        raise ScriptError("RuntimeError", message)
    return Tensor(np.diag(self.array, diagonal).copy())


@operator("aten::diagflat(Tensor self, int offset=0) -> Tensor")
def diagflat(self: Tensor, offset: int = 0) -> Tensor:
    return Tensor(np.diagflat(self.array, offset))


@operator("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
def diag_embed(self: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    from runtime.operators.shape import diagonal_view

    a = self.array
    first, second = wrap_dimension(dim1, a.ndim + 1), wrap_dimension(dim2, a.ndim + 1)
    extent = a.shape[-1] + abs(offset)
    shape = list(a.shape[:-1])
    for dim in sorted((first, second)):
        shape.insert(dim, extent)
    result = np.zeros(shape, a.dtype)
    diagonal_view(result, offset, first, second)[...] = a
    return Tensor(result)
