"""Orthogonal polynomials: of tensors, or of a tensor and a number for the degree or the argument."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import BFLOAT16, HALF
from tsc.runtime.arrays.type_promotion import Number
from tsc.runtime.numerics.special import orthogonal_polynomials as polynomials
from tsc.runtime.operators.elementwise import (
    COMPLEX_DTYPES,
    ArrayFunction,
    Elementwise,
    binary,
    binary_number,
    number_binary,
)
from tsc.runtime.operators.out_variants import CASTABLE, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

POLYNOMIALS: dict[str, ArrayFunction] = {
    "chebyshev_polynomial_t": polynomials.chebyshev_t,
    "chebyshev_polynomial_u": polynomials.chebyshev_u,
    "chebyshev_polynomial_v": polynomials.chebyshev_v,
    "chebyshev_polynomial_w": polynomials.chebyshev_w,
    "hermite_polynomial_h": polynomials.hermite_h,
    "hermite_polynomial_he": polynomials.hermite_he,
    "laguerre_polynomial_l": polynomials.laguerre_l,
    "legendre_polynomial_p": polynomials.legendre_p,
    "shifted_chebyshev_polynomial_t": polynomials.chebyshev_t.shifted,
    "shifted_chebyshev_polynomial_u": polynomials.chebyshev_u.shifted,
    "shifted_chebyshev_polynomial_v": polynomials.chebyshev_v.shifted,
    "shifted_chebyshev_polynomial_w": polynomials.chebyshev_w.shifted,
}


def _of_any_shape(function: ArrayFunction) -> ArrayFunction:
    """`function`, which takes arrays with dimensions."""

    def on_any(x: np.ndarray, n: np.ndarray) -> np.ndarray:
        shape = np.broadcast_shapes(x.shape, n.shape)
        return function(np.atleast_1d(x), np.atleast_1d(n)).reshape(shape)

    return on_any


def _declare(name: str, function: ArrayFunction) -> None:
    operation = Elementwise(
        _of_any_shape(function),
        f"{name}_cpu",
        floating=True,
        refused=COMPLEX_DTYPES | {HALF, BFLOAT16},
    )
    of_tensors = binary(operation)
    of_number = number_binary(operation)
    of_degree = binary_number(operation)

    @operator(
        f"aten::special_{name}(Tensor x, Tensor n) -> Tensor", expression=operation.expression
    )
    def tensors(x: Tensor, n: Tensor) -> Tensor:
        return of_tensors(x, n)

    out_forms(CASTABLE, f"special_{name}")

    @operator(
        f"aten::special_{name}.x_scalar(Scalar x, Tensor n) -> Tensor",
        expression=operation.expression,
    )
    def number(x: Number, n: Tensor) -> Tensor:
        return of_number(x, n)

    out_forms(CASTABLE, f"special_{name}.x_scalar")

    @operator(
        f"aten::special_{name}.n_scalar(Tensor x, Scalar n) -> Tensor",
        expression=operation.expression,
    )
    def degree(x: Tensor, n: Number) -> Tensor:
        return of_degree(x, n)

    out_forms(CASTABLE, f"special_{name}.n_scalar")


for _name, _function in POLYNOMIALS.items():
    _declare(_name, _function)
