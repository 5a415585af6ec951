"""Fourier transforms over one and several dimensions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tsc.runtime.arrays.dimensions import wrap_dimension
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    COMPLEX,
    COMPLEX_OF_REAL,
    DEFAULT_DTYPE,
    FLOATING,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import LOW_PRECISION
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics import fourier_transforms as transforms
from tsc.runtime.operators.creation.creation import OPTIONS, numpy_dtype
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import (
    ANY_DTYPE,
    FACTORY,
    complex_only,
    out_forms,
    real_floating,
)
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

NORMS = (None, "backward", "forward", "ortho")


def _refuse(message: str) -> ScriptError:
    return ScriptError("RuntimeError", message)


def _argument(a: np.ndarray, norm: str | None = None) -> np.ndarray:
    """The numbers to transform: integers become the default dtype."""
    if norm not in NORMS:
        raise _refuse(f'Invalid normalization mode: "{norm}"')
    if a.dtype in LOW_PRECISION:
        raise _refuse(f"Unsupported dtype {scalar_name(a.dtype)}")
    return a if CATEGORY[a.dtype] >= FLOATING else a.astype(DEFAULT_DTYPE)


def _check_count(count: int) -> None:
    if count < 1:
        raise _refuse(f"Invalid number of data points ({count}) specified")


def _is_complex(a: np.ndarray) -> bool:
    return CATEGORY[a.dtype] == COMPLEX


# -- One dimension -----------------------------------------------------------------------------


def _declare_one(
    name: str, function: Callable[..., np.ndarray], *, real: bool = False, halved: bool = False
) -> None:
    """`real` is the argument, or `halved`: its second half is left out, being the first's mirror."""

    def transform(
        self: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None
    ) -> Tensor:
        a = self.array
        if real and _is_complex(a):
            message = f"{name} expects a real input tensor, but got {scalar_name(a.dtype)}"
            raise _refuse(message)
        a = _argument(a, norm)
        if a.ndim == 0:
            raise ScriptError(
                "IndexError", f"Dimension specified as {dim} but tensor has no dimensions"
            )
        axis = wrap_dimension(dim, a.ndim)
        default = 2 * (a.shape[axis] - 1) if halved else a.shape[axis]
        count = default if n is None else n
        _check_count(count)
        return Tensor(function(a, count, axis, norm))

    operator(
        f"aten::fft_{name}(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor"
    )(transform)


_declare_one("fft", transforms.fft)
_declare_one("ifft", transforms.ifft)
_declare_one("rfft", transforms.rfft, real=True)
_declare_one("irfft", transforms.irfft, halved=True)
_declare_one("hfft", transforms.hfft, halved=True)
_declare_one("ihfft", transforms.ihfft, real=True)

# -- Several dimensions ------------------------------------------------------------------------

Sizes = list[int] | None


def _shape_and_axes(
    a: np.ndarray, s: Sizes, dim: Sizes, *, halved: bool = False
) -> tuple[list[int], list[int]]:
    """How many points to transform, and over which dimensions; the last is doubled if `halved`."""
    axes = [] if dim is None else [wrap_dimension(each, a.ndim) for each in dim]
    if len(set(axes)) != len(axes):
        raise _refuse("FFT dims must be unique")
    if s is not None:
        if dim is not None and len(s) != len(dim):
            raise _refuse(
                "dim and shape arguments must have the same length: "
                f"{len(s)} sizes for {len(dim)} dimensions"
            )
        if len(s) > a.ndim:
            message = f"Got shape with {len(s)} values but input tensor only has {a.ndim}"
            raise _refuse(f"{message} dimensions.")
    if dim is None:
        axes = list(range(a.ndim - (a.ndim if s is None else len(s)), a.ndim))
    given = [-1] * len(axes) if s is None else s
    shape = [a.shape[axis] if n == -1 else n for n, axis in zip(given, axes)]
    for count in shape:
        _check_count(count)
    if halved and shape and given[-1] == -1:
        shape[-1] = 2 * (shape[-1] - 1)
        _check_count(shape[-1])
    return shape, axes


def _check_some(name: str, axes: list[int]) -> None:
    if not axes:
        raise _refuse(f"{name} must transform at least one axis")


