"""Selecting elements by position: ``x[i]``, ``x[a:b]``, ``x[mask]``, and writing to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import check_no_overlap, wrap_dimension
from tsc.runtime.arrays.dtypes import BOOL, BYTE, LONG, scalar_name
from tsc.runtime.arrays.storage import sliced, strided_view
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.layout.shape import FULL
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.accumulation import add_at
from tsc.runtime.values.tensor import Tensor, asarray

INDEX_DTYPES = frozenset({LONG, BOOL, BYTE, np.dtype(np.int32)})


@operator("aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)")
def select(self: Tensor, dim: int, index: int) -> Tensor:
    a = self.array
    if dim < 0 or dim >= a.ndim:
        if a.ndim == 0:
            raise ScriptError(
                "IndexError",
                "select() cannot be applied to a 0-dim tensor: take its number with item()",
            )
        dim = wrap_dimension(dim, a.ndim)
    try:
        return Tensor(a[index, ...] if dim == 0 else a[(*(FULL,) * dim, index, ...)])
    except IndexError:
        raise ScriptError(
            "IndexError",
            f"select(): index {index} out of range for tensor of size {list(a.shape)} "
            f"at dimension {dim}",
        ) from None


@operator(
    "aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None,"
    " SymInt step=1) -> Tensor(a)"
)
def slice_(
    self: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    a = self.array
    if dim < 0 or dim >= a.ndim:
        if a.ndim == 0:
            raise ScriptError("RuntimeError", "slice() cannot be applied to a 0-dim tensor.")
        dim = wrap_dimension(dim, a.ndim)
    if step <= 0:
        raise ScriptError("RuntimeError", "slice step must be positive")
    return Tensor(sliced(a, dim, slice(start, end, step)))


@operator("aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)")
def narrow(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    a = self.array
    if a.ndim == 0:
        raise ScriptError(
            "RuntimeError",
            "narrow() cannot be applied to a 0-dim tensor: it has no dimension to cut",
        )
    if length < 0:
        raise ScriptError("RuntimeError", "narrow(): length must be non-negative.")
    dim = wrap_dimension(dim, a.ndim)
    extent = a.shape[dim]
    if not -extent <= start <= extent:
        raise ScriptError(
            "IndexError",
            f"start out of range (expected to be in range of [{-extent}, {extent}], "
            f"but got {start})",
        )
    first = start + extent if start < 0 else start
    if first > extent - length:
        message = f"start ({first}) + length ({length}) exceeds dimension size ({extent})."
        raise ScriptError("RuntimeError", message)
    return Tensor(sliced(a, dim, slice(first, first + length)))


@operator("aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)")
def narrow_tensor(self: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    position = start.array
    if position.ndim or position.dtype.kind not in "iu":
        raise ScriptError("RuntimeError", "start must be an 0-dim integral Tensor.")
    return narrow(self, dim, int(position), length)


def _index_key(a: np.ndarray, indices: Sequence[Tensor | None]) -> tuple:
    """The NumPy index that means `indices`."""
    if len(indices) > a.ndim:
        message = f"too many indices for tensor of dimension {a.ndim} (got {len(indices)})"
        raise ScriptError("IndexError", message)
    key = []
    for index in indices:
        if index is None:
            key.append(FULL)
            continue
        positions = index.array
        if positions.dtype not in INDEX_DTYPES:
            raise ScriptError(
                "IndexError",
                "tensors used as indices must be Long, Int, Byte or Bool, not "
                f"{scalar_name(positions.dtype)}",
            )
        key.append(positions.astype(BOOL) if positions.dtype is BYTE else positions)
    return tuple(key)


def _index_error(a: np.ndarray, key: tuple, error: Exception) -> ScriptError:
    """PyTorch's words for an index NumPy refused."""
    axis = 0
    shapes = []
    for part in key:
        if part is FULL:
            axis += 1
            continue
        if part.dtype is BOOL:
            if axis + part.ndim > a.ndim:
                message = f"too many indices for tensor of dimension {a.ndim}"
                return ScriptError("IndexError", message)
            for offset, extent in enumerate(part.shape):
                if extent != a.shape[axis + offset]:
                    return ScriptError(
                        "IndexError",
                        f"The shape of the mask {list(part.shape)} at index {offset} does "
                        f"not match {list(a.shape)}, the shape of the indexed tensor, at "
                        f"index {axis + offset}",
                    )
            axis += part.ndim
            continue
        if axis >= a.ndim:
            message = f"too many indices for tensor of dimension {a.ndim}"
            return ScriptError("IndexError", message)
        shapes.append(list(part.shape))
        outside = part[(part >= a.shape[axis]) | (part < -a.shape[axis])]
        if outside.size:
            return ScriptError(
                "IndexError",
                f"index {outside.flat[0]} is out of bounds for dimension {axis} with size "
                f"{a.shape[axis]}",
            )
        axis += 1
    if len(shapes) > 1:
        listed = ", ".join(str(shape) for shape in shapes)
        return ScriptError(
            "IndexError",
            f"shape mismatch: indexing tensors of the shapes {listed} could not be "
            "broadcast together",
        )
    return ScriptError("IndexError", str(error))


