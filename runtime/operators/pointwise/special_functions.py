"""Special functions: error, gamma, Bessel and Airy functions, and what is made of logarithms.

The functions of one tensor stand in a table; each is declared with its ``out=`` form, some under a second name,
and those of the ``aten::erf`` kind in place as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np

from tsc.compiler.schema import Facts, Layout, Options, Promotion, ScalarExpression
from tsc.runtime.arrays.dtypes import BFLOAT16, CATEGORY, FLOAT, FLOATING, HALF
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.special import (
    airy_function,
    bessel_functions,
    error_functions,
    gamma_functions,
    incomplete_gamma,
    inverse_error_functions,
    log_gamma,
    modified_bessel_functions,
    zeta_function,
)
from tsc.runtime.operators.elementwise import (
    ALL_DTYPES,
    COMPLEX_DTYPES,
    FLOATING_DTYPES,
    NONE,
    ArrayFunction,
    Elementwise,
    binary,
    binary_number,
    not_implemented,
    number_binary,
    unary_floating,
    widened,
)
from tsc.runtime.operators.kernel_notes import noted
from tsc.runtime.operators.neural_network import softmax
from tsc.runtime.operators.out_variants import (
    CASTABLE,
    SAME_FOUND,
    castable,
    out_forms,
)
from tsc.runtime.operators.pointwise import pointwise
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.variants import in_place_forms, second_name, store
from tsc.runtime.values.tensor import Tensor, wrap

HALVES = frozenset({HALF, BFLOAT16})
ITSELF = ScalarExpression(Promotion.FLOATING)


def _sinc(x: np.ndarray) -> np.ndarray:
    product = np.multiply(x, x.dtype.type(np.pi))
    return np.where(x == 0, x.dtype.type(1), np.sin(product) / product)


def _entropy(x: np.ndarray) -> np.ndarray:
    result = np.multiply(x, np.log(x))
    np.negative(result, result)
    result[x == 0] = 0
    result[x < 0] = -np.inf
    return result


def _of_any_shape(function: ArrayFunction) -> ArrayFunction:
    return lambda x: function(np.atleast_1d(x)).reshape(x.shape)


def _called_x(kernel: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    def of_x(x: Tensor) -> Tensor:
        return kernel(x)

    return noted(of_x, expression=ITSELF)


EVERYDAY: dict[str, ArrayFunction] = {
    "erf": error_functions.erf,
    "erfc": error_functions.erfc,
    "erfinv": inverse_error_functions.erfinv,
    "lgamma": log_gamma.lgamma,
    "digamma": gamma_functions.digamma,
    "i0": modified_bessel_functions.i0,
    "sinc": _sinc,
}
"""``aten::erf``, ``aten::erf.out``, ``aten::erf_``"""

SPECIAL: dict[str, ArrayFunction] = {
    "entr": _of_any_shape(_entropy),
    "i0e": modified_bessel_functions.i0e,
    "i1": modified_bessel_functions.i1,
    "i1e": modified_bessel_functions.i1e,
    "ndtr": error_functions.ndtr,
}
"""``aten::special_entr``, ``aten::special_entr.out``"""

WITHOUT_HALVES: dict[str, ArrayFunction] = {
    "airy_ai": airy_function.airy_ai,
    "bessel_j0": bessel_functions.bessel_j0,
    "bessel_j1": bessel_functions.bessel_j1,
    "bessel_y0": bessel_functions.bessel_y0,
    "bessel_y1": bessel_functions.bessel_y1,
    "erfcx": error_functions.erfcx,
    "log_ndtr": error_functions.log_ndtr,
    "modified_bessel_i0": modified_bessel_functions.i0,
    "modified_bessel_i1": modified_bessel_functions.i1,
    "modified_bessel_k0": modified_bessel_functions.k0,
    "modified_bessel_k1": modified_bessel_functions.k1,
    "ndtri": inverse_error_functions.ndtri,
    "scaled_modified_bessel_k0": modified_bessel_functions.scaled_k0,
    "scaled_modified_bessel_k1": modified_bessel_functions.scaled_k1,
    "spherical_bessel_j0": bessel_functions.spherical_bessel_j0,
}
"""The same for functions that PyTorch has no half-precision kernels of."""

ARGUMENT_X = frozenset(
    {"airy_ai", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0"}
)
"""Functions whose argument is called x."""

COMPOSED = {
    "sinc": f"torch.where(self == 0, 1, torch.sin(self * {np.pi}) / (self * {np.pi}))",
    "entr": "torch.where(self == 0, 0, torch.where(self < 0, float('-inf'), -self * torch.log(self)))",
    "ndtr": f"torch.erfc(self * {-np.sqrt(0.5)}) / 2",
}
"""Functions in terms of basic operators."""

OTHER_NAMES = {
    "special_erf": "erf",
    "special_erfc": "erfc",
    "special_erfinv": "erfinv",
    "special_gammaln": "lgamma",
    "special_digamma": "digamma",
    "special_psi": "digamma",
    "special_i0": "i0",
    "special_sinc": "sinc",
    "special_expit": "sigmoid",
    "special_exp2": "exp2",
    "special_expm1": "expm1",
    "special_log1p": "log1p",
}

KERNELS = dict(pointwise.KERNELS)
for _name, _function in EVERYDAY.items():
    _refused = NONE if _name == "sinc" else COMPLEX_DTYPES
    _kernel_name = "digamma" if _name == "digamma" else f"{_name}_vml_cpu"
    KERNELS[_name] = unary_floating(
        widened(_function), _kernel_name, _refused, COMPOSED.get(_name, "")
    )
    _layout = Options(layout=Layout.AS_FIRST) if _name == "erf" else Options()
    operator(f"aten::{_name}(Tensor self) -> Tensor", **_layout)(KERNELS[_name])
in_place_forms(" ".join(EVERYDAY))
out_forms(CASTABLE, " ".join(EVERYDAY))
for _name, _source in OTHER_NAMES.items():
    second_name(_name, _source, "- out")
for _name, _function in (SPECIAL | WITHOUT_HALVES).items():
    _refused = COMPLEX_DTYPES | (HALVES if _name in WITHOUT_HALVES else NONE)
    _kernel = unary_floating(widened(_function), f"{_name}_cpu", _refused, COMPOSED.get(_name, ""))
    if _name in ARGUMENT_X:
        operator(f"aten::special_{_name}(Tensor x) -> Tensor")(_called_x(_kernel))
    else:
        operator(f"aten::special_{_name}(Tensor self) -> Tensor")(_kernel)
out_forms(CASTABLE, " ".join(f"special_{name}" for name in SPECIAL | WITHOUT_HALVES))

# -- Functions of two tensors, or a tensor and a number ----------------------------------------


def _x_log_y(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    product = a * np.log(b)
    return np.where(np.isnan(b), b, np.where(np.equal(a, 0), np.zeros_like(product), product))


def _x_log_1_plus_y(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    product = a * np.log1p(b)
    return np.where(np.isnan(b), b, np.where(np.equal(a, 0), np.zeros_like(product), product))


_PRODUCT = "torch.where(other != other, other, torch.where(self == 0, 0, self * torch.{}(other)))"
X_LOG_Y = Elementwise(
    _x_log_y,
    "xlogy_cpu",
    floating=True,
    refused=COMPLEX_DTYPES,
    text=_PRODUCT.format("log"),
)
X_LOG_1_PLUS_Y = Elementwise(
    _x_log_1_plus_y,
    "xlog1py_cpu",
    floating=True,
    refused=COMPLEX_DTYPES,
    text=_PRODUCT.format("log1p"),
)
ZETA = Elementwise(
    zeta_function.hurwitz_zeta, "zeta_cpu", floating=True, refused=COMPLEX_DTYPES | HALVES
)


def _declare_binary(
    name: str,
    operation: Elementwise,
    overloads: tuple[str, str, str],
    **facts: Unpack[Facts],
) -> None:
    """A function of tensors and numbers: of two tensors, a tensor and a number, a number and a tensor."""
    for overload, arguments, kernel in zip(
        overloads,
        ("Tensor self, Tensor other", "Tensor self, Scalar other", "Scalar self, Tensor other"),
        (binary(operation), binary_number(operation), number_binary(operation)),
    ):
        text = f"aten::{name}{overload}({arguments}) -> Tensor"
        operator(text, **facts)(kernel)


_declare_binary("xlogy", X_LOG_Y, (".Tensor", ".Scalar_Other", ".Scalar_Self"))
in_place_forms("xlogy.Tensor xlogy.Scalar_Other")
out_forms(
    CASTABLE,
    "xlogy.Tensor:OutTensor xlogy.Scalar_Self:OutScalar_Self xlogy.Scalar_Other:OutScalar_Other",
)
for _name, _operation in {"xlogy": X_LOG_Y, "xlog1py": X_LOG_1_PLUS_Y, "zeta": ZETA}.items():
    _name = f"special_{_name}"
    _facts = Facts(first_name="aten::xlogy") if _name == "special_xlogy" else Facts()
    _declare_binary(_name, _operation, ("", ".other_scalar", ".self_scalar"), **_facts)
    out_forms(CASTABLE, f"{_name} {_name}.self_scalar {_name}.other_scalar")

_NOT_REAL = COMPLEX_DTYPES | (ALL_DTYPES - FLOATING_DTYPES)
for _name, _other_name, _function in (
    ("igamma", "special_gammainc", incomplete_gamma.igamma),
    ("igammac", "special_gammaincc", incomplete_gamma.igammac),
):
    _kernel = binary(Elementwise(_function, f"{_name}_cpu", refused=_NOT_REAL))
    operator(f"aten::{_name}(Tensor self, Tensor other) -> Tensor")(_kernel)
    in_place_forms(_name)
    out_forms(CASTABLE, _name)
    second_name(_other_name, _name, "- out")

# -- Functions with a parameter ----------------------------------------------------------------


@operator("aten::polygamma(int n, Tensor self) -> Tensor", expression=ITSELF)
def polygamma(n: int, self: Tensor) -> Tensor:
    if n < 0:
        raise ScriptError("RuntimeError", "polygamma(n, x) does not support negative n.")
    a = _real(self.array, "trigamma" if n == 1 else "polygamma")
    return wrap(widened(lambda x: gamma_functions.polygamma(n, x))(a))


out_forms(CASTABLE, "polygamma")
second_name("special_polygamma", "polygamma", "- out")


@operator("aten::polygamma_(Tensor(a!) self, int n) -> Tensor(a!)")
def polygamma_(self: Tensor, n: int) -> Tensor:
    return store(self, polygamma(n, self).array)


@operator("aten::mvlgamma(Tensor self, int p) -> Tensor", expression=ITSELF)
def mvlgamma(self: Tensor, p: int) -> Tensor:
    if p < 1:
        raise ScriptError("RuntimeError", "p has to be greater than or equal to 1")
    a = _real(self.array, "arange_cpu")
    return wrap(widened(lambda x: gamma_functions.multigammaln(x, p))(a))


in_place_forms("mvlgamma")
out_forms(
    castable("mvlgamma: result type {result} can't be cast to the desired output type {result}"),
    "mvlgamma",
)
second_name("special_multigammaln", "mvlgamma", "- out")


def _real(a: np.ndarray, name: str) -> np.ndarray:
    """`a` as real floating-point numbers."""
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented(name, a.dtype)
    return a if CATEGORY[a.dtype] == FLOATING else a.astype(FLOAT)


_CLAMPED = "torch.clamp_max(torch.clamp_min(self, eps), 1 - eps)"


@operator(
    "aten::logit(Tensor self, float? eps=None) -> Tensor",
    expression=ScalarExpression(
        Promotion.FLOATING,
        "torch.log(self / (1 - self)) if eps is None else "
        f"torch.log({_CLAMPED} / (1 - {_CLAMPED}))",
    ),
)
def logit(self: Tensor, eps: float | None = None) -> Tensor:
    def of_wide(x: np.ndarray) -> np.ndarray:
        if eps is not None:
            x = np.minimum(np.maximum(x, x.dtype.type(eps)), x.dtype.type(1 - eps))
        return np.log(x / (1 - x))

    return wrap(widened(of_wide)(_real(self.array, "logit_cpu")))


in_place_forms("logit")
out_forms(CASTABLE, "logit")
second_name("special_logit", "logit", "- out")


@operator("aten::special_round(Tensor self, *, int decimals=0) -> Tensor", first_name="aten::round")
def special_round(self: Tensor, decimals: int = 0) -> Tensor:
    return pointwise.round_decimals(self, decimals) if decimals else pointwise.round_(self)


out_forms(SAME_FOUND, "special_round")


# -- Other names -------------------------------------------------------------------------------

operator(
    "aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
    first_name="aten::softmax",
)(softmax.softmax)
operator(
    "aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
    first_name="aten::log_softmax",
)(softmax.log_softmax)
second_name("special_logsumexp", "logsumexp", "- out")
