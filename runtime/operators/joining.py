"""Joining tensors, taking them apart, repeating and reordering their elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.dimensions import wrap_dimension, wrap_dimensions
from runtime.dtypes import LONG
from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.operators.shape import FULL, expanded
from runtime.tensor import Tensor, wrap
from runtime.type_promotion import result_dtype

np_concatenate = np.concatenate


def _in_one_dtype(arrays: list[np.ndarray]) -> list[np.ndarray]:
    first = arrays[0].dtype
    for a in arrays:
        if a.dtype is not first:
            target = result_dtype(arrays)
            return [a.astype(target, copy=False) for a in arrays]
    return arrays


def _check_joinable(arrays: list[np.ndarray], dim: int) -> None:
    """Raise PyTorch's error for tensors that do not agree outside of `dim`."""
    first = arrays[0]
    for position, a in enumerate(arrays):
        if a.ndim == 0:
            message = f"zero-dimensional tensor (at position {position}) cannot be concatenated"
            raise ScriptError("RuntimeError", message)
        if a.ndim != first.ndim:
            raise ScriptError(
                "RuntimeError",
                f"Tensors must have same number of dimensions: got {first.ndim} and {a.ndim}",
            )
        for axis, (expected, extent) in enumerate(zip(first.shape, a.shape)):
            if axis != dim and expected != extent:
                raise ScriptError(
                    "RuntimeError",
                    f"Sizes of tensors must match except in dimension {dim}. Expected size "
                    f"{expected} but got size {extent} for tensor number {position} in the list.",
                )


@operator(
    "aten::cat(Tensor[] tensors, int dim=0) -> Tensor",
    "aten::concat(Tensor[] tensors, int dim=0) -> Tensor",
    "aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor",
)
def cat(tensors: list[Tensor], dim: int = 0) -> Tensor:
    if not tensors:
        raise ScriptError("ValueError", "torch.cat(): expected a non-empty list of Tensors")
    arrays = _in_one_dtype([tensor.array for tensor in tensors])
    joined = [a for a in arrays if a.shape != (0,)]
    if not joined:
        return Tensor(arrays[0].copy())
    dim = wrap_dimension(dim, joined[0].ndim)
    try:
        return Tensor(np_concatenate(joined, dim))
    except ValueError:
        _check_joinable(joined, dim)
        raise


@operator("aten::stack(Tensor[] tensors, int dim=0) -> Tensor")
def stack(tensors: list[Tensor], dim: int = 0) -> Tensor:
    if not tensors:
        raise ScriptError("RuntimeError", "stack expects a non-empty TensorList")
    arrays = _in_one_dtype([tensor.array for tensor in tensors])
    shape = arrays[0].shape
    dim = wrap_dimension(dim, len(shape) + 1)
    for position, a in enumerate(arrays):
        if a.shape != shape:
            raise ScriptError(
                "RuntimeError",
                f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 "
                f"and {list(a.shape)} at entry {position}",
            )
    key = (*(FULL,) * dim, None)
    return Tensor(np_concatenate([a[key] for a in arrays], dim))


@operator("aten::hstack(Tensor[] tensors) -> Tensor")
def hstack(tensors: list[Tensor]) -> Tensor:
    rows = [Tensor(np.atleast_1d(tensor.array)) for tensor in tensors]
    return cat(rows, 0 if rows and rows[0].array.ndim == 1 else 1)


@operator("aten::vstack(Tensor[] tensors) -> Tensor")
def vstack(tensors: list[Tensor]) -> Tensor:
    return cat([Tensor(np.atleast_2d(tensor.array)) for tensor in tensors], 0)


@operator("aten::dstack(Tensor[] tensors) -> Tensor")
def dstack(tensors: list[Tensor]) -> Tensor:
    return cat([Tensor(np.atleast_3d(tensor.array)) for tensor in tensors], 2)


@operator("aten::column_stack(Tensor[] tensors) -> Tensor")
def column_stack(tensors: list[Tensor]) -> Tensor:
    columns = [tensor.array for tensor in tensors]
    return cat([Tensor(a.reshape(-1, 1) if a.ndim < 2 else a) for a in columns], 1)


def _pieces(a: np.ndarray, boundaries: Sequence[int], dim: int) -> list[Tensor]:
    """Views of `a` between successive boundaries along `dim`."""
    pieces = map(slice, boundaries, boundaries[1:])
    if dim == 0:
        return [Tensor(a[piece]) for piece in pieces]
    if dim == 1:
        return [Tensor(a[:, piece]) for piece in pieces]
    lead = (FULL,) * dim
    return [Tensor(a[(*lead, piece)]) for piece in pieces]


def _extent_to_split(a: np.ndarray, dim: int) -> tuple[int, int]:
    if a.ndim == 0:
        raise ScriptError("RuntimeError", "split expects at least a 1-dimensional tensor")
    dim = wrap_dimension(dim, a.ndim)
    return dim, a.shape[dim]


