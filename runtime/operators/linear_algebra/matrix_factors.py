"""Decompositions of matrices: Cholesky, QR, singular values, eigenvalues (on NumPy's LAPACK)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar, cast

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dtypes import COMPLEX_OF_REAL
from tsc.runtime.numerics.linear_algebra import householder
from tsc.runtime.numerics.linear_algebra.columns import as_stack, column_copy
from tsc.runtime.operators.linear_algebra.matrix_checks import (
    check_floating,
    check_has_kernel,
    check_matrix,
    check_same_dtype,
    check_square,
    check_status,
    refuse,
)
from tsc.runtime.operators.out_variants import SAME, out_forms, safely_castable, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

INT = np.dtype(np.int32)

# -- Cholesky ----------------------------------------------------------------------------------

_NOT_POSITIVE_DEFINITE = (
    "The factorization could not be completed because the input is not positive-definite "
    "(the leading minor of order {} is not positive-definite)."
)


def cholesky_of(a: np.ndarray, upper: bool) -> tuple[np.ndarray, np.ndarray]:
    """The factor and the status; only one triangle of `a` is looked at."""
    lower = a.conj().swapaxes(-1, -2) if upper else a
    try:
        factor, status = np.linalg.cholesky(lower), np.zeros(a.shape[:-2], INT)
    except np.linalg.LinAlgError:
        pairs = [_cholesky_as_far_as_possible(matrix) for matrix in as_stack(lower)]
        factor = np.array([pair[0] for pair in pairs]).reshape(a.shape)
        status = np.array([pair[1] for pair in pairs], INT).reshape(a.shape[:-2])
    return (factor.conj().swapaxes(-1, -2).copy() if upper else factor), status


def _cholesky_as_far_as_possible(a: np.ndarray) -> tuple[np.ndarray, int]:
    """The factor of the largest leading part that has one, and the order of the first that has not."""
    good, bad = 0, len(a) + 1
    result = np.tril(a)
    while bad - good > 1:
        order = (good + bad) // 2
        try:
            result[:order, :order] = np.linalg.cholesky(a[:order, :order])
            good = order
        except np.linalg.LinAlgError:
            bad = order
    return result, bad if bad <= len(a) else 0


def _cholesky(name: str, self: Tensor, upper: bool) -> Tensor:
    check_square(name, self.array)
    check_floating(name, self.array)
    factor, status = cholesky_of(self.array, upper)
    check_status(name, status, _NOT_POSITIVE_DEFINITE)
    return Tensor(factor)


@operator(
    "aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", layout=Layout.COLUMN_MAJOR
)
def linalg_cholesky(self: Tensor, upper: bool = False) -> Tensor:
    return _cholesky("linalg.cholesky", self, upper)


@operator("aten::cholesky(Tensor self, bool upper=False) -> Tensor")
def cholesky(self: Tensor, upper: bool = False) -> Tensor:
    factor = _cholesky("cholesky", self, upper)
    return Tensor(column_copy(factor.array)) if upper else factor


@operator(
    "aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False)"
    " -> (Tensor L, Tensor info)",
)
def linalg_cholesky_ex(
    self: Tensor, upper: bool = False, check_errors: bool = False
) -> tuple[Tensor, Tensor]:
    check_square("linalg.cholesky", self.array)
    check_floating("linalg.cholesky", self.array)
    factor, status = cholesky_of(self.array, upper)
    if check_errors:
        check_status("linalg.cholesky_ex", status, _NOT_POSITIVE_DEFINITE)
    return Tensor(column_copy(factor)), Tensor(status)


# -- QR ----------------------------------------------------------------------------------------


@operator(
    'aten::linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)',
    layout=Layout.COLUMN_MAJOR,
)
def linalg_qr(A: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    a = A.array
    check_matrix("linalg.qr", a)
    check_floating("linalg.qr", a)
    if mode not in ("reduced", "complete", "r"):
        raise refuse(
            f"qr received unrecognized mode '{mode}': modes are 'reduced', 'complete' and 'r'"
        )
    if mode == "r":
        factor = cast("np.ndarray", np.linalg.qr(a, "r"))  # NumPy's stubs have two here, too
        return Tensor(np.empty(0, a.dtype)), Tensor(factor)
    q, r = np.linalg.qr(a, mode)
    return Tensor(q), Tensor(r)


@operator("aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)")
def qr(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    return linalg_qr(self, "reduced" if some else "complete")


@operator("aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)")
def geqrf(self: Tensor) -> tuple[Tensor, Tensor]:
    a = self.array
    if a.ndim < 2:
        raise refuse(f"torch.geqrf: input must have at least 2 dimensions, not {a.ndim}")
    check_has_kernel("geqrf_cpu", a)
    packed, scales = householder.reflections(a)
    return Tensor(packed), Tensor(scales)


@operator("aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor")
def linalg_householder_product(input: Tensor, tau: Tensor) -> Tensor:
    name = "torch.linalg.householder_product"
    a, scales = input.array, tau.array
    _check_reflections(name, a, scales)
    check_has_kernel("orgqr_cpu", a)
    if a.shape[-2] < a.shape[-1]:
        raise refuse(
            f"{name}: input.shape[-2] must be greater than or equal to its columns: the shape is "
            f"{list(a.shape)}"
        )
    if a.shape[-1] < scales.shape[-1]:
        raise refuse(
            f"{name}: input.shape[-1] must be greater than or equal to the scales in tau: "
            f"{a.shape[-1]} columns, {scales.shape[-1]} scales"
        )
    return Tensor(householder.product(a, scales))


@operator(
    "aten::orgqr(Tensor self, Tensor input2) -> Tensor",
    first_name="aten::linalg_householder_product",
)
def orgqr(self: Tensor, input2: Tensor) -> Tensor:
    return linalg_householder_product(self, input2)


def _check_reflections(name: str, a: np.ndarray, scales: np.ndarray) -> None:
    if a.ndim < 2:
        raise refuse(f"{name}: input must have at least 2 dimensions.")
    if scales.ndim != a.ndim - 1 or scales.shape[:-1] != a.shape[:-2]:
        raise refuse(
            f"{name}: Expected batch dimensions of tau to be those of the input, "
            f"{list(a.shape[:-2])}, not {list(scales.shape[:-1])}"
        )
    if scales.dtype is not a.dtype:
        types = f"tau dtype {Tensor(scales).dtype.scalar_name} does not match input dtype"
        raise refuse(f"{name}: {types} {Tensor(a).dtype.scalar_name}")


@operator(
    "aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False)"
    " -> Tensor"
)
def ormqr(
    self: Tensor, input2: Tensor, input3: Tensor, left: bool = True, transpose: bool = False
) -> Tensor:
    name = "torch.ormqr"
    a, scales, other = self.array, input2.array, input3.array
    if a.ndim < 2:
        raise refuse(f"{name}: input must have at least 2 dimensions.")
    if other.ndim < 2:
        raise refuse(f"{name}: other must have at least 2 dimensions.")
    side = -2 if left else -1
    if other.shape[side] < scales.shape[-1]:
        raise refuse(
            f"{name}: other.shape[{side}] must be greater than or equal to the scales in tau: "
            f"{other.shape[side]} against {scales.shape[-1]}"
        )
    if other.shape[side] != a.shape[-2]:
        raise refuse(f"{name}: other.shape[{side}] must be equal to input.shape[-2]")
    check_same_dtype(name, a, scales, ("input", "tau"))
    check_same_dtype(name, a, other, ("input", "other"))
    check_has_kernel("ormqr_cpu", a)
    if scales.shape[-1] != min(other.shape[side], a.shape[-1]):
        raise refuse(
            f"{name}: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])"
        )
    return Tensor(householder.multiply(a, scales, other, adjoint=transpose, left=left))


# -- Singular values ---------------------------------------------------------------------------


def _check_driver(driver: str | None) -> None:
    if driver is not None:
        raise refuse(
            "torch.linalg.svd: `driver=` is only supported on CUDA devices, which tsc has none of: "
            f"leave {driver!r} out"
        )


def singular_values(a: np.ndarray) -> np.ndarray:
    check_matrix("linalg.svd", a)
    check_floating("linalg.svd", a)
    return _converged(lambda: np.linalg.svd(a, compute_uv=False))


def singular_vectors(
    a: np.ndarray, full_matrices: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    check_matrix("linalg.svd", a)
    check_floating("linalg.svd", a)
    return _converged(lambda: np.linalg.svd(a, full_matrices))


Result = TypeVar("Result")


def _converged(compute: Callable[[], Result]) -> Result:
    """What `compute` gives; ScriptError where the iterations of LAPACK do not converge."""
    try:
        return compute()
    except np.linalg.LinAlgError:
        raise refuse(
            "linalg.svd: The algorithm failed to converge because the input matrix contained "
            "non-finite values."
        ) from None


@operator(
    "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None)"
    " -> (Tensor U, Tensor S, Tensor Vh)",
)
def linalg_svd(
    A: Tensor, full_matrices: bool = True, driver: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    _check_driver(driver)
    u, s, vh = singular_vectors(A.array, full_matrices)
    return Tensor(column_copy(u)), Tensor(s), Tensor(column_copy(vh))


@operator(
    "aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *,"
    " str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)",
)
def svd_or_values(
    A: Tensor, full_matrices: bool = False, compute_uv: bool = True, driver: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Without vectors, U and Vh are empty."""
    if compute_uv:
        return linalg_svd(A, full_matrices, driver)
    nothing = np.empty(0, A.array.dtype)
    return Tensor(nothing), linalg_svdvals(A, driver), Tensor(nothing.copy())