def _over(
    function: Callable[..., np.ndarray],
    a: np.ndarray,
    shape: list[int],
    axes: list[int],
    norm: str | None,
) -> np.ndarray:
    """`function` of several dimensions, over those of `axes`, which may be none."""
    return function(a, shape, axes, norm) if axes else a


def _complex_transform(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    def transform(name: str, a: np.ndarray, s: Sizes, dim: Sizes, norm: str | None) -> np.ndarray:
        a = _argument(a, norm)
        shape, axes = _shape_and_axes(a, s, dim)
        complex_dtype = COMPLEX_OF_REAL.get(a.dtype, a.dtype)
        return _over(function, a, shape, axes, norm).astype(complex_dtype, copy=False)

    return transform


def _of_real(name: str, a: np.ndarray, s: Sizes, dim: Sizes, norm: str | None) -> np.ndarray:
    """``rfftn``"""
    if _is_complex(a):
        message = f"{name} expects a real-valued input, not {scalar_name(a.dtype)}; for complex "
        message += f"ones there is {name.lstrip('r')}"
        raise _refuse(message)
    a = _argument(a, norm)
    shape, axes = _shape_and_axes(a, s, dim)
    _check_some(name, axes)
    half = transforms.rfft(a, shape[-1], axes[-1], norm)
    return _over(transforms.fftn, half, shape[:-1], axes[:-1], norm)


def _to_real(name: str, a: np.ndarray, s: Sizes, dim: Sizes, norm: str | None) -> np.ndarray:
    """``irfftn``"""
    a = _argument(a, norm)
    shape, axes = _shape_and_axes(a, s, dim, halved=True)
    _check_some(name, axes)
    a = _over(transforms.ifftn, a, shape[:-1], axes[:-1], norm)
    return transforms.irfft(a, shape[-1], axes[-1], norm)


def _of_hermitian(name: str, a: np.ndarray, s: Sizes, dim: Sizes, norm: str | None) -> np.ndarray:
    """``hfftn``"""
    a = _argument(a, norm)
    shape, axes = _shape_and_axes(a, s, dim, halved=True)
    _check_some(name, axes)
    a = _over(transforms.fftn, a, shape[:-1], axes[:-1], norm)
    return transforms.hfft(a, shape[-1], axes[-1], norm)


def _to_hermitian(name: str, a: np.ndarray, s: Sizes, dim: Sizes, norm: str | None) -> np.ndarray:
    """``ihfftn``"""
    shape, axes = _shape_and_axes(a, s, dim)
    _check_some(name, axes)
    if _is_complex(a):
        message = f"Only supports floating-point dtypes, not {scalar_name(a.dtype)}"
        raise _refuse(message)
    half = transforms.ihfft(_argument(a, norm), shape[-1], axes[-1], norm)
    return _over(transforms.ifftn, half, shape[:-1], axes[:-1], norm)


def _declare_several(name: str, function: Callable[..., np.ndarray]) -> None:
    def over_any(
        self: Tensor, s: Sizes = None, dim: Sizes = None, norm: str | None = None
    ) -> Tensor:
        return Tensor(np.asarray(function(f"{name}n", self.array, s, dim, norm)))

    def over_last_two(
        self: Tensor,
        s: Sizes = None,
        dim: list[int] | tuple[int, ...] = (-2, -1),
        norm: str | None = None,
    ) -> Tensor:
        return over_any(self, s, list(dim), norm)

    operator(
        f"aten::fft_{name}2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1],"
        " str? norm=None) -> Tensor"
    )(over_last_two)
    operator(
        f"aten::fft_{name}n(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None)"
        " -> Tensor"
    )(over_any)


_declare_several("fft", _complex_transform(transforms.fftn))
_declare_several("ifft", _complex_transform(transforms.ifftn))
_declare_several("rfft", _of_real)
_declare_several("irfft", _to_real)
_declare_several("hfft", _of_hermitian)
_declare_several("ihfft", _to_hermitian)

# -- What the transforms are made of -----------------------------------------------------------

_SCALES = ("backward", "ortho", "forward")
"""By number: no division, by the root of the number of points, by their number."""


def _scale(normalization: int, *, forward: bool) -> str:
    norm = _SCALES[normalization]
    if forward or norm == "ortho":
        return norm
    return "forward" if norm == "backward" else "backward"


@operator("aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor")
def complex_to_complex(self: Tensor, dim: list[int], normalization: int, forward: bool) -> Tensor:
    function = transforms.fftn if forward else transforms.ifftn
    a = _argument(self.array)
    return Tensor(function(a, None, dim, _scale(normalization, forward=forward)))


@operator("aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor")
def real_to_complex(self: Tensor, dim: list[int], normalization: int, onesided: bool) -> Tensor:
    function = transforms.rfftn if onesided else transforms.fftn
    a = _argument(self.array)
    return Tensor(function(a, None, dim, _scale(normalization, forward=True)))


@operator(
    "aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor"
)
def complex_to_real(self: Tensor, dim: list[int], normalization: int, last_dim_size: int) -> Tensor:
    a = _argument(self.array)
    shape = [*(a.shape[axis] for axis in dim[:-1]), last_dim_size]
    norm = _scale(normalization, forward=False)
    return Tensor(transforms.irfftn(a, shape, dim, norm))


# -- Frequencies -------------------------------------------------------------------------------


def _frequency_dtype(name: str, dtype: int | None) -> np.dtype:
    target = numpy_dtype(dtype)
    if CATEGORY[target] < FLOATING:
        raise _refuse(f"{name} requires a floating point or complex dtype")
    if CATEGORY[target] == COMPLEX:
        raise not_implemented("arange_cpu", target)
    return target


def _frequencies(numbers: np.ndarray, n: int, d: float, dtype: np.dtype) -> Tensor:
    return Tensor(numbers.astype(dtype) * dtype.type(1.0 / (n * d) if n * d else np.inf))


@operator(f"aten::fft_fftfreq(int n, float d=1., *, {OPTIONS}) -> Tensor")
def fft_fftfreq(n, d=1.0, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    target = _frequency_dtype("fftfreq", dtype)
    numbers = np.arange(n)
    return _frequencies(np.where(numbers < (n + 1) // 2, numbers, numbers - n), n, d, target)


@operator(f"aten::fft_rfftfreq(int n, float d=1., *, {OPTIONS}) -> Tensor")
def fft_rfftfreq(n, d=1.0, dtype=None, layout=None, device=None, pin_memory=None) -> Tensor:
    target = _frequency_dtype("rfftfreq", dtype)
    return _frequencies(np.arange(n // 2 + 1), n, d, target)


def _shifted(self: Tensor, dim: Sizes, shift: Callable[..., np.ndarray]) -> Tensor:
    a = self.array
    axes = range(a.ndim) if dim is None else [wrap_dimension(each, a.ndim) for each in dim]
    return Tensor(shift(a, tuple(axes)))


@operator("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor")
def fft_fftshift(self: Tensor, dim: list[int] | None = None) -> Tensor:
    return _shifted(self, dim, np.fft.fftshift)


@operator("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor")
def fft_ifftshift(self: Tensor, dim: list[int] | None = None) -> Tensor:
    return _shifted(self, dim, np.fft.ifftshift)


out_forms(FACTORY, "fft_fftfreq fft_rfftfreq")
out_forms(complex_only("fft expects a complex output tensor, but got {out}"), "fft_fft")
out_forms(
    complex_only("fftn expects a complex output tensor, but got {out}"),
    "fft_fft2 fft_fftn fft_ifft2 fft_ifftn",
)
out_forms(real_floating("hfft expects a floating point output tensor, but got {out}"), "fft_hfft")
out_forms(
    real_floating("hfftn expects a floating point output tensor, but got {out}"),
    "fft_hfft2 fft_hfftn",
)
out_forms(
    complex_only("ihfftn expects a complex output tensor, but got {out}"), "fft_ihfft2 fft_ihfftn"
)
out_forms(complex_only("ifft expects a complex output tensor, but got {out}"), "fft_ifft")
out_forms(complex_only("ihfft expects a complex output tensor, but got {out}"), "fft_ihfft")
out_forms(real_floating("irfft expects a floating point output tensor, but got {out}"), "fft_irfft")
out_forms(
    real_floating("irfftn expects a floating point output tensor, but got {out}"),
    "fft_irfft2 fft_irfftn",
)
out_forms(complex_only("rfft expects a complex output tensor, but got {out}"), "fft_rfft")
out_forms(
    complex_only("rfftn expects a complex output tensor, but got {out}"), "fft_rfft2 fft_rfftn"
)
out_forms(ANY_DTYPE, "_fft_c2c _fft_c2r _fft_r2c")
