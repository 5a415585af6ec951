"""Products of matrices and vectors, norms and distances."""

from __future__ import annotations

import math
from typing import Any, Final

from tsc.runtime.exporting.data_numbers import hinted
from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import (
    BOOL,
    CPU,
    INT64,
    STRIDED,
    counted,
    product,
    scalar,
)
from tsc.runtime.exporting.decomposition.table import decomposes

_ENDLESS: Final = (1 << 63) - 1


@decomposes("linear")
def linear(call: Calls, x: Any, weight: Any, bias: Any) -> Any:
    """One product of matrices, for inputs of more dimensions too."""
    if x.dim == 2 and bias is not None:
        return call("addmm", bias, x, call("t", weight))
    if bias is None or not x.value.array.flags.c_contiguous or weight.dim != 2:
        found = call("matmul", x, call("t", weight) if weight.dim == 2 else weight)
        return found if bias is None else call("add.Tensor", found, bias)
    rows = _rows(call, x) if x.dim > 1 else call("view", x, [1, x.sizes[0]])
    found = call("addmm", bias, rows, call("t", weight))
    return call("view", found, [*x.sizes[:-1], weight.sizes[0]])


def _rows(call: Calls, x: Any) -> Any:
    sizes = x.sizes
    return call("reshape", x, [product(sizes[:-1]), sizes[-1]])


@decomposes("matmul")
def matmul(call: Calls, x: Any, other: Any) -> Any:
    """By the number of dimensions: a dot product, a product of matrices, or of many of them at once."""
    if x.dim == 1 and other.dim == 1:
        return call("dot", x, other)
    if x.dim == 2 and other.dim == 1:
        return call("mv", x, other)
    if x.dim == 1 and other.dim == 2:
        return call("squeeze.dim", call("mm", call("unsqueeze", x, 0), other), 0)
    if x.dim == 2 and other.dim == 2:
        return call("mm", x, other)
    if _folds(call, x, other):
        return _folded(call, x, other)
    return _batched(call, x, other)


def _folds(call: Calls, x: Any, other: Any) -> bool:
    """Whether one side is a matrix or vector, and the rows of the other one can be seen as one matrix."""
    larger, smaller = (x, other) if x.dim >= other.dim else (other, x)
    if larger.dim < 3 or smaller.dim > 2:
        return False
    if smaller.requires_grad:
        return True
    if x.dim == 2:
        return False
    array = larger.value.array
    if array.size == 0:
        return True
    strides = hinted(list(call.recorder.known(larger.value).stride or ()))
    return all(
        inner_stride * size == outer_stride
        for outer_stride, inner_stride, size in zip(strides[:-2], strides[1:-1], array.shape[1:-1])
    )


def _folded(call: Calls, x: Any, other: Any) -> Any:
    turned = x.dim < other.dim
    larger = call("mT", other) if turned else x
    smaller = (call("t", x) if x.dim == 2 else x) if turned else other
    rows = _rows(call, larger)
    sizes = larger.sizes[:-1]
    if smaller.dim == 1:
        return call("view", call("mv", rows, smaller), sizes)
    found = call("view", call("mm", rows, smaller), [*sizes, smaller.sizes[1]])
    return call("contiguous", call("mT", found), 0) if turned else found


def _batched(call: Calls, x: Any, other: Any) -> Any:
    sizes, others = x.sizes, other.sizes
    left = sizes[:-2]
    right = others[:-2]
    batch = _broadcast(left, right)
    n, m = (sizes[-2] if x.dim > 1 else 1), sizes[-1]
    p = others[-1] if other.dim > 1 else 1
    k = others[-2] if other.dim > 1 else others[-1]
    if other.dim == 1:
        other = call("unsqueeze", other, 1)
    count = product(batch)
    first = call("reshape", call("expand", x, [*batch, n, m]), [count, n, m])
    second = call("reshape", call("expand", other, [*batch, k, p]), [count, k, p])
    result = [*batch, *([n] if x.dim > 1 else []), *([p] if len(others) > 1 else [])]
    return call("_unsafe_view", call("bmm", first, second), result)


def _broadcast(first: list[Any], second: list[Any]) -> list[Any]:
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    ahead = len(longer) - len(shorter)
    found = list(longer[:ahead])
    for a, b in zip(longer[ahead:], shorter):
        found.append(b if isinstance(a, int) and a == 1 else a)
    return found


@decomposes("mv")
def mv(call: Calls, matrix: Any, vector: Any) -> Any:
    return call("sum.dim_IntList", call("mul.Tensor", matrix, vector), [1])


@decomposes("dot", "vdot")
def dot(call: Calls, x: Any, other: Any) -> Any:
    return call("sum", call("mul.Tensor", x, other))


@decomposes("outer", "ger")
def outer(call: Calls, x: Any, other: Any) -> Any:
    return call("mul.Tensor", call("view", x, [x.sizes[0], 1]), other)


