"""Sums of products over shared dimensions: einsum, tensordot, chains of matrices."""

from __future__ import annotations

import functools
import itertools
import math
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from tsc.compiler.types import INT, TENSOR, ListType
from tsc.runtime.arrays.dimensions import wrap_dimensions
from tsc.runtime.arrays.dtypes import BOOL, FLOAT
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.arrays.memory_layout import contiguous, laid_out
from tsc.runtime.arrays.storage import inner_view, with_strides_if_empty
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.linear_algebra.einsum_equation import parse_equation
from tsc.runtime.operators.linear_algebra.einsum_types import einsum_dtype
from tsc.runtime.operators.linear_algebra.linear_algebra import (
    SLOW_DTYPES,
    product,
)
from tsc.runtime.operators.out_variants import out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray, wrap
from tsc.runtime.values.value_types import fits


@operator("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor")
def einsum(equation: str, tensors: list[Tensor], path: list[int] | None = None) -> Tensor:
    arrays = [tensor.array for tensor in tensors]
    text = parse_equation(equation, [array.shape for array in arrays])
    texts, output = _subscripts_of(text, arrays)
    if len(arrays) == 1 and set(texts[0]) == set(output):  # nothing is summed
        return Tensor(_rearranged(arrays[0], texts[0], output))
    dtype = einsum_dtype(texts, output, arrays)
    wide = FLOAT if dtype in SLOW_DTYPES else dtype
    operands = [array.astype(wide, copy=False) for array in arrays]
    axes = _axes_of_product(*texts, output) if len(arrays) == 2 and output else None
    if axes is not None and wide is not BOOL and _agree(texts, arrays):
        result = _product_along(operands[0], operands[1], axes)
    else:
        result = np.einsum(text, *operands, optimize=len(arrays) > 1)
    return Tensor(_as_products(np.array(result, dtype), texts, output, arrays))


_Axes = tuple[tuple[int, ...], tuple[int, ...], int, int, tuple[int, ...]]
"""How operands are turned, how many axes are common to both and how many are summed, and how the result is turned."""


@functools.lru_cache(256)
def _axes_of_product(first: str, second: str, output: str) -> _Axes | None:
    """Two operands as stacks of matrices; None where a letter stands twice in one, or is summed in one alone."""
    if any(len(set(each)) < len(each) for each in (first, second)):
        return None
    if any(
        each not in output and (each not in first or each not in second) for each in first + second
    ):
        return None
    shared = [each for each in first if each in second and each in output]
    summed = [each for each in first if each in second and each not in output]
    if not summed:
        return None
    rows = [each for each in first if each not in second]
    columns = [each for each in second if each not in first]
    found = [*shared, *rows, *columns]
    return (
        tuple(map(first.index, [*shared, *rows, *summed])),
        tuple(map(second.index, [*shared, *summed, *columns])),
        len(shared),
        len(summed),
        tuple(map(found.index, output)),
    )


def _agree(texts: list[str], arrays: list[np.ndarray]) -> bool:
    """Whether each letter stands for one extent: nothing is broadcast."""
    extents: dict[str, int] = {}
    return all(
        extents.setdefault(letter, extent) == extent
        for text, array in zip(texts, arrays, strict=True)
        for letter, extent in zip(text, array.shape, strict=True)
    )


def _product_along(a: np.ndarray, b: np.ndarray, axes: _Axes) -> np.ndarray:
    of_a, of_b, shared, summed, turned = axes
    a, b = a.transpose(of_a), b.transpose(of_b)
    stack, terms = a.shape[:shared], math.prod(b.shape[shared : shared + summed])
    rows, columns = a.shape[shared : a.ndim - summed], b.shape[shared + summed :]
    left = a.reshape(*stack, math.prod(rows), terms)
    right = b.reshape(*stack, terms, math.prod(columns))
    return matrix_product(left, right).reshape(*stack, *rows, *columns).transpose(turned)


def _rearranged(a: np.ndarray, letters: str, output: str) -> np.ndarray:
    """A view of `a`: its dimensions in another order, diagonals where a letter stands twice."""
    extents = dict(zip(letters, a.shape, strict=True))
    strides = dict.fromkeys(letters, 0)
    for letter, stride in zip(letters, with_strides_if_empty(a).strides, strict=True):
        strides[letter] += stride
    shape = tuple(extents[letter] for letter in output)
    return inner_view(a, shape, tuple(strides[letter] for letter in output))


def _subscripts_of(equation: str, arrays: list[np.ndarray]) -> tuple[list[str], str]:
    """The subscripts of each operand and of the output, without ellipses."""
    inputs, arrow, output = equation.partition("->")
    terms = inputs.split(",")
    if not arrow:
        letters = sorted(each for each in inputs if each.isalpha() and inputs.count(each) == 1)
        output = ("..." if "." in inputs else "") + "".join(letters)
    hidden = (
        array.ndim - len(term) + 3 for term, array in zip(terms, arrays, strict=True) if "." in term
    )
    extent = len(output) - 3 + max(hidden, default=0) if "." in output else len(output)
    texts = [_spelled_out(term, array.ndim) for term, array in zip(terms, arrays, strict=True)]
    return texts, _spelled_out(output, extent)


def _as_products(
    result: np.ndarray, texts: list[str], output: str, arrays: list[np.ndarray]
) -> np.ndarray:
    """The result as a product of matrices leaves it: first what both operands have, then each one's own."""
    if len(arrays) != 2 or result.ndim < 2:
        return contiguous(result)
    if any(len(set(text)) < len(text) for text in texts):  # diagonals
        return contiguous(result)
    if all(letter in output for text in texts for letter in text):  # nothing is summed
        aligned = [_aligned(array, text, output) for array, text in zip(arrays, texts, strict=True)]
        return laid_out(result, *aligned)
    wide = [
        {each for each, extent in zip(text, array.shape, strict=True) if extent != 1}
        for text, array in zip(texts, arrays, strict=True)
    ]
    shared = [letter for letter in output if letter in wide[0] and letter in wide[1]]
    rows = [letter for letter in output if letter in wide[0] and letter not in wide[1]]
    columns = [letter for letter in output if letter not in wide[0]]
    if rows and columns and output.index(columns[-1]) < output.index(rows[0]):
        rows, columns = columns, rows
    order = [*shared, *rows, *columns]
    products = result.transpose([output.index(letter) for letter in order])
    return contiguous(products).transpose([order.index(letter) for letter in output])


def _aligned(array: np.ndarray, letters: str, output: str) -> np.ndarray:
    """A view of an operand with the dimensions of the output, one element long where it has none."""
    own = [letter for letter in output if letter in letters]
    missing = tuple(axis for axis, letter in enumerate(output) if letter not in letters)
    return np.expand_dims(array.transpose([letters.index(letter) for letter in own]), missing)


def _spelled_out(subscripts: str, dimensions: int) -> str:
    """Subscripts with characters in the place of an ellipsis that count its dimensions from the last one."""
    before, dots, behind = subscripts.partition("...")
    missing = dimensions - len(before) - len(behind)
    return before + "".join(map(chr, range(missing, 0, -1))) + behind if dots else subscripts


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
