"""Gradients of sampled functions by central differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimensions
from tsc.runtime.arrays.dtypes import BOOL, BYTE
from tsc.runtime.arrays.type_promotion import Number, floating_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray


def _gradients(
    self: Tensor, spacing: Sequence[Number | np.ndarray], dims: Sequence[int], edge_order: int
) -> list[Tensor]:
    """The gradient along each of `dims`, whose samples are spaced by numbers or have coordinates."""
    a = self.array
    axes = wrap_dimensions(dims, a.ndim)
    _check(a, axes, edge_order)
    dtype = floating_dtype(a.dtype)
    values = a.astype(dtype, copy=False)
    order = 1 if edge_order == 1 else 2
    return [
        Tensor(asarray(np.gradient(values, step, axis=axis, edge_order=order)).astype(dtype))
        for axis, step in zip(axes, spacing)
    ]


def _check(a: np.ndarray, axes: tuple[int, ...], edge_order: int) -> None:
    if a.dtype is BYTE:
        message = "torch.gradient does not support uint8 input."
    elif a.dtype is BOOL:
        message = (
            "Subtraction, the `-` operator, of two bool tensors is not supported: use "
            "`^` or `logical_xor()`"
        )
    elif edge_order not in (1, 2):
        message = f"torch.gradient only supports edge_order=1 and edge_order=2, not {edge_order}"
    elif any(a.shape[axis] < edge_order + 1 for axis in axes):
        message = (
            f"torch.gradient expected each dimension size to be at least {edge_order + 1} for "
            f"edge_order={edge_order}"
        )
    else:
        return
    raise ScriptError("RuntimeError", message)


def _dimensions(self: Tensor, dim: int | None) -> list[int]:
    return list(range(self.array.ndim)) if dim is None else [dim]


def _check_count(self: Tensor, spacing: Sequence[object], dim: Sequence[int] | int | None) -> None:
    if dim is None:
        expected, told = self.array.ndim, f"'self.dim() = {self.array.ndim}'"
        reason = "since dim argument was not given"
    else:
        expected = 1 if isinstance(dim, int) else len(dim)
        told, reason = f"'dim' list of length {expected}", "since dim argument was given"
    if len(spacing) != expected:
        raise ScriptError(
            "RuntimeError",
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length "
            f"equal to {told}, {reason}, but got a list of length {len(spacing)}",
        )


@operator(
    "aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None,"
    " int edge_order=1) -> Tensor[]"
)
def gradient(
    self: Tensor, spacing: Number | None = None, dim: int | None = None, edge_order: int = 1
) -> list[Tensor]:
    dims = _dimensions(self, dim)
    return _gradients(self, [1 if spacing is None else spacing] * len(dims), dims, edge_order)


@operator(
    "aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1)"
    " -> Tensor[]"
)
def gradient_along(
    self: Tensor, spacing: Number, dim: list[int], edge_order: int = 1
) -> list[Tensor]:
    return _gradients(self, [spacing] * len(dim), dim, edge_order)


@operator("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]")
def gradient_of_unit_steps(self: Tensor, dim: list[int], edge_order: int = 1) -> list[Tensor]:
    return gradient_along(self, 1, dim, edge_order)


@operator(
    "aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None,"
    " int edge_order=1) -> Tensor[]"
)
def gradient_of_steps(
    self: Tensor, spacing: list[Number], dim: int | None = None, edge_order: int = 1
) -> list[Tensor]:
    _check_count(self, spacing, dim)
    return _gradients(self, spacing, _dimensions(self, dim), edge_order)


@operator(
    "aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim,"
    " int edge_order=1) -> Tensor[]"
)
def gradient_along_with_steps(
    self: Tensor, spacing: list[Number], dim: list[int], edge_order: int = 1
) -> list[Tensor]:
    _check_count(self, spacing, dim)
    return _gradients(self, spacing, dim, edge_order)


def _coordinates(self: Tensor, spacing: list[Tensor], dims: Sequence[int]) -> list[np.ndarray]:
    """The coordinates of the samples along each of `dims`."""
    coordinates = [each.array.astype(floating_dtype(each.array.dtype)) for each in spacing]
    for dim, each in zip(wrap_dimensions(dims, self.array.ndim), coordinates):
        if each.shape != (self.array.shape[dim],):
            raise ScriptError(
                "RuntimeError",
                f"torch.gradient: the coordinates of dimension {dim}, which has size "
                f"{self.array.shape[dim]}, have shape {list(each.shape)}",
            )
    return coordinates


@operator(
    "aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None,"
    " int edge_order=1) -> Tensor[]"
)
def gradient_at(
    self: Tensor, spacing: list[Tensor], dim: int | None = None, edge_order: int = 1
) -> list[Tensor]:
    _check_count(self, spacing, dim)
    dims = _dimensions(self, dim)
    return _gradients(self, _coordinates(self, spacing, dims), dims, edge_order)


@operator(
    "aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1)"
    " -> Tensor[]"
)
def gradient_along_at(
    self: Tensor, spacing: list[Tensor], dim: list[int], edge_order: int = 1
) -> list[Tensor]:
    _check_count(self, spacing, dim)
    return _gradients(self, _coordinates(self, spacing, dim), dim, edge_order)
