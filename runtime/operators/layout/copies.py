"""Views as copies: what an operator that makes a view would show, in memory of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.arrays.dimensions import check_not_expanded, wrap_dimension
from tsc.runtime.arrays.storage import strided_view, with_its_storage_copied
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.layout import shape, tensor_conversion
from tsc.runtime.operators.out_variants import SAME, castable, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import copying_forms
from tsc.runtime.values.tensor import Tensor


def _copy(view: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def copy(*arguments: Any) -> Tensor:
        return Tensor(view(*arguments).array.copy())

    return copy


copying_forms(
    """
    alias detach _conj as_strided diagonal expand narrow permute select.int slice.Tensor squeeze
    squeeze.dim squeeze.dims t transpose.int unfold unsqueeze view_as_complex view_as_real
    view.dtype split.Tensor split_with_sizes unbind.int
    """
)
operator("aten::lift(Tensor self) -> Tensor", "aten::lift_fresh_copy(Tensor self) -> Tensor")(
    _copy(tensor_conversion.detach)
)
operator(
    "aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor",
    "aten::view_copy(Tensor self, SymInt[] size) -> Tensor",
)(_copy(shape.reshape))


@operator(
    "aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride,"
    " SymInt? storage_offset=None) -> Tensor"
)
def as_strided_scatter(
    self: Tensor,
    src: Tensor,
    size: list[int],
    stride: list[int],
    storage_offset: int | None = None,
) -> Tensor:
    """A copy in which the elements that ``as_strided`` would show are those of `src`."""
    result = with_its_storage_copied(self.array)
    target = strided_view(result, size, stride, storage_offset)
    if target.shape != src.array.shape:
        raise ScriptError(
            "RuntimeError",
            f"expected src to have a size equal to the slice, {list(target.shape)}, not "
            f"{list(src.array.shape)}",
        )
    check_not_expanded(target)
    target[...] = src.array
    return Tensor(result)


@operator("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor")
def chunk_cat(tensors: list[Tensor], dim: int, num_chunks: int) -> Tensor:
    """Each tensor in chunks along `dim`, flattened behind it; equal chunks joined side by side."""
    _check_chunks(tensors, num_chunks)
    arrays = [tensor.array for tensor in tensors]
    axis = wrap_dimension(dim, arrays[0].ndim)
    if any(a.shape[:axis] != arrays[0].shape[:axis] for a in arrays):
        shapes = ", ".join(str(list(a.shape)) for a in arrays)
        message = (
            "_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors, and with "
            f"dim={dim} got {shapes}"
        )
        raise ScriptError("RuntimeError", message)
    return Tensor(np.concatenate([_chunked(a, axis, num_chunks) for a in arrays], axis + 1))


def _check_chunks(tensors: list[Tensor], num_chunks: int) -> None:
    if num_chunks < 1:
        message = "_chunk_cat expects positive num_chunks"
    elif not tensors:
        message = "_chunk_cat expects a non-empty input tensor list: give one tensor at least"
    elif any(not tensor.array.size for tensor in tensors):
        message = "_chunk_cat expects non-empty tensors"
    else:
        return
    raise ScriptError("RuntimeError", message)


def _chunked(a: np.ndarray, axis: int, num_chunks: int) -> np.ndarray:
    """`a` with `axis` split into `num_chunks` (the last filled up with zeros), the rest in a row."""
    size = -(-a.shape[axis] // num_chunks)
    missing = size * num_chunks - a.shape[axis]
    padding = [(0, missing if k == axis else 0) for k in range(a.ndim)]
    return np.pad(a, padding).reshape(*a.shape[:axis], num_chunks, -1)


out_forms(
    SAME,
    """
    lift _conj_copy alias_copy as_strided_copy detach_copy diagonal_copy expand_copy lift_fresh_copy
    permute_copy select_copy.int slice_copy.Tensor squeeze_copy.dim squeeze_copy.dims squeeze_copy
    t_copy transpose_copy.int unfold_copy unsqueeze_copy view_as_complex_copy view_as_real_copy
    view_copy.dtype view_copy split_copy.Tensor split_with_sizes_copy unbind_copy.int
    as_strided_scatter
    """,
)
out_forms(
    same("narrow_copy: Expected self.dtype() == output.dtype(), not {result} and {out}"),
    "narrow_copy",
)
out_forms(
    castable("torch.cat(): input types can't be cast to the desired output type {out}"),
    "_chunk_cat",
)
