"""Margins around tensors: constant, reflected, replicated and circular."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Layout, Options
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.arrays.type_promotion import Number, checked_number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.padding import surrounded
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

REFLECT, REPLICATE, CIRCULAR, CONSTANT = range(4)
_MODES = {"reflect": REFLECT, "replicate": REPLICATE, "circular": CIRCULAR, "constant": CONSTANT}
_NAMES = {REFLECT: "reflect", REPLICATE: "replicate", CIRCULAR: "circular"}
_KERNELS = {REFLECT: "reflection_pad", REPLICATE: "replication_pad"}


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _margins(pad: Sequence[int], ndim: int) -> list[tuple[int, int]]:
    """(before, after) of every dimension; `pad` begins with the last one."""
    pairs = list(zip(pad[::2], pad[1::2]))
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


@operator(
    "aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
    layout=Layout.AS_IMAGES,
)
def constant_pad_nd(self: Tensor, pad: list[int], value: Number = 0) -> Tensor:
    """Negative margins crop."""
    a = self.array
    if len(pad) % 2:
        _refuse(f"Length of pad must be even, two numbers a dimension, not {len(pad)}")
    if len(pad) > 2 * a.ndim:
        _refuse(
            "Length of pad should be no more than twice the dimensions: "
            f"{len(pad)} numbers for {a.ndim} dimensions"
        )
    margins = _margins(pad, a.ndim)
    cropped = [n + min(before, 0) + min(after, 0) for n, (before, after) in zip(a.shape, margins)]
    if any(extent < 0 for extent in cropped):
        _refuse("narrow(): length must be non-negative.")
    extents = [n + max(before, 0) + max(after, 0) for n, (before, after) in zip(cropped, margins)]
    result = np.empty(extents, a.dtype)
    result[...] = checked_number_array(value, a.dtype)
    source = tuple(slice(max(-b, 0), max(-b, 0) + n) for n, (b, _) in zip(cropped, margins))
    target = tuple(slice(max(b, 0), max(b, 0) + n) for n, (b, _) in zip(cropped, margins))
    result[target] = a[source]
    return Tensor(result)


def _check_shape(a: np.ndarray, spatial: int) -> None:
    if a.ndim not in (spatial + 1, spatial + 2) or 0 in a.shape[-spatial - 1 :]:
        _refuse(
            f"Expected {spatial + 1}D or {spatial + 2}D (batch mode) tensor, in which only the "
            f"batch may be empty, not one of the shape {list(a.shape)}"
        )


def _check_reflection(a: np.ndarray, margins: Sequence[tuple[int, int]], spatial: int) -> None:
    for axis in range(a.ndim - 1, a.ndim - 1 - spatial, -1):
        before, after = margins[axis]
        if max(before, after) >= a.shape[axis]:
            number = 4 + 2 * (a.ndim - 1 - axis)
            _refuse(
                f"Argument #{number}: Padding size should be less than the corresponding input: "
                f"({before}, {after}) for dimension {axis} of {list(a.shape)}"
            )


def _check_sizes(a: np.ndarray, margins: Sequence[tuple[int, int]], spatial: int) -> None:
    sizes = [n + before + after for n, (before, after) in zip(a.shape, margins)]
    if spatial == 1 and sizes[-1] < 1:
        _refuse(f"input (W: {a.shape[-1]}) is too small. Calculated output W: {sizes[-1]}")
    if min(sizes) < 0:
        _refuse(f"Trying to create tensor with negative dimension {min(sizes)}: {sizes}")


def _surrounded(a: np.ndarray, pad: Sequence[int], mode: int) -> Tensor:
    """Reflected or replicated margins of as many dimensions as `pad` has pairs."""
    spatial = len(pad) // 2
    _check_shape(a, spatial)
    margins = _margins(pad, a.ndim)
    if mode == REFLECT:
        _check_reflection(a, margins, spatial)
    _check_sizes(a, margins, spatial)
    if a.dtype is BOOL:
        raise not_implemented(f"{_KERNELS[mode]}{spatial}d", a.dtype)
    return Tensor(surrounded(a, margins, _NAMES[mode]))


@operator("aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor")
def pad_circular(self: Tensor, pad: list[int]) -> Tensor:
    a = self.array
    if len(pad) // 2 not in (a.ndim - 1, a.ndim - 2):
        _refuse(
            "Invalid padding size, expected 1 or 2 non-padded dimensions, which would be "
            f"equivalent to padding of length {2 * (a.ndim - 1)} or {2 * (a.ndim - 2)} "
            f"respectively but got {len(pad)}"
        )
    margins = _margins(pad, a.ndim)
    for extent, margin in zip(a.shape, margins):
        if max(margin) > extent:
            _refuse(
                f"Padding value causes wrapping around more than once: {max(margin)} for a "
                f"dimension of size {extent}"
            )
        if extent + sum(margin) < 0:
            _refuse(
                f"Negative padding value takes more than there is: {tuple(margin)} for a dimension "
                f"of size {extent}"
            )
    sizes = [n + before + after for n, (before, after) in zip(a.shape, margins)]
    if 0 in sizes:
        return Tensor(np.empty(sizes, a.dtype))
    kept = [n + min(before, 0) + min(after, 0) for n, (before, after) in zip(a.shape, margins)]
    if min(kept) <= 0:
        _refuse("Negative padding leaves nothing that margins could wrap around")
    return Tensor(surrounded(a, margins, "circular"))


@operator("aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor")
def pad_enum(self: Tensor, pad: list[int], mode: int, value: float | None = None) -> Tensor:
    """Modes by their numbers: reflect, replicate, circular, constant."""
    a = self.array
    if len(pad) % 2:
        _refuse("Padding length must be divisible by 2")
    if len(pad) > 2 * a.ndim:
        _refuse(
            "Padding length should be two times the dimensions at most: "
            f"{len(pad)} numbers for {a.ndim} dimensions"
        )
    if mode == CONSTANT:
        return constant_pad_nd(self, pad, 0 if value is None else value)
    if mode in _NAMES and value is not None and value != 0:
        _refuse(f'Padding mode "{_NAMES[mode]}" doesn\'t take in value argument')
    spatial = len(pad) // 2
    if mode in _NAMES and 1 <= spatial <= 3 and a.ndim in (spatial + 1, spatial + 2):
        return pad_circular(self, pad) if mode == CIRCULAR else _surrounded(a, pad, mode)
    raise ScriptError(
        "NotImplementedError",
        f"Padding size {len(pad)} is not supported for {a.ndim}D input tensor.",
    )


@operator(
    'aten::pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor',
    layout=Layout.AS_IMAGES,
)
def pad(self: Tensor, pad: list[int], mode: str = "constant", value: float | None = None) -> Tensor:
    if mode not in _MODES:
        raise ScriptError("NotImplementedError", f"Unrecognised padding mode {mode}")
    return pad_enum(self, pad, _MODES[mode], value)


def _declare(mode: int, spatial: int) -> None:
    def kernel(self: Tensor, padding: list[int]) -> Tensor:
        if len(padding) != 2 * spatial:
            found = f", but got: {len(padding)}" if mode == REFLECT else ""
            _refuse(f"padding size is expected to be {2 * spatial}{found}")
        return _surrounded(self.array, padding, mode)

    operator(
        f"aten::{_KERNELS[mode]}{spatial}d(Tensor self, SymInt[{2 * spatial}] padding) -> Tensor",
        **(Options(layout=Layout.AS_IMAGES) if spatial == 2 else Options()),
    )(kernel)


for _spatial in (1, 2, 3):
    _declare(REFLECT, _spatial)
    _declare(REPLICATE, _spatial)

out_forms(
    SAME,
    """
    constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d
    replication_pad2d replication_pad3d
    """,
)
