"""Views: operators that look at the same memory under another shape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Aliasing
from tsc.runtime.arrays.dimensions import broadcast_shape, wrap_dimension, wrap_dimensions
from tsc.runtime.arrays.dtypes import NUMPY_OF_CODE, scalar_name
from tsc.runtime.arrays.storage import (
    element_strides,
    inner_view,
    storage_offset,
    strided_view,
    with_strides_if_empty,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_views
from tsc.runtime.values.tensor import Tensor

FULL = slice(None)


def inferred_shape(size: Sequence[int], count: int) -> tuple[int, ...]:
    """`size` with its -1 replaced by what `count` elements leave for it."""
    known = 1
    unknown = None
    for position, extent in enumerate(size):
        if extent == -1:
            if unknown is not None:
                raise ScriptError("RuntimeError", "only one dimension can be inferred")
            unknown = position
        elif extent < 0:
            raise ScriptError(
                "RuntimeError",
                f"invalid shape dimension {extent} at index {position} of shape {list(size)}",
            )
        else:
            known *= extent
    if unknown is None:
        if known != count:
            raise _invalid_shape(size, count)
        return tuple(size)
    if known == 0 and count == 0:
        raise ScriptError(
            "RuntimeError",
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous: write it out",
        )
    if known == 0 or count % known:
        raise _invalid_shape(size, count)
    return (*size[:unknown], count // known, *size[unknown + 1 :])


def _invalid_shape(size: Sequence[int], count: int) -> ScriptError:
    message = f"shape '{list(size)}' is invalid for input of size {count}"
    return ScriptError("RuntimeError", message)


@operator("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)")
def view(self: Tensor, size: Sequence[int]) -> Tensor:
    a = self.array
    shape = inferred_shape(size, a.size)
    if a.flags.c_contiguous:
        return Tensor(a.reshape(shape))
    try:
        return Tensor(np.reshape(a, shape, copy=False))
    except ValueError:
        raise ScriptError(
            "RuntimeError",
            "view size is not compatible: no view of this tensor of shape "
            f"{list(a.shape)} has shape {list(size)}. Use .reshape(...), which copies if "
            "it must.",
        ) from None


@operator("aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)")
def view_dtype(self: Tensor, dtype: int) -> Tensor:
    a = self.array
    target = NUMPY_OF_CODE[dtype]
    if target.itemsize == a.itemsize:
        return Tensor(a.view(target))
    _check_view_as(a, target)
    return Tensor(a.view(target))


def _check_view_as(a: np.ndarray, target: np.dtype) -> None:
    """Elements of another size must not begin or end within those of `a`."""
    words = f"to view {scalar_name(a.dtype)} as {scalar_name(target)} (different element sizes)"
    if a.ndim == 0:
        raise ScriptError("RuntimeError", f"self.dim() cannot be 0 {words}")
    strides = element_strides(a)
    if strides[-1] != 1 and a.shape[-1] != 1:
        message = f"self.stride(-1) must be 1 {words}, but got {strides[-1]}"
        raise ScriptError("RuntimeError", message)
    ratio = target.itemsize // a.itemsize
    if ratio == 0:
        return
    numbers = {"size(-1)": a.shape[-1], "storage_offset()": storage_offset(a)}
    numbers |= {f"stride({axis})": step for axis, step in enumerate(strides[:-1])}
    for name, number in numbers.items():
        if number % ratio:
            raise ScriptError(
                "RuntimeError",
                f"self.{name} must be divisible by {ratio} {words}, but got {number}",
            )


@operator("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)")
def reshape(self: Tensor, shape: Sequence[int]) -> Tensor:
    a = self.array
    return Tensor(a.reshape(inferred_shape(shape, a.size)))


@operator("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)")
def view_as(self: Tensor, other: Tensor) -> Tensor:
    return view(self, other.array.shape)


@operator("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)")
def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    return reshape(self, other.array.shape)


@operator("aten::ravel(Tensor(a) self) -> Tensor(a)")
def ravel(self: Tensor) -> Tensor:
    return Tensor(self.array.reshape(-1))


@operator("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)")
def flatten(self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    a = self.array
    start, end = wrap_dimension(start_dim, a.ndim), wrap_dimension(end_dim, a.ndim)
    if start > end:
        message = f"flatten() has invalid args: start_dim {start} comes after end_dim {end}"
        raise ScriptError("RuntimeError", message)
    if a.ndim == 0:
        return Tensor(a.reshape(1))
    if start == end:
        return self
    shape = a.shape
    merged = int(np.prod(shape[start : end + 1]))
    return Tensor(a.reshape((*shape[:start], merged, *shape[end + 1 :])))


@operator("aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)")
def unflatten(self: Tensor, dim: int, sizes: list[int]) -> Tensor:
    a = self.array
    if a.ndim == 0:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    dim = wrap_dimension(dim, a.ndim)
    if not sizes:
        raise ScriptError("RuntimeError", "unflatten: sizes must be non-empty")
    try:
        inner = inferred_shape(sizes, a.shape[dim])
    except ScriptError:
        raise ScriptError(
            "RuntimeError",
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
            f"({a.shape[dim]}) in the input tensor",
        ) from None
    return view(self, [*a.shape[:dim], *inner, *a.shape[dim + 1 :]])


def expanded(a: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """A view of `a` under `shape`, to which it must broadcast; new elements share memory."""
    if a.shape == shape:
        return a.view()
    a = with_strides_if_empty(a)
    lead = len(shape) - a.ndim
    strides = [0] * lead
    for extent, stride, target in zip(a.shape, a.strides, shape[lead:]):
        strides.append(stride if extent == target and extent != 1 else 0)
    return inner_view(a, shape, tuple(strides))


@operator("aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)")
def expand(self: Tensor, size: Sequence[int], implicit: bool = False) -> Tensor:
    a = self.array
    lead = len(size) - a.ndim
    if lead < 0:
        raise ScriptError(
            "RuntimeError",
            f"expand(torch.{scalar_name(a.dtype)}Tensor{{{list(a.shape)}}}, size={list(size)}): "
            f"the number of sizes provided ({len(size)}) must be greater or equal to the number "
            f"of dimensions in the tensor ({a.ndim})",
        )
    shape = list(size)
    for position, extent in enumerate(size):
        if position < lead:
            if extent < 0:
                raise ScriptError(
                    "RuntimeError",
                    f"The expanded size of the tensor is {extent} in dimension "
                    f"{position}, which is new and needs a size",
                )
            continue
        existing = a.shape[position - lead]
        if extent == -1:
            shape[position] = existing
        elif existing not in (1, extent):
            raise ScriptError(
                "RuntimeError",
                f"The expanded size of the tensor ({extent}) must match the existing size "
                f"({existing}) at non-singleton dimension {position}.  "
                f"Target sizes: {list(size)}.  Tensor sizes: {list(a.shape)}",
            )
    return Tensor(expanded(a, tuple(shape)))


@operator("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    return expand(self, other.array.shape)


@operator("aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)")
def broadcast_to(self: Tensor, size: list[int]) -> Tensor:
    return expand(self, size)


@operator("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", aliasing=Aliasing.READS_LIST)
def broadcast_tensors(tensors: list[Tensor]) -> list[Tensor]:
    shape = broadcast_shape(*(tensor.array.shape for tensor in tensors))
    return [Tensor(expanded(tensor.array, shape)) for tensor in tensors]


@operator("aten::squeeze(Tensor(a) self) -> Tensor(a)")
def squeeze(self: Tensor) -> Tensor:
    return Tensor(self.array.squeeze())


@operator("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)")
def squeeze_dim(self: Tensor, dim: int) -> Tensor:
    a = self.array
    dim = wrap_dimension(dim, a.ndim)
    if a.ndim and a.shape[dim] == 1:
        return Tensor(a.squeeze(dim))
    return Tensor(a.view())


@operator("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)")
def squeeze_dims(self: Tensor, dim: list[int]) -> Tensor:
    a = self.array
    dims = wrap_dimensions(dim, a.ndim)
    return Tensor(a.squeeze(tuple(d for d in dims if a.ndim and a.shape[d] == 1)))


@operator("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)")
def unsqueeze(self: Tensor, dim: int) -> Tensor:
    a = self.array
    dim = wrap_dimension(dim, a.ndim + 1)
    return Tensor(with_strides_if_empty(a)[(*(FULL,) * dim, None)])


@operator(
    "aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)"
    " -> Tensor(a)"
)
def as_strided(
    self: Tensor, size: list[int], stride: list[int], storage_offset: int | None = None
) -> Tensor:
    return Tensor(strided_view(self.array, size, stride, storage_offset))


@operator("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)")
def unfold(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    a = self.array
    dimension = wrap_dimension(dimension, a.ndim)
    extent = a.shape[dimension] if a.ndim else 1
    if size > extent:
        raise ScriptError(
            "RuntimeError",
            f"maximum size for tensor at dimension {dimension} is {extent} but size is {size}",
        )
    if size < 0:
        raise ScriptError("RuntimeError", f"size is {size} but must be >= 0")
    if step <= 0:
        raise ScriptError("RuntimeError", f"step is {step} but must be > 0")
    if a.ndim == 0:
        return Tensor(a.reshape(1)[:size])
    a = with_strides_if_empty(a)
    shape, strides = list(a.shape), list(a.strides)
    windows = (extent - size) // step + 1
    shape[dimension] = windows
    strides[dimension] *= step
    return Tensor(inner_view(a, (*shape, size), (*strides, a.strides[dimension])))


@operator("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)")
def diagonal(self: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    return Tensor(diagonal_view(self.array, offset, dim1, dim2))


def diagonal_view(a: np.ndarray, offset: int, dim1: int, dim2: int) -> np.ndarray:
    a = with_strides_if_empty(a)
    first, second = wrap_dimension(dim1, a.ndim), wrap_dimension(dim2, a.ndim)
    if first == second:
        message = f"diagonal dimensions cannot be identical {dim1}, {dim2}"
        raise ScriptError("RuntimeError", message)
    rows, columns = a.shape[first], a.shape[second]
    if offset >= 0:
        length = max(min(rows, columns - offset), 0)
    else:
        length = max(min(rows + offset, columns), 0)
    start = offset * a.strides[second] if offset >= 0 else -offset * a.strides[first]
    kept = [d for d in range(a.ndim) if d not in (first, second)]
    shape = (*(a.shape[d] for d in kept), length)
    strides = (*(a.strides[d] for d in kept), a.strides[first] + a.strides[second])
    return inner_view(a, shape, strides, start if length else 0)


operator("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor")(view)


out_forms(SAME, "_unsafe_view")
in_place_views("squeeze squeeze.dim squeeze.dims unsqueeze as_strided")