@decomposes("addr")
def addr(call: Calls, x: Any, first: Any, second: Any, beta: Any, alpha: Any) -> Any:
    sizes = [first.sizes[0], second.sizes[0]]
    if beta == 0:
        return call("mul.Tensor", call("outer", first, second), alpha)
    whole = call("mul.Tensor", call("expand", x, sizes), beta)
    found = call("mul.Tensor", call("outer", first, second), alpha)
    return call("add.Tensor", whole, found)


@decomposes("baddbmm")
def baddbmm(call: Calls, x: Any, first: Any, second: Any, beta: Any, alpha: Any) -> Any:
    found = call("bmm", first, second)
    if alpha != 1:
        found = call("mul.Tensor", found, alpha)
    if beta == 0:
        return found
    scaled = x if beta == 1 else call("mul.Tensor", x, beta)
    return call("add.Tensor", scaled, found)


@decomposes("inner")
def inner(call: Calls, x: Any, other: Any) -> Any:
    if x.dim == 0 or other.dim == 0:
        return call("mul.Tensor", x, other)
    return call("tensordot", x, other, [-1], [-1])


@decomposes("tensordot")
def tensordot(call: Calls, x: Any, other: Any, dims: list[int], others: list[int]) -> Any:
    """One product of matrices: what is summed goes to the inside."""
    dims, others = [each % x.dim for each in dims], [each % other.dim for each in others]
    rows = [each for each in range(x.dim) if each not in dims]
    columns = [each for each in range(other.dim) if each not in others]
    left, right = x.sizes, other.sizes
    count = product([left[each] for each in dims])
    heights, widths = [left[each] for each in rows], [right[each] for each in columns]
    first = call("reshape", call("permute", x, [*rows, *dims]), [product(heights), count])
    second = call("reshape", call("permute", other, [*others, *columns]), [count, product(widths)])
    return call("reshape", call("mm", first, second), [*heights, *widths])


@decomposes("chain_matmul", "linalg_multi_dot")
def multi_dot(call: Calls, matrices: list[Any]) -> Any:
    """From left to right, or as the fewest multiplications are."""
    found = matrices[0]
    if len(matrices) == 1:
        return found
    for each in matrices[1:]:
        found = call("mm", found, each)
    return call("view", found, found.sizes)


@decomposes("kron")
def kron(call: Calls, x: Any, other: Any) -> Any:
    dim = max(x.dim, other.dim)
    left = [1] * (dim - x.dim) + x.sizes
    right = [1] * (dim - other.dim) + other.sizes
    first = call("reshape", x, [size for each in left for size in (each, 1)])
    second = call("reshape", other, [size for each in right for size in (1, each)])
    sizes = [a * b for a, b in zip(left, right)]
    return call("_unsafe_view", call("mul.Tensor", first, second), sizes)


@decomposes("linalg_cross")
def linalg_cross(call: Calls, x: Any, other: Any, dim: int) -> Any:
    places = counted(call, 0, x.sizes[dim])

    def moved(tensor: Any, steps: int) -> Any:
        order = call("remainder.Scalar", call("add.Tensor", places, steps), 3)
        return call("index_select", tensor, dim, order)

    first = call("mul.Tensor", moved(x, 1), moved(other, 2))
    return call("sub.Tensor", first, call("mul.Tensor", moved(x, 2), moved(other, 1)))


@decomposes("cross")
def cross(call: Calls, x: Any, other: Any, dim: int | None) -> Any:
    if dim is None:
        dim = next(place for place, size in enumerate(x.value.array.shape) if size == 3)
    return call("linalg_cross", x, other, dim)


@decomposes("linalg_norm")
def linalg_norm(call: Calls, x: Any, order: Any, dims: Any, keepdim: bool, dtype: Any) -> Any:
    if order is not None and (dims is None or len(dims) == 2) and x.dim == 2:
        return call("linalg_matrix_norm", x, order, dims or [-2, -1], keepdim, dtype=dtype)
    return call(
        "linalg_vector_norm", x, 2.0 if order is None else order, dims, keepdim, dtype=dtype
    )


@decomposes("norm.Scalar")
def norm(call: Calls, x: Any, p: Any) -> Any:
    return call("linalg_vector_norm", x, p)


@decomposes("norm.ScalarOpt_dim")
def norm_dim(call: Calls, x: Any, p: Any, dims: list[int], keepdim: bool) -> Any:
    return call("linalg_vector_norm", x, 2.0 if p is None else p, dims, keepdim)


@decomposes("norm.ScalarOpt_dim_dtype")
def norm_dtype(call: Calls, x: Any, p: Any, dims: list[int], keepdim: bool, dtype: int) -> Any:
    return call("linalg_vector_norm", x, 2.0 if p is None else p, dims, keepdim, dtype=dtype)


@decomposes("frobenius_norm.dim")
def frobenius_norm(call: Calls, x: Any, dims: list[int], keepdim: bool) -> Any:
    return call("linalg_vector_norm", x, 2.0, dims, keepdim)