@operator(
    "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
)
def split(self: Tensor, split_size: int, dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    if split_size < 0:
        message = f"split expects split_size be non-negative, but got split_size={split_size}"
        raise ScriptError("RuntimeError", message)
    if split_size == 0:
        if extent:
            raise ScriptError(
                "RuntimeError",
                "split_size can only be 0 if dimension size is 0, "
                f"but got dimension size of {extent}",
            )
        return [Tensor(self.array.view())]
    boundaries = [*range(0, max(extent, 1), split_size), extent]
    return _pieces(self.array, boundaries, dim)


@operator(
    "aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
)
def split_sizes(self: Tensor, split_size: list[int], dim: int = 0) -> list[Tensor]:
    return split_with_sizes(self, split_size, dim)


@operator(
    "aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]",
    "aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
)
def split_with_sizes(self: Tensor, split_sizes: list[int], dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    boundaries = [0]
    for size in split_sizes:
        if size < 0:
            raise ScriptError(
                "RuntimeError",
                "split_with_sizes expects split_sizes have only non-negative entries, but got "
                f"split_sizes={list(split_sizes)}",
            )
        boundaries.append(boundaries[-1] + size)
    if boundaries[-1] != extent:
        raise ScriptError(
            "RuntimeError",
            f"split_with_sizes expects split_sizes to sum exactly to {extent} (input tensor's "
            f"size at dimension {dim}), but got split_sizes={list(split_sizes)}",
        )
    return _pieces(self.array, boundaries, dim)


@operator("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]")
def chunk(self: Tensor, chunks: int, dim: int = 0) -> list[Tensor]:
    a = self.array
    if a.ndim == 0:
        raise ScriptError("RuntimeError", "chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        message = f"chunk expects `chunks` to be greater than 0, got: {chunks}"
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim]
    size = -(-extent // chunks)
    if size == 0:
        return [Tensor(a.view()) for _ in range(chunks)]
    return _pieces(a, [*range(0, extent, size), extent], dim)


@operator(
    "aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"
)
def tensor_split(self: Tensor, sections: int, dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    if sections <= 0:
        message = f"number of sections must be larger than 0, got {sections}"
        raise ScriptError("RuntimeError", message)
    small, larger = divmod(extent, sections)
    boundaries = [i * small + min(i, larger) for i in range(sections + 1)]
    return _pieces(self.array, boundaries, dim)


@operator(
    "aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"
)
def tensor_split_indices(self: Tensor, indices: list[int], dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    lead = (FULL,) * dim
    starts, ends = [0, *indices], [*indices, extent]
    return [Tensor(self.array[(*lead, slice(start, end))]) for start, end in zip(starts, ends)]


@operator("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]")
def unbind(self: Tensor, dim: int = 0) -> list[Tensor]:
    a = self.array
    if a.ndim == 0:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    dim = wrap_dimension(dim, a.ndim)
    lead = (FULL,) * dim
    return [Tensor(a[(*lead, index, ...)]) for index in range(a.shape[dim])]


@operator("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor")
def repeat(self: Tensor, repeats: list[int]) -> Tensor:
    if len(repeats) < self.array.ndim:
        raise ScriptError(
            "RuntimeError",
            "Number of dimensions of repeat dims can not be smaller than number of dimensions "
            "of tensor",
        )
    if any(count < 0 for count in repeats):
        message = f"Trying to create tensor with negative dimension: {list(repeats)}"
        raise ScriptError("RuntimeError", message)
    return Tensor(np.tile(self.array, repeats))


@operator("aten::tile(Tensor self, SymInt[] dims) -> Tensor")
def tile(self: Tensor, dims: list[int]) -> Tensor:
    return Tensor(np.tile(self.array, dims))


@operator("aten::flip(Tensor self, int[] dims) -> Tensor")
def flip(self: Tensor, dims: list[int]) -> Tensor:
    return wrap(np.flip(self.array, wrap_dimensions(dims, self.array.ndim)).copy())


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


@operator("aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor")
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
    axes = tuple(wrap_dimension(dim, self.array.ndim) for dim in dims)
    return Tensor(np.roll(self.array, tuple(shifts), axes))


@operator("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor")
def rot90(self: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    if len(dims) != 2:
        message = f"expected total rotation dims == 2, but got dims = {len(dims)}"
        raise ScriptError("RuntimeError", message)
    return Tensor(np.rot90(self.array, k, wrap_dimensions(dims, self.array.ndim)).copy())


@operator(
    "aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
)
def repeat_interleave_counts(repeats: Tensor, output_size: int | None = None) -> Tensor:
    counts = repeats.array
    if counts.size and counts.min() < 0:
        raise ScriptError("RuntimeError", "repeats can not be negative")
    return Tensor(np.repeat(np.arange(counts.size, dtype=LONG), counts).astype(counts.dtype))


@operator(
    "aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *,"
    " SymInt? output_size=None) -> Tensor"
)
def repeat_interleave(
    self: Tensor, repeats: Tensor, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    a = self.array.reshape(-1) if dim is None else self.array
    axis = wrap_dimension(0 if dim is None else dim, a.ndim)
    counts = repeats.array.reshape(-1)
    if counts.size not in (1, a.shape[axis]):
        message = "repeats must have the same size as input along dim"
        raise ScriptError("RuntimeError", message)
    if counts.size and counts.min() < 0:
        raise ScriptError("RuntimeError", "repeats can not be negative")
    return Tensor(np.repeat(a, counts, axis))


@operator(
    "aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *,"
    " SymInt? output_size=None) -> Tensor"
)
def repeat_interleave_int(
    self: Tensor, repeats: int, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    return repeat_interleave(self, Tensor(np.array([repeats])), dim, output_size)


def _grids(tensors: list[Tensor], indexing: str) -> list[Tensor]:
    arrays = [tensor.array.reshape(-1) for tensor in tensors]
    if indexing not in ("ij", "xy"):
        message = 'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        raise ScriptError("RuntimeError", message)
    swapped = indexing == "xy" and len(arrays) >= 2
    if swapped:
        arrays[:2] = arrays[1], arrays[0]
    shape = tuple(a.size for a in arrays)
    grids = []
    for axis, a in enumerate(arrays):
        key = [None] * len(arrays)
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
    if len(tensors) == 1:
        return tensors[0]
    return stack([Tensor(grid.array.reshape(-1)) for grid in meshgrid(tensors)], 1)
