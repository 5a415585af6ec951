"""Sorting, and searching in what is sorted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import BFLOAT16, DOUBLE, FLOAT, LONG
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_availability import TimeTogether, is_large_work
from tsc.runtime.context.native_hooks import native_orders
from tsc.runtime.numerics.unstable_order import LIMIT, sorted_as_introsort
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, FLOATING_DTYPES
from tsc.runtime.operators.out_variants import SAME, SAME_IN_PLACE, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

ORDERED_NATIVELY = frozenset(
    {FLOAT, DOUBLE, LONG, *map(np.dtype, ("int32", "int16", "int8", "uint8"))}
)
SHORT = 16
"""Rows up to here PyTorch sorts by insertion, which is stable."""
_FEW = 1 << 5
"""Elements that NumPy orders as fast as native code is called."""
MANY = 1 << 10
"""From this many elements on, looking for their extremes pays."""


def sorting_key(a: np.ndarray, descending: bool) -> np.ndarray:
    """What to sort by in ascending order, so that NaN counts as the largest."""
    if a.dtype not in FLOATING_DTYPES:
        return np.invert(a) if descending else a
    comparable = a.astype(FLOAT) if a.dtype is BFLOAT16 else a
    if not descending:
        return comparable
    if np.isnan(comparable).any():
        ranks = np.unique(comparable, return_inverse=True)[1]
        return np.negative(ranks.reshape(a.shape))
    return np.negative(comparable)


def _narrow(key: np.ndarray) -> np.ndarray:
    """Integers that are not far apart as 16-bit ones, which NumPy sorts by their digits."""
    if key.dtype.kind != "i" or key.size < MANY:
        return key
    low = key.min()
    return (key - low).astype(np.uint16) if int(key.max()) - int(low) < 1 << 16 else key


def ranks_of(rows: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The ranks of the elements of each row, whose stable `order` is given; equals share one."""
    differs = np.zeros(rows.shape, LONG)
    differs[:, 1:] = ~_equals_next(np.take_along_axis(rows, order, 1))
    ranks = np.empty(rows.shape, LONG)
    np.put_along_axis(ranks, order, np.cumsum(differs, 1), 1)
    return ranks


def has_equals(ordered: np.ndarray) -> np.ndarray:
    """Whether each row, which is in order, has equal elements; all NaNs are equal."""
    return np.logical_or.reduce(_equals_next(ordered), 1)


def _equals_next(ordered: np.ndarray) -> np.ndarray:
    left, right = ordered[:, :-1], ordered[:, 1:]
    equal = left == right
    if ordered.dtype.kind == "f":
        equal |= np.isnan(left) & np.isnan(right)
    return equal


def _order(a: np.ndarray, dim: int, descending: bool, stable: bool) -> np.ndarray:
    """The order along `dim`; see `unstable_order` on where equal elements go."""
    key = sorting_key(a, descending)
    order = np.argsort(_narrow(key), dim, "stable")
    if not stable and a.shape[dim] > SHORT and a.strides[dim] and a.size:
        _reorder_equal(np.moveaxis(key, dim, -1), np.moveaxis(order, dim, -1))
    return order


time_on_equals = TimeTogether()
"""Spent on the order of few equal elements."""


def _reorder_equal(key: np.ndarray, order: np.ndarray) -> None:
    """Put equal elements of each row into the order in which PyTorch's unstable sort leaves them."""
    extent = key.shape[-1]
    if extent > LIMIT:
        return
    rows, orders = key.reshape(-1, extent), order.reshape(-1, extent)
    tied = np.flatnonzero(has_equals(np.take_along_axis(rows, orders, 1)))
    if 0 < tied.size * extent <= LIMIT:
        places = np.unravel_index(tied, key.shape[:-1]) if key.ndim > 1 else ()
        with time_on_equals.counted():
            ranks = ranks_of(rows[tied], orders[tied])
            order[places] = sorted_as_introsort(ranks).reshape(order[places].shape)


def _is_native(a: np.ndarray, dim: int) -> bool:
    """Whether native code is to order rows with equal elements as PyTorch does; short ones are sorted stably."""
    return a.shape[dim] > SHORT and bool(a.strides[dim]) and has_native_order(a)


def has_native_order(a: np.ndarray) -> bool:
    """Whether there are enough elements for native code, of a dtype that it compares.

    Of few elements it is worth making once putting equal ones in order has taken long enough.
    """
    if a.dtype not in ORDERED_NATIVELY:
        return False
    return is_large_work(a.size) or (a.size >= _FEW and time_on_equals.is_long)


def native_along(
    a: np.ndarray, dim: int, order: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
) -> tuple[np.ndarray, np.ndarray]:
    """What `order` makes of the rows of `a` along `dim`: elements and places, put back along it."""
    if dim == a.ndim - 1:
        values, places = order(a.reshape(-1, a.shape[dim]))
        shape = (*a.shape[:-1], values.shape[1])
        return values.reshape(shape), places.reshape(shape)
    made = native_along(np.moveaxis(a, dim, -1), a.ndim - 1, order)
    values, places = (np.ascontiguousarray(np.moveaxis(each, -1, dim)) for each in made)
    return values, places


def sorted_along(
    a: np.ndarray, dim: int, descending: bool, stable: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The elements of `a` in order along `dim`, and where each was."""
    dim = wrap_dimension(dim, a.ndim)
    if a.dtype in COMPLEX_DTYPES:
        raise ScriptError("RuntimeError", " Sort does not support complex dtypes on CPU")
    if a.ndim == 0:
        return a.copy(), np.zeros((), LONG)
    if not stable and a.size <= LIMIT and _is_native(a, dim):
        return native_along(a, dim, partial(native_orders().sorted_rows, descending=descending))
    order = _order(a, dim, descending, stable)
    return (a[order] if a.ndim == 1 else np.take_along_axis(a, order, dim)), order


@operator(
    "aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    layout=Layout.AS_FIRST,
)
def sort(self: Tensor, dim: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    return sort_stable(self, False, dim, descending)


@operator(
    "aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False)"
    " -> (Tensor values, Tensor indices)",
    layout=Layout.AS_FIRST,
)
def sort_stable(
    self: Tensor, stable: bool | None, dim: int = -1, descending: bool = False
) -> tuple[Tensor, Tensor]:
    values, order = sorted_along(self.array, dim, descending, bool(stable))
    return Tensor(values), Tensor(order)


@operator("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor")
def argsort(self: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    return argsort_stable(self, False, dim, descending)


@operator(
    "aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor"
)
def argsort_stable(self: Tensor, stable: bool, dim: int = -1, descending: bool = False) -> Tensor:
    return Tensor(sorted_along(self.array, dim, descending, stable)[1])


@operator("aten::msort(Tensor self) -> Tensor")
def msort(self: Tensor) -> Tensor:
    return Tensor(sorted_along(self.array, 0, False, True)[0])


out_forms(SAME, "argsort.stable sort:values sort.stable:values_stable")
out_forms(SAME_IN_PLACE, "msort")
