"""Repeating, turning and combining elements: repeat, flip, roll, meshgrid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import check_bytes, wrap_dimension, wrap_dimensions
from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.arrays.memory_layout import contiguous, laid_out
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.layout.joining import stack
from tsc.runtime.operators.layout.shape import FULL, expanded
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.gathering import INT
from tsc.runtime.values.tensor import Tensor, wrap


@operator("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor")
def repeat(self: Tensor, repeats: list[int]) -> Tensor:
    if len(repeats) < self.array.ndim:
        raise ScriptError(
            "RuntimeError",
            "Number of dimensions of repeat dims can not be smaller than that of the "
            f"tensor: {len(repeats)} for {self.array.ndim}",
        )
    shape = (*(1,) * (len(repeats) - self.array.ndim), *self.array.shape)
    counts = _checked_repeats(repeats, shape)
    check_bytes([count * extent for count, extent in zip(counts, shape)], self.array.itemsize)
    return Tensor(contiguous(np.tile(self.array, counts)))


def _checked_repeats(repeats: Sequence[int], shape: Sequence[int]) -> list[int]:
    """How often each dimension of `shape` is repeated, none so that its extent is negative."""
    extents = [count * extent for count, extent in zip(repeats, shape)]
    for extent in extents:
        if extent < 0:
            message = f"Trying to create tensor with negative dimension {extent}: {extents}"
            raise ScriptError("RuntimeError", message)
    return [max(count, 0) for count in repeats]


@operator("aten::tile(Tensor self, SymInt[] dims) -> Tensor")
def tile(self: Tensor, dims: list[int]) -> Tensor:
    lead = self.array.ndim - len(dims)
    return repeat(self, [*(1,) * lead, *dims])


@operator("aten::flip(Tensor self, int[] dims) -> Tensor", layout=Layout.AS_FIRST)
def flip(self: Tensor, dims: list[int]) -> Tensor:
    axes = wrap_dimensions(dims, self.array.ndim)
    a = self.array
    return wrap(laid_out(np.flip(a, axes).copy(), a) if a.ndim else a.copy())


@operator("aten::fliplr(Tensor self) -> Tensor")
def fliplr(self: Tensor) -> Tensor:
    if self.array.ndim < 2:
        raise ScriptError("RuntimeError", "Input must be >= 2-d.")
    return flip(self, [1])


@operator("aten::flipud(Tensor self) -> Tensor")
def flipud(self: Tensor) -> Tensor:
    if self.array.ndim < 1:
        raise ScriptError("RuntimeError", "Input must be >= 1-d.")
    return flip(self, [0])


@operator(
    "aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", layout=Layout.AS_IMAGE
)
def roll(self: Tensor, shifts: list[int], dims: Sequence[int] = ()) -> Tensor:
    if not shifts:
        raise ScriptError("RuntimeError", "`shifts` required")
    if len(shifts) != len(dims) and not (len(shifts) == 1 and not dims):
        raise ScriptError(
            "RuntimeError",
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}",
        )
    if not dims:
        return Tensor(np.roll(self.array, shifts[0]))
    if self.array.ndim == 0:
        message = f"Dimension specified as {dims[0]} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    if self.array.size == 0:  # PyTorch does not look at the dimensions then
        return Tensor(self.array.copy())
    axes = tuple(wrap_dimension(dim, self.array.ndim) for dim in dims)
    return Tensor(np.roll(self.array, tuple(shifts), axes))


@operator("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor")
def rot90(self: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    if len(dims) != 2:
        message = f"expected total rotation dims to be 2, and dims are {list(dims)}"
        raise ScriptError("RuntimeError", message)
    a = self.array
    if a.ndim < 2:
        message = f"expected total dims >= 2 to rotate in, and the tensor has {a.ndim}"
        raise ScriptError("RuntimeError", message)
    first, second = (wrap_dimension(dim, a.ndim) for dim in dims)
    if first == second:
        raise ScriptError(
            "RuntimeError",
            f"expected rotation dims to be different, and both are {first}",
        )
    turned = np.rot90(a, k, (first, second))
    if k % 4 == 0:
        return Tensor(turned.copy())
    if k % 2 == 0:
        return Tensor(laid_out(turned.copy(), a))
    exchanged = laid_out(turned.swapaxes(first, second).copy(), a)  # flipped, then transposed
    return Tensor(exchanged.swapaxes(first, second))


@operator(
    "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
)
def repeat_interleave_counts(repeats: Tensor, output_size: int | None = None) -> Tensor:
    counts = repeats.array
    if counts.ndim != 1:
        message = (
            f"repeat_interleave only accepts repeats of one dimension, and these have {counts.ndim}"
        )
        raise ScriptError("RuntimeError", message)
    if counts.dtype not in (INT, LONG):
        raise not_implemented("repeat_interleave_cpu", counts.dtype)
    if counts.size and counts.min() < 0:
        raise ScriptError("RuntimeError", "repeats can not be negative")
    if output_size is not None and counts.size and output_size != counts.sum():
        raise ScriptError("RuntimeError", "allocated size does not match required size")
    total = int(counts.sum(dtype=np.float64))
    check_bytes([total], LONG.itemsize)
    return Tensor(np.repeat(np.arange(counts.size), counts).astype(counts.dtype))


@operator(
    "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *,"
    " SymInt? output_size=None) -> Tensor"
)
def repeat_interleave(
    self: Tensor, repeats: Tensor, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    a, counts = _flat_or_along(self, dim), repeats.array
    axis = wrap_dimension(0 if dim is None else dim, a.ndim)
    if counts.ndim > 1:
        raise ScriptError("RuntimeError", "repeats must be 0-dim or 1-dim tensor")
    if counts.size not in (1, a.shape[axis]):
        raise ScriptError(
            "RuntimeError",
            f"repeats must have the same size as input has in dimension {axis}: "
            f"{a.shape[axis]}, not {counts.size}",
        )
    if counts.size == 1:
        counts = np.broadcast_to(counts.reshape(1), (a.shape[axis],))
    positions = repeat_interleave_counts(Tensor(counts), output_size).array
    return Tensor(a.take(positions, axis))


def _flat_or_along(tensor: Tensor, dim: int | None) -> np.ndarray:
    a = tensor.array
    if dim is None or a.ndim == 0:
        wrap_dimension(dim or 0, a.ndim)
        return a.reshape(-1)
    return a


@operator(
    "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *,"
    " SymInt? output_size=None) -> Tensor"
)
def repeat_interleave_int(
    self: Tensor, repeats: int, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    a = _flat_or_along(self, dim)
    axis = wrap_dimension(0 if dim is None else dim, a.ndim)
    if repeats < 0:
        raise ScriptError("RuntimeError", "Repeats must be non-negative")
    expected = a.shape[axis] * repeats
    if output_size is not None and output_size != expected:
        raise ScriptError(
            "RuntimeError",
            f"repeat_interleave: Invalid output_size {output_size}: the repeats make {expected}",
        )
    check_bytes([*a.shape[:axis], expected, *a.shape[axis + 1 :]], a.itemsize)
    return Tensor(np.repeat(a, repeats, axis))


def _check_vectors(tensors: list[Tensor]) -> None:
    if not tensors:
        raise ScriptError("RuntimeError", "meshgrid expects a non-empty TensorList")
    for tensor in tensors:
        if tensor.array.ndim > 1:
            raise ScriptError(
                "RuntimeError",
                "torch.meshgrid: Expected 0D or 1D tensor, not one of "
                f"{tensor.array.ndim} dimensions",
            )
    if any(tensor.array.dtype is not tensors[0].array.dtype for tensor in tensors):
        message = "meshgrid expects all tensors to have one dtype"
        raise ScriptError("RuntimeError", message)


def _grids(tensors: list[Tensor], indexing: str) -> list[Tensor]:
    _check_vectors(tensors)
    arrays = [tensor.array.reshape(-1) for tensor in tensors]
    if indexing not in ("ij", "xy"):
        message = f"torch.meshgrid: indexing must be 'xy' or 'ij', not {indexing!r}"
        raise ScriptError("RuntimeError", message)
    swapped = indexing == "xy" and len(arrays) >= 2
    if swapped:
        arrays[:2] = arrays[1], arrays[0]
    shape = tuple(a.size for a in arrays)
    grids = []
    for axis, a in enumerate(arrays):
        key: list[slice | None] = [None] * len(arrays)
        key[axis] = FULL
        grids.append(expanded(a[tuple(key)], shape))
    if swapped:
        grids[:2] = grids[1], grids[0]
    return [Tensor(grid) for grid in grids]


@operator("aten::meshgrid(Tensor[] tensors) -> Tensor[]")
def meshgrid(tensors: list[Tensor]) -> list[Tensor]:
    return _grids(tensors, "ij")


@operator("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]")
def meshgrid_indexing(tensors: list[Tensor], indexing: str) -> list[Tensor]:
    return _grids(tensors, indexing)


@operator("aten::cartesian_prod(Tensor[] tensors) -> Tensor")
def cartesian_prod(tensors: list[Tensor]) -> Tensor:
    for tensor in tensors:
        if tensor.array.ndim != 1:
            message = f"Expect a 1D vector, but got shape {list(tensor.array.shape)}"
            raise ScriptError("RuntimeError", message)
    if len(tensors) == 1:
        return tensors[0]
    return stack([Tensor(grid.array.reshape(-1)) for grid in meshgrid(tensors)], 1)


@operator("aten::atleast_1d(Tensor self) -> Tensor")
def atleast_1d(self: Tensor) -> Tensor:
    return self if self.array.ndim else Tensor(self.array.reshape(1))


@operator("aten::atleast_2d(Tensor self) -> Tensor")
def atleast_2d(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim >= 2:
        return self
    return Tensor(a.reshape(1, 1) if a.ndim == 0 else a[np.newaxis])


@operator("aten::atleast_3d(Tensor self) -> Tensor")
def atleast_3d(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim >= 3:
        return self
    return Tensor(a[..., np.newaxis] if a.ndim == 2 else a.reshape(1, -1, 1))


def _each(function: Callable[[Tensor], Tensor]) -> Callable[[list[Tensor]], list[Tensor]]:
    def on_list(tensors: list[Tensor]) -> list[Tensor]:
        return [function(tensor) for tensor in tensors]

    return on_list


operator("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]")(_each(atleast_1d))


operator("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]")(_each(atleast_2d))


operator("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]")(_each(atleast_3d))


out_forms(SAME, "flip repeat repeat_interleave.Tensor roll rot90")
