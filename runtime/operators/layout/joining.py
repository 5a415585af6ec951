"""Joining tensors and taking them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsc.compiler.schema import Aliasing
from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import LONG, scalar_name
from tsc.runtime.arrays.memory_layout import channels_last, contiguous, is_channels_last
from tsc.runtime.arrays.storage import sliced, with_strides_if_empty
from tsc.runtime.arrays.type_promotion import result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.layout.shape import FULL
from tsc.runtime.operators.out_variants import SAME, apart, castable, out_forms
from tsc.runtime.operators.registration import node_operator, operator
from tsc.runtime.operators.variants import second_name
from tsc.runtime.values.tensor import Tensor

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
                f"Tensors must have same number of dimensions: these have {first.ndim} "
                f"and {a.ndim}",
            )
        for axis, (expected, extent) in enumerate(zip(first.shape, a.shape)):
            if axis != dim and expected != extent:
                raise ScriptError(
                    "RuntimeError",
                    f"Sizes of tensors must match except in dimension {dim}: in dimension "
                    f"{axis} tensor 0 has {expected} elements, tensor {position} has "
                    f"{extent}",
                )


@operator("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", aliasing=Aliasing.READS_LIST)
def cat(tensors: list[Tensor], dim: int = 0) -> Tensor:
    if not tensors:
        raise ScriptError(
            "ValueError", "expected a non-empty list of Tensors: cat has nothing to join"
        )
    arrays = _in_one_dtype([tensor.array for tensor in tensors])
    joined = [a for a in arrays if a.shape != (0,)]
    if not joined:
        return Tensor(arrays[0].copy())
    dim = wrap_dimension(dim, joined[0].ndim)
    try:
        result = np_concatenate(joined, dim)
    except ValueError:
        _check_joinable(joined, dim)
        raise
    if not result.flags.c_contiguous:
        result = channels_last(result) if all(map(is_channels_last, joined)) else contiguous(result)
    return Tensor(result)


@operator("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", aliasing=Aliasing.READS_LIST)
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
                f"stack expects each tensor to be equal size: tensor 0 is {list(shape)}, "
                f"tensor {position} is {list(a.shape)}",
            )
    key = (*(FULL,) * dim, None)
    return Tensor(contiguous(np_concatenate([a[key] for a in arrays], dim)))


@operator("aten::hstack(Tensor[] tensors) -> Tensor", aliasing=Aliasing.READS_LIST)
def hstack(tensors: list[Tensor]) -> Tensor:
    rows = [Tensor(np.atleast_1d(tensor.array)) for tensor in tensors]
    return cat(rows, 0 if rows and rows[0].array.ndim == 1 else 1)


@operator("aten::vstack(Tensor[] tensors) -> Tensor", aliasing=Aliasing.READS_LIST)
def vstack(tensors: list[Tensor]) -> Tensor:
    return cat([Tensor(np.atleast_2d(tensor.array)) for tensor in tensors], 0)


@operator("aten::dstack(Tensor[] tensors) -> Tensor", aliasing=Aliasing.READS_LIST)
def dstack(tensors: list[Tensor]) -> Tensor:
    return cat([Tensor(np.atleast_3d(tensor.array)) for tensor in tensors], 2)


@operator("aten::column_stack(Tensor[] tensors) -> Tensor")
def column_stack(tensors: list[Tensor]) -> Tensor:
    columns = [tensor.array for tensor in tensors]
    return cat([Tensor(a.reshape(-1, 1) if a.ndim < 2 else a) for a in columns], 1)


def _pieces(a: np.ndarray, boundaries: Sequence[int], dim: int) -> list[Tensor]:
    """Views of `a` between successive boundaries along `dim`."""
    a, pieces = with_strides_if_empty(a), map(slice, boundaries, boundaries[1:])
    return [Tensor(sliced(a, dim, piece)) for piece in pieces]


def _extent_to_split(a: np.ndarray, dim: int) -> tuple[int, int]:
    if a.ndim == 0:
        raise ScriptError(
            "RuntimeError", "split expects at least a 1-dimensional tensor, not a 0-dim one"
        )
    dim = wrap_dimension(dim, a.ndim)
    return dim, a.shape[dim]


@operator(
    "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
)
def split(self: Tensor, split_size: int, dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    if split_size < 0:
        message = f"split expects split_size be non-negative, and it is {split_size}"
        raise ScriptError("RuntimeError", message)
    if split_size == 0:
        if extent:
            raise ScriptError(
                "RuntimeError",
                f"split_size can only be 0 if dimension {dim} is empty, and it has "
                f"{extent} elements",
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
            f"split_with_sizes expects split_sizes to sum to {extent}, the size of "
            f"dimension {dim}, and {list(split_sizes)} do not",
        )
    return _pieces(self.array, boundaries, dim)


@operator("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]")
def chunk(self: Tensor, chunks: int, dim: int = 0) -> list[Tensor]:
    a = self.array
    if a.ndim == 0:
        raise ScriptError(
            "RuntimeError", "chunk expects at least a 1-dimensional tensor, not a 0-dim one"
        )
    if chunks <= 0:
        message = f"chunk expects `chunks` to be greater than 0, and it is {chunks}"
        raise ScriptError("RuntimeError", message)
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim]
    size = -(-extent // chunks)
    if size == 0:
        return [Tensor(a.view()) for _ in range(chunks)]
    return _pieces(a, [*range(0, extent, size), extent], dim)


@node_operator("prim::ConstantChunk(...) -> ...")
def make_constant_chunk(node: Any) -> Callable[[Tensor], Tensor | tuple[Tensor, ...]]:
    """`chunk` whose attributes are known, with an output for each part."""
    chunks, dim = node.integer_attribute("chunks"), node.integer_attribute("dim")

    def constant_chunk(whole: Tensor) -> Tensor | tuple[Tensor, ...]:
        parts = tuple(chunk(whole, chunks, dim))
        if len(parts) != chunks:
            message = f"Expected chunk to return {chunks} outputs, but got {len(parts)}"
            raise ScriptError("RuntimeError", message)
        return parts[0] if chunks == 1 else parts

    return constant_chunk


@operator(
    "aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"
)
def tensor_split(self: Tensor, sections: int, dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    if sections <= 0:
        message = f"number of sections must be larger than 0, and it is {sections}"
        raise ScriptError("RuntimeError", message)
    small, larger = divmod(extent, sections)
    boundaries = [i * small + min(i, larger) for i in range(sections + 1)]
    return _pieces(self.array, boundaries, dim)


@operator(
    "aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"
)
def tensor_split_indices(self: Tensor, indices: list[int], dim: int = 0) -> list[Tensor]:
    dim, extent = _extent_to_split(self.array, dim)
    starts, ends = [0, *indices], [*indices, extent]
    return [Tensor(sliced(self.array, dim, slice(start, end))) for start, end in zip(starts, ends)]


@operator("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]")
def unbind(self: Tensor, dim: int = 0) -> list[Tensor]:
    a = self.array
    if a.ndim == 0:
        message = f"Dimension specified as {dim} but tensor has no dimensions"
        raise ScriptError("IndexError", message)
    a, dim = with_strides_if_empty(a), wrap_dimension(dim, a.ndim)
    lead = (FULL,) * dim
    return [Tensor(a[(*lead, index, ...)]) for index in range(a.shape[dim])]


operator("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor")(stack)


operator("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")(chunk)


operator("aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]")(split)


operator("aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]")(
    split_with_sizes
)


@operator(
    "aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self,"
    " Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]"
)
def tensor_split_tensor(
    self: Tensor, tensor_indices_or_sections: Tensor, dim: int = 0
) -> list[Tensor]:
    parts = tensor_indices_or_sections.array
    expected = "tensor_split expected tensor_indices_or_sections to"
    if parts.dtype is not LONG:
        message = f"{expected} have dtype of long, but got {scalar_name(parts.dtype)}"
        raise ScriptError("RuntimeError", message)
    if parts.ndim > 1:
        raise ScriptError(
            "RuntimeError",
            f"{expected} be zero-dimensional or one-dimensional, and it has {parts.ndim} "
            "dimensions",
        )
    if parts.ndim == 0:
        return tensor_split(self, int(parts), dim)
    return tensor_split_indices(self, parts.tolist(), dim)


def _split_along(name: str, axis: int, least: int) -> None:
    def sections_of(self: Tensor, sections: int) -> list[Tensor]:
        dim = _axis(self, name, axis, least)
        extent = self.array.shape[dim]
        if sections == 0 or extent % sections:
            raise ScriptError(
                "RuntimeError",
                f"torch.{name} attempted to split along dimension {dim}, but the size of the "
                f"dimension {extent} is not divisible by the split_size {sections}!",
            )
        return tensor_split(self, sections, dim)

    def at_indices(self: Tensor, indices: list[int]) -> list[Tensor]:
        return tensor_split_indices(self, indices, _axis(self, name, axis, least))

    operator(f"aten::{name}.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]")(sections_of)
    operator(f"aten::{name}.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]")(at_indices)


def _axis(tensor: Tensor, name: str, axis: int, least: int) -> int:
    ndim = tensor.array.ndim
    if ndim < least:
        raise ScriptError(
            "RuntimeError",
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor "
            f"with {ndim} dimensions!",
        )
    return 0 if axis == 1 and ndim == 1 else axis


_split_along("hsplit", 1, 1)


_split_along("vsplit", 0, 2)


_split_along("dsplit", 2, 3)


out_forms(
    apart(castable("torch.cat(): input types can't be cast to the desired output type {out}")),
    "_stack cat column_stack dstack hstack stack vstack",
)
second_name("row_stack", "vstack", "- out")
out_forms(SAME, "unsafe_split.Tensor unsafe_split_with_sizes")
second_name("concat", "cat", "- out")
second_name("concatenate", "cat", "- out")
