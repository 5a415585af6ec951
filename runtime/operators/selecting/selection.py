"""The largest elements, the k-th smallest, and the most frequent one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from operator import lt
from typing import Any

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, LONG
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_hooks import native_orders
from tsc.runtime.numerics.unstable_order import (
    LIMIT,
    SCAN_LIMIT,
    first_as_partial_sort,
    kth_as_quickselect,
    selected_as_introselect,
    sorted_as_introsort,
)
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.sorting import (
    has_equals,
    has_native_order,
    native_along,
    ranks_of,
    sorting_key,
    time_on_equals,
)
from tsc.runtime.values.tensor import Tensor, wrap

_FEW = 1 << 10
"""Elements that are sorted faster than looked through."""


@operator(
    "aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True)"
    " -> (Tensor values, Tensor indices)"
)
def topk(
    self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    a = self.array
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if not 0 <= k <= extent:
        raise ScriptError("RuntimeError", "selected index k out of range")
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("topk", a.dtype)
    if a.dtype is BOOL:
        raise ScriptError("RuntimeError", "topk does not support bool dtypes on CPU")
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    if k and has_native_order(a):
        first = partial(native_orders().first_of_rows, count=k, largest=largest, in_order=sorted)
        values, order = native_along(a, dim, first)
        return Tensor(values), Tensor(order)
    key = sorting_key(a, largest)
    if sorted and a.ndim <= 2 and dim == a.ndim - 1 and 0 < key.size <= _FEW:
        order = key.argsort(-1)[..., : k + 1]
        places = order if a.ndim == 1 else (np.arange(len(a))[:, np.newaxis], order)
        if _are_rising(key[places].tolist(), a.ndim):
            first = (..., slice(k))
            return Tensor(a[places][first].copy()), Tensor(order[first].copy())
    order = _along_last(_first_in_order, key, dim, k, sorted)
    values = a[order] if a.ndim == 1 else np.take_along_axis(a, order, dim)
    return Tensor(values), Tensor(order)


def _are_rising(numbers: list[Any], rank: int) -> bool:
    """Whether each number of a list, or of each list, is more than the one before: there is one order of them."""
    if rank == 2:
        return all(_are_rising(each, 1) for each in numbers)
    return all(map(lt, numbers, numbers[1:]))


def _along_last(choose: Callable[..., np.ndarray], a: np.ndarray, dim: int, *arguments: Any):
    """What `choose` makes of the rows of `a` along `dim`, put back in their place."""
    moved = np.moveaxis(a, dim, -1)
    rows = moved.reshape(math.prod(moved.shape[:-1]), moved.shape[-1])
    chosen = choose(rows, *arguments)
    width = chosen.shape[1] if chosen.ndim == 2 else 1
    return np.moveaxis(chosen.reshape(*moved.shape[:-1], width), -1, dim).copy()


def _first_in_order(key: np.ndarray, k: int, sorted: bool) -> np.ndarray:
    """Where the `k` smallest of each row stand, the smallest first."""
    extent = key.shape[1]
    if k == 0:
        return np.empty((key.shape[0], 0), LONG)
    order = _smallest(key, min(k + 1, extent))
    is_scan = k * 64 <= extent
    tied = has_equals(np.take_along_axis(key, order, 1))
    if not sorted and not is_scan:
        tied[:] = True
    rows = np.flatnonzero(tied)
    order = order[:, :k]
    if 0 < rows.size * extent <= (SCAN_LIMIT if is_scan else LIMIT):
        with time_on_equals.counted():
            order[rows] = _first_as_pytorch(key[rows], k, sorted)
    return order


def _smallest(key: np.ndarray, count: int) -> np.ndarray:
    if count >= key.shape[1] // 4:
        return np.argsort(key, 1, "stable")[:, :count]
    chosen = key <= np.partition(key, count - 1, 1)[:, count - 1 : count]
    if (np.count_nonzero(chosen, 1) == count).all():
        candidates = (np.flatnonzero(chosen) % key.shape[1]).reshape(-1, count)
    else:
        candidates = np.sort(np.argpartition(key, count - 1, 1)[:, :count], 1)
    order = np.argsort(np.take_along_axis(key, candidates, 1), 1, "stable")
    return np.take_along_axis(candidates, order, 1)


def _first_as_pytorch(key: np.ndarray, k: int, sorted: bool) -> np.ndarray:
    if k * 64 <= key.shape[1]:
        return np.stack([first_as_partial_sort(row, k) for row in _comparable(key)])
    ranks = ranks_of(key, np.argsort(key, 1, "stable"))
    return selected_as_introselect(ranks, k, sorted)


@operator(
    "aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False)"
    " -> (Tensor values, Tensor indices)"
)
def kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    a = self.array
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if not 1 <= k <= extent:
        message = (
            f"selected number k out of range for dimension {dim}: kthvalue() takes 1 to "
            f"{extent}, not {k}"
        )
        raise ScriptError("RuntimeError", message)
    if a.dtype is BOOL or a.dtype in COMPLEX_DTYPES:
        raise not_implemented("kthvalue_cpu", a.dtype)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    return _chosen(a, _along_last(_kth, sorting_key(a, False), dim, k - 1), dim, keepdim)


def _kth(key: np.ndarray, k: int) -> np.ndarray:
    """Where the element stands that is at `k` when its row is sorted."""
    values = np.partition(key, k, 1)[:, k : k + 1]
    equal = key == values
    if key.dtype.kind == "f":
        equal |= np.isnan(key) & np.isnan(values)
    where = equal.argmax(1)
    rows = np.flatnonzero(equal.sum(1) > 1)
    if 0 < rows.size * key.shape[1] <= LIMIT:
        tied = _comparable(key[rows])
        where[rows] = [kth_as_quickselect(row, k) for row in tied]
    return where


def _comparable(key: np.ndarray) -> np.ndarray:
    """`key`, or its ranks if it has NaNs, which compare with nothing."""
    if key.dtype.kind == "f" and np.isnan(key).any():
        return ranks_of(key, np.argsort(key, 1, "stable"))
    return key


def _chosen(a: np.ndarray, where: np.ndarray, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
    """The elements at one place of each row along `dim`, and the places."""
    values = np.take_along_axis(a, where, dim)
    if not keepdim:
        values, where = values.squeeze(dim), where.squeeze(dim)
    return wrap(values), wrap(where)


@operator(
    "aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"
)
def mode(self: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    a = self.array
    dim = wrap_dimension(dim, a.ndim)
    if a.ndim == 0:
        return Tensor(a.copy()), Tensor(np.zeros((), LONG))
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("mode_cpu", a.dtype)
    if a.shape[dim] == 0:
        message = f"mode(): Expected reduction dim {dim} to have non-zero size."
        raise ScriptError("IndexError", message)
    return _chosen(a, _along_last(_most_frequent, a, dim), dim, keepdim)


def _most_frequent(rows: np.ndarray) -> np.ndarray:
    """Where the last of the most frequent elements of each row stands after sorting."""
    order = np.argsort(rows, 1, "stable")
    extent = rows.shape[1]
    if extent > 16 and rows.size <= LIMIT:
        order = sorted_as_introsort(ranks_of(rows, order))
    ordered = np.take_along_axis(rows, order, 1)
    is_last = np.ones(rows.shape, bool)
    is_last[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    end = np.where(is_last, np.arange(1, extent + 1), 0)
    before = np.zeros_like(end)
    before[:, 1:] = np.maximum.accumulate(end, 1)[:, :-1]
    winner = np.argmax(end - np.where(is_last, before, 0), 1)
    return order[np.arange(rows.shape[0]), winner]


out_forms(
    (
        same("expected scalar type '{result}' but got '{out}' for values output"),
        same("expected scalar type '{result}' but got '{out}' for indices output"),
    ),
    "mode:values",
)
out_forms(SAME, "topk:values")
out_forms(
    (
        same("output values must be of same type as input"),
        same("output indices must be of scalar type {result}"),
    ),
    "kthvalue:values",
)