@operator("aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor")
def linalg_svdvals(A: Tensor, driver: str | None = None) -> Tensor:
    _check_driver(driver)
    return Tensor(singular_values(A.array))


@operator(
    "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
)
def svd(self: Tensor, some: bool = True, compute_uv: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Without vectors, U and V are square and all zeros."""
    a = self.array
    if a.ndim < 2:
        raise refuse(f"linalg.svd: input should have at least 2 dimensions, not {a.ndim}")
    if compute_uv:
        u, s, vh = singular_vectors(a, not some)
        return Tensor(column_copy(u)), Tensor(s), Tensor(column_copy(vh.conj()).swapaxes(-1, -2))
    batch, rows, columns = a.shape[:-2], a.shape[-2], a.shape[-1]
    u, v = np.zeros((*batch, rows, rows), a.dtype), np.zeros((*batch, columns, columns), a.dtype)
    return Tensor(u), Tensor(singular_values(a)), Tensor(v)


# -- Eigenvalues -------------------------------------------------------------------------------


def hermitian_eigenvalues(a: np.ndarray, triangle: str = "L") -> np.ndarray:
    return np.linalg.eigvalsh(a, _checked_triangle(a, triangle))


def _checked_triangle(a: np.ndarray, triangle: str) -> Literal["L", "U"]:
    """Which triangle of `a`, which is known to be Hermitian, is to be read."""
    check_square("linalg.eigh", a)
    capital = triangle.upper()
    if capital not in ("L", "U"):
        raise refuse(
            f"Expected UPLO argument to be 'L' or 'U', the triangle to read, not {triangle!r}"
        )
    check_has_kernel("linalg_eigh_cpu", a)
    return capital


@operator(
    'aten::linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)'
)
def linalg_eigh(self: Tensor, UPLO: str = "L") -> tuple[Tensor, Tensor]:
    values, vectors = np.linalg.eigh(self.array, _checked_triangle(self.array, UPLO))
    return Tensor(values), Tensor(column_copy(vectors))


@operator(
    'aten::_linalg_eigh(Tensor A, str UPLO="L", bool compute_v=True)'
    " -> (Tensor eigenvalues, Tensor eigenvectors)",
)
def eigh_or_values(A: Tensor, UPLO: str = "L", compute_v: bool = True) -> tuple[Tensor, Tensor]:
    """Without vectors, their tensor is empty."""
    if compute_v:
        return linalg_eigh(A, UPLO)
    return Tensor(hermitian_eigenvalues(A.array, UPLO)), Tensor(np.empty(0, A.array.dtype))


@operator('aten::linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor')
def linalg_eigvalsh(self: Tensor, UPLO: str = "L") -> Tensor:
    return Tensor(hermitian_eigenvalues(self.array, UPLO))


def _check_general(name: str, a: np.ndarray) -> None:
    check_square(name, a)
    if Tensor(a).dtype.category < 2:
        raise refuse(f"Unknown Complex ScalarType for {Tensor(a).dtype.scalar_name}")
    check_has_kernel("linalg_eig_cpu", a)
    if not np.isfinite(a).all():
        raise refuse(f"torch.{name}: input tensor should not contain infs or NaNs, but it does")


@operator("aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)")
def linalg_eig(self: Tensor) -> tuple[Tensor, Tensor]:
    a = self.array
    _check_general("linalg.eig", a)
    values, vectors = np.linalg.eig(a)
    kind = COMPLEX_OF_REAL.get(a.dtype, a.dtype)
    return Tensor(values.astype(kind)), Tensor(column_copy(vectors.astype(kind)))


@operator("aten::linalg_eigvals(Tensor self) -> Tensor")
def linalg_eigvals(self: Tensor) -> Tensor:
    a = self.array
    _check_general("linalg.eigvals", a)
    return Tensor(np.linalg.eigvals(a).astype(COMPLEX_OF_REAL.get(a.dtype, a.dtype)))


operator("aten::_linalg_eigvals(Tensor self) -> Tensor")(linalg_eigvals)

out_forms(
    SAME,
    """
    linalg_cholesky_ex:L linalg_cholesky linalg_eigh:eigvals(eigvals,eigvecs) linalg_eigvalsh
    linalg_qr linalg_svd:U linalg_svdvals qr:Q svd:U _linalg_eigh:eigenvalues _linalg_svd:U
    """,
)
out_forms(safely_castable("cholesky"), "cholesky")
out_forms(
    (
        safely_castable("torch.linalg.eig", "eigenvalues"),
        safely_castable("torch.linalg.eig", "eigenvectors"),
    ),
    "linalg_eig",
)
out_forms(safely_castable("torch.linalg.eigvals", "eigenvalues"), "linalg_eigvals")
out_forms(
    (
        safely_castable("torch.geqrf", "a"),
        safely_castable("torch.geqrf", "tau"),
    ),
    "geqrf:a",
)
out_forms(safely_castable("torch.linalg.householder_product"), "linalg_householder_product orgqr")
out_forms(
    same(
        "torch.ormqr: Expected input and result to have the same dtype, but input has dtype"
        "{result} and result has dtype {out}"
    ),
    "ormqr",
)
