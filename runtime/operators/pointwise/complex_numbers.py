"""Complex numbers: their parts, and views of them as pairs of real numbers."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import check_broadcast
from tsc.runtime.arrays.dtypes import (
    CATEGORY,
    COMPLEX,
    DOUBLE,
    FLOAT,
    HALF,
    scalar_name,
)
from tsc.runtime.arrays.storage import storage_offset
from tsc.runtime.arrays.type_promotion import complex_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import FLOATING_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import CASTABLE, SAME_FOUND, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms
from tsc.runtime.values.tensor import Tensor, wrap

PARTS = frozenset({HALF, FLOAT, DOUBLE})
"""The dtypes of real and imaginary parts."""


@operator("aten::real(Tensor(a) self) -> Tensor(a)")
def real(self: Tensor) -> Tensor:
    return Tensor(self.array.real) if CATEGORY[self.array.dtype] == COMPLEX else self


@operator("aten::imag(Tensor(a) self) -> Tensor(a)")
def imag(self: Tensor) -> Tensor:
    if CATEGORY[self.array.dtype] != COMPLEX:
        message = (
            "imag is not implemented for tensors of real dtype, as of "
            f"{scalar_name(self.array.dtype)}"
        )
        raise ScriptError("RuntimeError", message)
    return Tensor(self.array.imag)


@operator("aten::conj(Tensor(a) self) -> Tensor(a)")
def conj(self: Tensor) -> Tensor:
    return wrap(np.conj(self.array)) if CATEGORY[self.array.dtype] == COMPLEX else self


@operator("aten::resolve_conj(Tensor(a) self) -> Tensor(a)")
def resolve_conj(self: Tensor) -> Tensor:
    return self


@operator("aten::angle(Tensor self) -> Tensor")
def angle(self: Tensor) -> Tensor:
    a = self.array
    if CATEGORY[a.dtype] == COMPLEX:
        return wrap(np.arctan2(a.imag, a.real))
    a = a if a.dtype in FLOATING_DTYPES else a.astype(FLOAT)
    pi, zero = np.array(np.pi, a.dtype), np.array(0, a.dtype)
    return wrap(np.where(np.isnan(a), a, np.where(np.less(a, 0), pi, zero)))


def _check_parts(*dtypes: np.dtype) -> None:
    """Complex numbers are made of these dtypes alone."""
    if not PARTS.issuperset(dtypes):
        raise ScriptError(
            "RuntimeError",
            "Expected both inputs to be Half, Float or Double tensors but got "
            + " and ".join(map(scalar_name, dtypes)),
        )


@operator("aten::complex(Tensor real, Tensor imag) -> Tensor", layout=Layout.AS_OPERANDS)
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    _check_parts(real.array.dtype, imag.array.dtype)
    if real.array.dtype is not imag.array.dtype:
        raise ScriptError(
            "RuntimeError",
            "Expected object of scalar type "
            f"{scalar_name(real.array.dtype)} but got scalar type "
            f"{scalar_name(imag.array.dtype)} for second argument",
        )
    check_broadcast(real.array, imag.array)
    shape = np.broadcast_shapes(real.array.shape, imag.array.shape)
    result = np.empty(shape, complex_dtype(real.array.dtype))
    result.real, result.imag = real.array, imag.array
    return Tensor(result)


@operator("aten::polar(Tensor abs, Tensor angle) -> Tensor", layout=Layout.AS_OPERANDS)
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    magnitude, phase = abs.array, angle.array
    _check_parts(magnitude.dtype, phase.dtype)
    if magnitude.dtype is HALF:
        raise not_implemented("polar_cpu", HALF)
    return complex_(wrap(magnitude * np.cos(phase)), wrap(magnitude * np.sin(phase)))


@operator("aten::view_as_real(Tensor(a) self) -> Tensor(a)")
def view_as_real(self: Tensor) -> Tensor:
    a = self.array
    if CATEGORY[a.dtype] != COMPLEX:
        raise ScriptError(
            "RuntimeError",
            f"view_as_real is only supported for complex dtypes, not {scalar_name(a.dtype)}",
        )
    return Tensor(a[..., np.newaxis].view(a.real.dtype))


@operator("aten::view_as_complex(Tensor(a) self) -> Tensor(a)")
def view_as_complex(self: Tensor) -> Tensor:
    a = self.array
    if a.dtype not in PARTS:
        raise ScriptError(
            "RuntimeError",
            "view_as_complex is only supported for Half, Float and Double, not "
            f"{scalar_name(a.dtype)}",
        )
    if a.ndim == 0:
        raise ScriptError(
            "RuntimeError",
            "Input tensor must have a dimension of size 2 for view_as_complex, and it has none",
        )
    if a.shape[-1] != 2:
        raise ScriptError("RuntimeError", "Tensor must have a last dimension of size 2")
    if a.strides[-1] != a.itemsize:
        raise ScriptError(
            "RuntimeError", "Tensor must have a last dimension of stride 1. Take its contiguous()."
        )
    if any(stride % (2 * a.itemsize) for stride in a.strides[:-1]):
        message = (
            "Tensor must have a stride divisible by 2 in all dimensions but the last. Take "
            "its contiguous()."
        )
        raise ScriptError("RuntimeError", message)
    if storage_offset(a) % 2:
        raise ScriptError(
            "RuntimeError", "Tensor must have a storage_offset that is even. Take its clone()."
        )
    if a.dtype is HALF:
        a = a.astype(FLOAT)
    return Tensor(a.view(complex_dtype(a.dtype))[..., 0])


@operator("aten::resolve_neg(Tensor(a) self) -> Tensor(a)")
def resolve_neg(self: Tensor) -> Tensor:
    return self


operator("aten::conj_physical(Tensor self) -> Tensor")(conj)
operator("aten::_conj(Tensor(a) self) -> Tensor(a)")(conj)


@operator("aten::isreal(Tensor self) -> Tensor")
def isreal(self: Tensor) -> Tensor:
    return wrap(np.isreal(self.array))


in_place_forms("conj_physical")

out_forms(CASTABLE, "angle")
out_forms(SAME_FOUND, "conj_physical")
out_forms(
    same("Expected object of scalar type {result} but got scalar type {out} for argument 'out'"),
    "complex polar",
)