@operator("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor")
def index(self: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    a = self.array
    key = _index_key(a, indices)
    try:
        result = asarray(a[key])
    except (IndexError, ValueError) as error:
        raise _index_error(a, key, error) from None
    return Tensor(result.copy() if result.base is not None else result)


@operator("aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor")
def index_twin(self: Tensor, indices: list[Tensor]) -> Tensor:
    return index(self, indices)


@operator(
    "aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    "aten::_unsafe_index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor",
)
def unsafe_index(self: Tensor, indices: list[Tensor | None]) -> Tensor:
    """Bounds are checked here, too; only masks are refused."""
    for each in indices:
        if each is not None and each.array.dtype in (BOOL, BYTE):
            message = f"_unsafe_index found unexpected index type {scalar_name(each.array.dtype)}"
            raise ScriptError("IndexError", message)
    return index(self, indices)


@operator(
    "aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False)"
    " -> Tensor(a!)",
    "aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values,"
    " bool accumulate=False) -> Tensor(a!)",
)
def index_put_(
    self: Tensor, indices: list[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    a, source = self.array, values.array
    if a.dtype is not source.dtype:
        raise ScriptError(
            "RuntimeError",
            "Index put requires the source and destination dtypes to be one, not "
            f"{scalar_name(source.dtype)} and {scalar_name(a.dtype)}",
        )
    key = _index_key(a, indices)
    check_no_overlap(a, source)
    try:
        _check_values(a, key, source)
        if accumulate:
            add_at(a, key, source)
        else:
            a[key] = source
    except (IndexError, ValueError) as error:
        raise _put_error(a, key, source, error) from None
    return self


def _check_values(a: np.ndarray, key: tuple, source: np.ndarray) -> None:
    """ValueError if `source` has dimensions more than its places; NumPy lets those of size 1 pass."""
    indices = [part for part in key if part is not FULL]
    indexed = sum(part.ndim if part.dtype is BOOL else 1 for part in indices)
    chosen = max((1 if part.dtype is BOOL else part.ndim for part in indices), default=0)
    if source.ndim > a.ndim - indexed + chosen:
        raise ValueError("more dimensions than places")


def _put_error(a: np.ndarray, key: tuple, source: np.ndarray, error: Exception) -> ScriptError:
    try:
        target = a[key]
    except (IndexError, ValueError):
        return _index_error(a, key, error)
    return ScriptError(
        "RuntimeError",
        f"shape mismatch: value tensor of shape {list(source.shape)} cannot be broadcast "
        f"to the indexed shape {list(np.shape(target))}",
    )


@operator(
    "aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False)"
    " -> Tensor",
    "aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values,"
    " bool accumulate=False) -> Tensor",
    layout=Layout.AS_FIRST,
)
@operator(
    "aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values,"
    " bool accumulate=False) -> Tensor",
    "aten::_unsafe_index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values,"
    " bool accumulate=False) -> Tensor",
)
def index_put(
    self: Tensor, indices: list[Tensor | None], values: Tensor, accumulate: bool = False
) -> Tensor:
    return index_put_(Tensor(self.array.copy()), indices, values, accumulate)


@operator("aten::nonzero(Tensor self) -> Tensor", "aten::argwhere(Tensor self) -> Tensor")
def nonzero(self: Tensor) -> Tensor:
    a = self.array
    if a.ndim == 0:
        return Tensor(np.empty((int(bool(a)), 0), LONG))
    places = np.stack(np.nonzero(a)).T
    return Tensor(places if places.size else strided_view(places, places.shape, (1, 0), 0))


@operator("aten::nonzero_numpy(Tensor self) -> Tensor[]")
def nonzero_numpy(self: Tensor) -> list[Tensor]:
    return list(map(Tensor, np.stack(np.nonzero(np.atleast_1d(self.array)))))


@operator("aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor")
def nonzero_static(self: Tensor, size: int, fill_value: int = -1) -> Tensor:
    """The first `size` places, filled up with `fill_value`."""
    if size < 0:
        message = f"nonzero_static: 'size' must not be negative, and is {size}"
        raise ScriptError("RuntimeError", message)
    places = nonzero(self).array[:size]
    result = np.full((size, places.shape[1]), fill_value, LONG)
    result[: places.shape[0]] = places
    return Tensor(result)


out_forms(SAME, "index_put")
out_forms(
    same("index_out: self ({result}) and result ({out}) must have the same scalar type"),
    "index.Tensor",
)
out_forms(
    same("nonzero: Expected out tensor to have scalar type {result} but got scalar type{out}"),
    "nonzero",
)
out_forms(
    same(
        "nonzero_static: Expected out tensor to have scalar type {result} but got scalar type{out}"
    ),
    "nonzero_static",
)
