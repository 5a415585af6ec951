"""Sums of products over shared dimensions: einsum, tensordot, chains of matrices."""

from __future__ import annotations

import itertools
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from tsc.compiler.types import INT, TENSOR, ListType
from tsc.runtime.arrays.dimensions import wrap_dimensions
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.memory_layout import contiguous, laid_out
from tsc.runtime.arrays.storage import inner_view, with_strides_if_empty
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.linear_algebra.einsum_plan import EinsumPlan, einsum_plan
from tsc.runtime.operators.linear_algebra.linear_algebra import product
from tsc.runtime.operators.out_variants import out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap
from tsc.runtime.values.value_types import fits


@operator("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor")
def einsum(equation: str, tensors: list[Tensor], path: list[int] | None = None) -> Tensor:
    arrays = [tensor.array for tensor in tensors]
    plan = einsum_plan(equation, tuple([(array.shape, array.dtype) for array in arrays]))
    if plan.is_rearrangement:
        return Tensor(_rearranged(arrays[0], plan.terms[0], plan.output))
    operands = [array.astype(plan.wide, copy=False) for array in arrays]
    if plan.product is not None:
        result = plan.product.of(*operands)
    else:
        result = np.einsum(plan.equation, *operands, optimize=len(arrays) > 1)
    result = np.asarray(result, plan.dtype)
    return Tensor(_as_products(result if result.size else result.copy(), plan, arrays))


def _rearranged(a: np.ndarray, letters: str, output: str) -> np.ndarray:
    """A view of `a`: its dimensions in another order, diagonals where a letter stands twice."""
    extents = dict(zip(letters, a.shape, strict=True))
    strides = dict.fromkeys(letters, 0)
    for letter, stride in zip(letters, with_strides_if_empty(a).strides, strict=True):
        strides[letter] += stride
    shape = tuple(extents[letter] for letter in output)
    return inner_view(a, shape, tuple(strides[letter] for letter in output))


def _as_products(result: np.ndarray, plan: EinsumPlan, arrays: list[np.ndarray]) -> np.ndarray:
    """The result in memory as PyTorch's steps leave it."""
    if plan.is_elementwise:
        terms = zip(arrays, plan.terms, strict=True)
        return laid_out(result, *[_aligned(array, term, plan.output) for array, term in terms])
    if plan.layout is None:
        return contiguous(result)
    order, back = plan.layout
    return contiguous(result.transpose(order)).transpose(back)


def _aligned(array: np.ndarray, letters: str, output: str) -> np.ndarray:
    """A view of an operand with the dimensions of the output, one element long where it has none."""
    own = [letter for letter in output if letter in letters]
    missing = tuple(axis for axis, letter in enumerate(output) if letter not in letters)
    return np.expand_dims(array.transpose([letters.index(letter) for letter in own]), missing)


@operator("aten::einsum.sublist(Tensor a, ...) -> Tensor")
def einsum_of_sublists(*operands: Any) -> Tensor:
    """``einsum(x, [0, 1], y, [1, 2], [0, 2])``: numbers stand for the letters of an equation."""
    if len(operands) < 2:
        raise ScriptError("RuntimeError", "einsum(): must provide at least one operand and list")
    pairs = len(operands) // 2
    for number, operand in enumerate(operands):
        _check_kind(operand, is_list=number % 2 == 1 or number == 2 * pairs)
    inputs = [_subscripts(operands[2 * index + 1]) for index in range(pairs)]
    equation = ",".join(inputs)
    if len(operands) % 2:
        equation += "->" + _subscripts(operands[-1])
    return einsum(equation, [operands[2 * index] for index in range(pairs)])


_SUBSCRIPTS = ascii_uppercase + ascii_lowercase


_INTS = ListType(INT)