@decomposes("cosine_similarity")
def cosine_similarity(call: Calls, x: Any, other: Any, dim: int, eps: float) -> Any:
    lengths = [
        call("clone", call("linalg_vector_norm", each, 2, [dim], True)) for each in (x, other)
    ]
    least = call("scalar_tensor", eps, dtype=x.code, device=CPU)
    left, right = [call("clamp.Tensor", each, least) for each in lengths]
    second, first = call("div.Tensor", other, right), call("div.Tensor", x, left)
    return call("sum.dim_IntList", call("mul.Tensor", first, second), [dim])


@decomposes("pairwise_distance")
def pairwise_distance(call: Calls, x: Any, other: Any, p: float, eps: float, keep: bool) -> Any:
    dim = max(x.dim, other.dim) - 1
    difference = call("add.Scalar", call("sub.Tensor", x, other), eps)
    return call("linalg_vector_norm", difference, p, [dim], keep)


@decomposes("cdist")
def cdist(call: Calls, x: Any, other: Any, p: float, mode: int | None) -> Any:
    return call("_cdist_forward", x, other, p, mode)


@decomposes("trace")
def trace(call: Calls, x: Any) -> Any:
    return call("sum", call("clone", call("diagonal", x), memory_format=0))


@decomposes("bilinear")
def bilinear(call: Calls, first: Any, second: Any, weight: Any, bias: Any) -> Any:
    rows = call("reshape", first, [-1, first.sizes[-1]])
    columns = call("reshape", second, [-1, second.sizes[-1]])
    found = call("_trilinear", rows, weight, columns, [1, 3], [0], [1, 2], [2, 3])
    found = call("reshape", found, [*first.sizes[:-1], weight.sizes[0]])
    return found if bias is None else call("add.Tensor", found, bias)


@decomposes("scaled_dot_product_attention")
def attention(
    call: Calls,
    q: Any,
    k: Any,
    v: Any,
    mask: Any,
    dropout: float,
    causal: bool,
    scale: Any,
    gqa: bool,
) -> Any:
    """Softmax of scaled products; rows in which nothing may be attended to are zeros."""
    if gqa and k.sizes[-3] != q.sizes[-3]:
        times = q.sizes[-3] // k.sizes[-3]
        k, v = [call("repeat_interleave.self_int", each, times, -3) for each in (k, v)]
    factor = math.sqrt(1 / math.sqrt(call.settled(q.sizes[-1])) if scale is None else scale)
    if mask is not None:
        mask = _additive(call, mask, q.code)
    scaled = call("mul.Scalar", q, factor)
    if causal:
        square = [q.sizes[-2], k.sizes[-2]]
        whole = call("full", square, True, dtype=BOOL, layout=STRIDED, device=CPU, pin_memory=False)
        mask = _additive(call, call("tril", whole), q.code)
    turned = call("mul.Scalar", call("transpose.int", k, -2, -1), factor)
    scores = call("matmul", scaled, turned)
    if mask is not None:
        scores = call("add.Tensor", scores, mask)
    weights = call("_safe_softmax", scores, -1)
    if dropout:
        weights, _ = call("native_dropout", weights, dropout, True)
    found = call("matmul", weights, v)
    if q.dim != 4:
        return found
    rows = call("contiguous", call("permute", found, [2, 0, 1, 3]), 0)
    turned = call("permute", rows, [1, 2, 0, 3])
    return call.tensor(turned.value)  # a result of its own, whatever it was made of


def _additive(call: Calls, mask: Any, code: int) -> Any:
    """What is added to scores: where a truth value says that nothing is attended to, minus infinity."""
    if mask.code != BOOL:
        return mask
    outside = call("scalar_tensor", -math.inf, dtype=code, device=CPU)
    return call("where.self", mask, scalar(call, 0.0, code), outside)


@decomposes("_safe_softmax")
def safe_softmax(call: Calls, x: Any, dim: int, dtype: int | None) -> Any:
    found = call("softmax.int", x, dim, dtype)
    hidden = call("eq.Scalar", x, -math.inf)
    empty = call("all.dim", hidden, dim, True)
    zeros = call("zeros_like", found)
    return call("where.self", empty, zeros, found)


@decomposes("vander")
def vander(call: Calls, x: Any, count: Any, increasing: bool) -> Any:
    """Powers of numbers, each row those of one: running products of the number, behind a 1."""
    width = x.sizes[0] if count is None else count
    code = x.code if x.is_floating or x.value.dtype.is_complex else INT64
    options = {"layout": STRIDED, "device": CPU, "pin_memory": False}
    powers = call("empty.memory_format", [x.sizes[0], width], dtype=code, **options)
    if call.settled(width) > 0:
        call("fill_.Scalar", call("select.int", powers, 1, 0), 1)
        if width > 1:
            column = call("unsqueeze", x, 1)
            call("copy_", call("slice.Tensor", powers, 1, 1, _ENDLESS, 1), column)
            products = call("cumprod", call("slice.Tensor", powers, 1, 1, _ENDLESS, 1), 1)
            call("copy_", call("slice.Tensor", powers, 1, 1, _ENDLESS, 1), products)
    return powers if increasing else call("flip", powers, [1])
