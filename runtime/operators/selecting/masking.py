"""Elements that a mask chooses: masked_fill, masked_select, masked_scatter."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import (
    check_broadcast,
    check_no_partial_overlap,
    check_not_expanded,
    check_writable_as,
)
from tsc.runtime.arrays.dtypes import BOOL, scalar_name
from tsc.runtime.arrays.type_promotion import Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import composed, fitting_number
from tsc.runtime.operators.layout.shape import expand
from tsc.runtime.operators.out_variants import C_NAMES, SAME, apart, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.indexing import index, index_put
from tsc.runtime.operators.variants import in_place_form
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def check_mask(name: str, mask: np.ndarray, dtype_name: str) -> None:
    """Masks are bool; the dtype of another is called `dtype_name`."""
    if mask.dtype is not BOOL:
        raise ScriptError(
            "RuntimeError",
            f"{name} only supports boolean masks, not {dtype_name}",
        )


def _masked_fill(a: np.ndarray, mask: np.ndarray, value: np.ndarray) -> np.ndarray:
    if mask.dtype is not BOOL:
        check_mask("masked_fill_", mask, C_NAMES[mask.dtype.name])
    try:
        return np.where(mask, value, a)
    except ValueError:
        check_broadcast(mask, a)
        raise


@operator(
    "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
    layout=Layout.ROW_MAJOR,
    expression=composed("torch.where(mask, value, self)"),
)
def masked_fill(self: Tensor, mask: Tensor, value: Number) -> Tensor:
    a = self.array
    return wrap(_masked_fill(a, mask.array, fitting_number(value, a.dtype)))


@operator(
    "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
    layout=Layout.ROW_MAJOR,
    expression=composed("torch.where(mask, value, self)"),
)
def masked_fill_tensor(self: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    a = self.array
    if value.array.ndim:
        raise ScriptError(
            "RuntimeError",
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.array.ndim} dimension(s).",
        )
    number = checked_number_array(value.item(), a.dtype)
    return wrap(_masked_fill(a, mask.array, number))


def _written(target: Tensor, mask: Tensor, result: Tensor) -> Tensor:
    """`target` with what the functional form gave; several of its elements may be one place."""
    a = target.array
    check_writable_as(a, mask.array)
    check_no_partial_overlap(a, mask.array)
    a[...] = result.array
    return target


@in_place_form("masked_fill.Scalar")
def masked_fill_(self: Tensor, mask: Tensor, value: Number) -> Tensor:
    return _written(self, mask, masked_fill(self, mask, value))


@in_place_form("masked_fill.Tensor")
def masked_fill_tensor_(self: Tensor, mask: Tensor, value: Tensor) -> Tensor:
    return _written(self, mask, masked_fill_tensor(self, mask, value))


@operator("aten::masked_select(Tensor self, Tensor mask) -> Tensor")
def masked_select(self: Tensor, mask: Tensor) -> Tensor:
    if mask.array.dtype is not BOOL:
        raise ScriptError("RuntimeError", "masked_select: expected BoolTensor for mask")
    check_broadcast(self.array, mask.array)
    a, chosen = np.broadcast_arrays(self.array, mask.array)
    return Tensor(asarray(a[chosen]))


@operator("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor")
def masked_scatter(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    check_broadcast(self.array, mask.array)
    a, chosen = np.broadcast_arrays(self.array, mask.array)
    return masked_scatter_(Tensor(a.copy()), Tensor(chosen), source)


@in_place_form("masked_scatter")
def masked_scatter_(self: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The elements of `source`, one after the other, where `mask` is set."""
    a, values = self.array, source.array
    if a.dtype is not values.dtype:
        raise ScriptError(
            "RuntimeError",
            "masked_scatter_: expected self and source to have same dtypes but got "
            f"{scalar_name(a.dtype)} and {scalar_name(values.dtype)}",
        )
    check_mask("masked_scatter_", mask.array, scalar_name(mask.array.dtype))
    chosen = expand(mask, list(a.shape)).array
    check_not_expanded(a)
    count = int(chosen.sum())
    if values.size < count:
        message = f"Number of elements of source < number of ones in mask: {values.size} < {count}"
        raise ScriptError("RuntimeError", message)
    a[chosen] = values.reshape(-1)[:count]
    return self


def _clamped(a: np.ndarray, indices: list[Tensor | None]) -> list[Tensor | None]:
    """Indices that are taken to the nearest place inside of `a`."""
    return [
        None if each is None else Tensor(each.array.clip(-extent, extent - 1))
        for each, extent in zip(indices, a.shape)
    ]


@operator(
    "aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor"
)
def masked_index(self: Tensor, mask: Tensor, indices: list[Tensor | None], fill: Number) -> Tensor:
    """``self[indices]`` where `mask` is set, elsewhere `fill`: there an index may be outside."""
    outside = Tensor(np.logical_not(mask.array))
    if not self.array.size:
        shape = np.broadcast_shapes(
            mask.array.shape, *(each.array.shape for each in indices if each is not None)
        )
        return Tensor(np.full(shape, fitting_number(fill, self.array.dtype)))
    return masked_fill(index(self, _clamped(self.array, indices)), outside, fill)


@operator(
    "aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices,"
    " Tensor values) -> Tensor"
)
def masked_index_put(
    self: Tensor, mask: Tensor, indices: list[Tensor | None], values: Tensor
) -> Tensor:
    if not self.array.size:
        return Tensor(self.array.copy())
    outside = Tensor(np.logical_not(mask.array))
    return index_put(self, _clamped(self.array, indices), masked_fill(values, outside, 0), True)


out_forms(SAME, "masked_fill.Scalar masked_fill.Tensor masked_scatter")
out_forms(
    apart(same("masked_select(): self and result must have one dtype, not {result} and {out}")),
    "masked_select",
)