def _check_kind(operand: Any, *, is_list: bool) -> None:
    """Tensors and lists of ints take turns."""
    wanted = "a list of ints" if is_list else "a Tensor"
    if fits(operand, _INTS if is_list else TENSOR):
        return
    raise ScriptError("RuntimeError", f"einsum(): Expected {wanted}, but got {operand!r}")


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
    if dims_self and (a.ndim == 0 or b.ndim == 0):
        dim = dims_self[0] if a.ndim == 0 else dims_other[0]
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    if a.dtype is not b.dtype:
        raise ScriptError("RuntimeError", "both inputs should have same dtype")
    if a.dtype is BOOL:
        raise not_implemented("addmm_impl_cpu_", BOOL)
    firsts = wrap_dimensions(dims_self, a.ndim)
    seconds = wrap_dimensions(dims_other, b.ndim)
    for first, second in zip(firsts, seconds):
        extents = a.shape[first], b.shape[second]
        if extents[0] == extents[1]:
            continue
        if 1 not in extents:
            raise ScriptError(
                "RuntimeError",
                f"contracted dimensions need to match: dimension {first} of the first has size "
                f"{extents[0]}, dimension {second} of the second {extents[1]}",
            )
        a = a.sum(first, dtype=a.dtype, keepdims=True)
        b = b.sum(second, dtype=b.dtype, keepdims=True)
    return wrap(np.tensordot(a, b, (firsts, seconds)))


@operator("aten::chain_matmul(Tensor[] matrices) -> Tensor")
def chain_matmul(matrices: list[Tensor]) -> Tensor:
    for matrix in matrices:
        if matrix.array.ndim != 2:
            message = f"Tensor dimension is {matrix.array.ndim}, expected 2 instead."
            raise ScriptError("RuntimeError", message)
    if not matrices:
        message = "chain_matmul(): Expected one or more matrices, not an empty list"
        raise ScriptError("RuntimeError", message)
    return matrices[0] if len(matrices) == 1 else linalg_multi_dot(matrices)


@operator("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor")
def linalg_multi_dot(tensors: list[Tensor]) -> Tensor:
    """The product, in the order that takes the fewest multiplications."""
    if len(tensors) < 2:
        message = f"multi_dot(): expected at least 2 tensors, not {len(tensors)}"
        raise ScriptError("RuntimeError", message)
    arrays = [tensor.array for tensor in tensors]
    _check_chain(arrays)
    if arrays[0].dtype is BOOL:
        raise not_implemented("addmm_impl_cpu_", BOOL)
    if arrays[0].ndim == 1:
        arrays[0] = arrays[0][np.newaxis]
    if arrays[-1].ndim == 1:
        arrays[-1] = arrays[-1][:, np.newaxis]
    result = asarray(np.linalg.multi_dot(arrays) if len(arrays) > 2 else product(*arrays))
    shape = (*tensors[0].array.shape[:-1], *tensors[-1].array.shape[1:])
    return Tensor(result.reshape(shape))


def _check_chain(arrays: list[np.ndarray]) -> None:
    last = len(arrays) - 1
    for index, array in enumerate(arrays):
        allowed = (1, 2) if index in (0, last) else (2,)
        if array.ndim not in allowed:
            place = {0: "the first tensor", last: "the last tensor"}.get(index, f"tensor {index}")
            wanted = "1D or 2D" if len(allowed) == 2 else "2D"
            message = f"multi_dot(): {place} must be {wanted} but got {array.ndim}D"
            raise ScriptError("RuntimeError", message)
        if array.dtype is not arrays[0].dtype:
            raise ScriptError(
                "RuntimeError",
                "multi_dot(): all tensors must have the same dtype: tensor 0 is "
                f"{_dtype_word(arrays[0])}, tensor {index} {_dtype_word(array)}",
            )
    for index, (a, b) in enumerate(itertools.pairwise(arrays)):
        if a.shape[-1] != b.shape[0]:
            raise ScriptError(
                "RuntimeError",
                f"multi_dot(): tensors {index} and {index + 1} with shapes {list(a.shape)} and "
                f"{list(b.shape)} cannot be multiplied",
            )


def _dtype_word(a: np.ndarray) -> str:
    return Tensor(a).dtype.scalar_name.lower()


out_forms(
    same("multi_dot(): expected out tensor to have dtype {c_result} but got {c_out}"),
    "chain_matmul linalg_multi_dot",
)
out_forms(
    same(
        "tensordot: Expected the output tensor to have dtype {result}, but got an output tensor "
        "with dtype {out}"
    ),
    "tensordot",
)
