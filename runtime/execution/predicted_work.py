"""How long an operator is going to take, told before it runs, for those that take long on inputs that fit in memory.

Between operators a budget looks at the clock; within one nobody does. What is told is about as long as a machine
of today takes with all its processors, so that only what is clearly too much for a limit is refused.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from tsc.compiler.budget import Budget
from tsc.runtime.execution.predicted_sizes import predicted_size
from tsc.runtime.values.tensor import Tensor

_PRODUCTS: Final = 3e10  # multiplications and additions of float32 in a second, for each processor
_VISITS: Final = 1e8  # elements of a memory-bound operator in a second
_COMPARISONS: Final = 2e8  # of a sort


def predicted_seconds(kind: str, inputs: Sequence[Any]) -> float:
    """Seconds that the operator `kind` takes; 0 for what is as short as its inputs and results are."""
    known = _WORK.get(kind)
    if known is None:
        return 0.0
    try:
        return known(*inputs)
    except (TypeError, ValueError, IndexError, AttributeError):
        return 0.0  # inputs of another overload, or wrong ones, of which the kernel tells


def may_take_long(kind: str) -> bool:
    """Whether the time that the operator `kind` takes grows faster than its inputs and results."""
    return kind in _WORK


def charge_operator(budget: Budget, kind: str, inputs: Sequence[Any]) -> None:
    """An operator is about to run: pay for its time, as far as it is known, and its memory. Raises `LimitReached`."""
    budget.expect(predicted_seconds(kind, inputs))
    size = predicted_size(kind, inputs)
    if size:
        budget.reserve(size)


def is_foreseen(kind: str) -> bool:
    """Whether it is known how long the operator `kind` takes."""
    return kind in _WORK


@cache
def _speed(dtype: str) -> float:
    """Operations of a matrix product in a second."""
    factor = {"float32": 1.0, "complex64": 0.25, "float64": 0.5, "complex128": 0.125}.get(
        dtype, 0.05
    )
    return _PRODUCTS * factor * (os.cpu_count() or 1)


def _dense(operations: float, tensor: Tensor) -> float:
    return operations / _speed(str(tensor.array.dtype))


def _product(left: Tensor, right: Tensor, *_others: Any) -> float:
    """``left @ right``, of matrices, vectors or stacks of them."""
    a, b = left.array, right.array
    rows = math.prod(a.shape[:-1])
    columns = b.shape[-1] if b.ndim > 1 else 1
    stack = math.prod(b.shape[:-2]) if a.ndim <= 2 else 1
    return _dense(2.0 * rows * a.shape[-1] * columns * stack, left)


def _added_product(_self: Tensor, left: Tensor, right: Tensor, *_others: Any) -> float:
    return _product(left, right)


def _linear(input: Tensor, weight: Tensor, *_bias: Any) -> float:
    return _dense(2.0 * input.array.size * weight.array.shape[0], input)


def _convolution(
    input: Tensor, weight: Tensor, _bias: Any = None, stride: Any = 1, *_others: Any
) -> float:
    """For each place of the result, of which there are about as many as of the input; slower than a plain product."""
    extents = input.array.shape[2:]
    steps = [stride] * len(extents) if isinstance(stride, int) else stride
    places = math.prod(extents) / max(math.prod(steps), 1)
    return _dense(8.0 * input.array.shape[0] * places * weight.array.size, input)


def _factored(factor: float) -> Callable[..., float]:
    """A decomposition, which takes so many times the cube of its extents."""

    def seconds(matrix: Tensor, *_others: Any) -> float:
        *stack, rows, columns = matrix.array.shape
        work = factor * math.prod(stack) * rows * columns * min(rows, columns)
        return _dense(work, matrix)

    return seconds


def _power(matrix: Tensor, exponent: int, *_others: Any) -> float:
    return 2 * max(abs(exponent).bit_length(), 1) * _product(matrix, matrix)


def _sorted(tensor: Tensor, *_others: Any) -> float:
    size = tensor.array.size
    return size * math.log2(size + 2) / _COMPARISONS


def _visited(tensor: Tensor, *_others: Any) -> float:
    return tensor.array.size / _VISITS


def _distances(left: Tensor, right: Tensor, *_others: Any) -> float:
    return left.array.size * right.array.shape[-2] / _VISITS / 10


def _kinds(names: str, work: Callable[..., float]) -> dict[str, Callable[..., float]]:
    return {f"aten::{name}": work for name in names.split()}


_WORK: Final[dict[str, Callable[..., float]]] = {
    **_kinds("mm matmul bmm mv dot inner linalg_matmul", _product),
    **_kinds("addmm baddbmm addbmm addmv", _added_product),
    **_kinds("linear", _linear),
    **_kinds("conv1d conv2d conv3d _convolution convolution conv_transpose1d conv_transpose2d", _convolution),
    **_kinds("linalg_svd svd linalg_svdvals pinverse linalg_pinv linalg_matrix_rank", _factored(100)),
    **_kinds("linalg_eig linalg_eigvals", _factored(200)),
    **_kinds("linalg_eigh linalg_eigvalsh", _factored(40)),
    **_kinds("linalg_qr qr linalg_matrix_exp matrix_exp linalg_lstsq", _factored(15)),
    **_kinds("inverse linalg_inv linalg_inv_ex det linalg_det logdet slogdet linalg_slogdet", _factored(6)),
    **_kinds("linalg_cholesky cholesky linalg_solve linalg_lu linalg_lu_factor linalg_ldl_factor", _factored(3)),
    **_kinds("matrix_power linalg_matrix_power", _power),
    **_kinds("sort argsort msort unique_consecutive _unique _unique2 unique_dim", _sorted),
    **_kinds("cumsum cumprod cummax cummin logcumsumexp", _visited),
    **_kinds("cdist _cdist_forward", _distances),
}  # fmt: skip
