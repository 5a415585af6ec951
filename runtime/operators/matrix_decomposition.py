"""Inverses, determinants, solutions and decompositions of matrices (on NumPy's LAPACK)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.dtypes import CATEGORY, FLOATING, LONG, scalar_name
from runtime.errors import ScriptError
from runtime.operators.registration import operator
from runtime.tensor import Tensor, asarray, wrap


def _check(name: str, a: np.ndarray, square: bool = True) -> None:
    if a.ndim < 2:
        raise ScriptError(
            "RuntimeError",
            f"{name}: The input tensor A must have at least 2 dimensions.",
        )
    if CATEGORY[a.dtype] < FLOATING or a.dtype.itemsize == 2:
        raise ScriptError(
            "RuntimeError",
            f"{name}: Expected a floating point or complex tensor as input. "
            f"Got {scalar_name(a.dtype)}",
        )
    if square and a.shape[-1] != a.shape[-2]:
        raise ScriptError(
            "RuntimeError",
            f"{name}: A must be batches of square matrices, "
            f"but they are {a.shape[-2]} by {a.shape[-1]} matrices",
        )


def _decomposed(name: str, compute: Callable, *arrays: np.ndarray, message: str):
    try:
        return compute(*arrays)
    except np.linalg.LinAlgError:
        raise ScriptError("RuntimeError", f"{name}: {message}") from None


_SINGULAR = (
    "The diagonal element {} is zero, the inversion could not be completed because the input "
    "matrix is singular."
)


def _zero_pivot(a: np.ndarray) -> int:
    """The one-based place of the first zero pivot, for messages."""
    matrix = a.reshape(-1, *a.shape[-2:])
    for each in matrix:
        if np.linalg.matrix_rank(each) < len(each):
            return int(np.linalg.matrix_rank(each)) + 1
    return len(a)


@operator("aten::linalg_inv(Tensor A) -> Tensor")
def linalg_inv(A: Tensor) -> Tensor:
    a = A.array
    _check("linalg.inv", a)
    try:
        return Tensor(np.linalg.inv(a))
    except np.linalg.LinAlgError:
        message = _SINGULAR.format(_zero_pivot(a))
        raise ScriptError("RuntimeError", f"linalg.inv: {message}") from None


@operator("aten::inverse(Tensor self) -> Tensor")
def inverse(self: Tensor) -> Tensor:
    return linalg_inv(self)


@operator("aten::linalg_det(Tensor A) -> Tensor")
def linalg_det(A: Tensor) -> Tensor:
    _check("linalg.det", A.array)
    return wrap(np.linalg.det(A.array))


@operator("aten::det(Tensor self) -> Tensor")
def det(self: Tensor) -> Tensor:
    return linalg_det(self)


@operator("aten::logdet(Tensor self) -> Tensor")
def logdet(self: Tensor) -> Tensor:
    _check("logdet", self.array)
    return wrap(np.log(np.linalg.det(self.array)))


@operator("aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)")
def linalg_slogdet(A: Tensor) -> tuple[Tensor, Tensor]:
    _check("linalg.slogdet", A.array)
    sign, logarithm = np.linalg.slogdet(A.array)
    return wrap(sign), wrap(logarithm)


@operator("aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)")
def slogdet(self: Tensor) -> tuple[Tensor, Tensor]:
    return linalg_slogdet(self)


def _cholesky(name: str, a: np.ndarray, upper: bool) -> Tensor:
    _check(name, a)
    factor = _decomposed(
        name,
        np.linalg.cholesky,
        a,
        message="The factorization could not be completed because the input is not "
        "positive-definite",
    )
    return Tensor(factor.swapaxes(-1, -2).conj().copy() if upper else factor)


@operator("aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor")
def linalg_cholesky(self: Tensor, upper: bool = False) -> Tensor:
    return _cholesky("linalg.cholesky", self.array, upper)


@operator("aten::cholesky(Tensor self, bool upper=False) -> Tensor")
def cholesky(self: Tensor, upper: bool = False) -> Tensor:
    return _cholesky("cholesky", self.array, upper)


@operator("aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor")
def linalg_solve(A: Tensor, B: Tensor, left: bool = True) -> Tensor:
    a, b = A.array, B.array
    _check("linalg.solve", a)
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    if not left:
        a, b = a.swapaxes(-1, -2), b if is_vector else b.swapaxes(-1, -2)
    right = b[..., np.newaxis] if is_vector else b
    if right.shape[-2] != a.shape[-1]:
        raise ScriptError(
            "RuntimeError",
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ("
            f"{a.shape[-2]}x{a.shape[-1]} and {right.shape[-2]}x{right.shape[-1]})",
        )
    result = _decomposed(
        "linalg.solve",
        np.linalg.solve,
        a,
        right,
        message="The solver failed because the input matrix is singular.",
    )
    if is_vector:
        return Tensor(result[..., 0])
    return Tensor(result if left else result.swapaxes(-1, -2))


def _svd(a: np.ndarray, full: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _check("linalg.svd", a, square=False)
    return _decomposed(
        "linalg.svd",
        lambda x: np.linalg.svd(x, full),
        a,
        message="The algorithm failed to converge",
    )


@operator(
    "aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None)"
    " -> (Tensor U, Tensor S, Tensor Vh)"
)
def linalg_svd(
    A: Tensor,
    full_matrices: bool = True,
    driver: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    return tuple(Tensor(part) for part in _svd(A.array, full_matrices))


@operator("aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor")
def linalg_svdvals(A: Tensor, driver: str | None = None) -> Tensor:
    return Tensor(_svd(A.array, False)[1])


@operator(
    "aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)"
)
def svd(self: Tensor, some: bool = True, compute_uv: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    u, s, vh = _svd(self.array, not some)
    if not compute_uv:
        u, vh = np.zeros_like(u), np.zeros_like(vh)
    return Tensor(u), Tensor(s), Tensor(vh.swapaxes(-1, -2).conj())


@operator('aten::linalg_qr(Tensor A, str mode="reduced") -> (Tensor Q, Tensor R)')
def linalg_qr(A: Tensor, mode: str = "reduced") -> tuple[Tensor, Tensor]:
    a = A.array
    _check("linalg.qr", a, square=False)
    if mode not in ("reduced", "complete", "r"):
        raise ScriptError(
            "RuntimeError",
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), "
            "'r', or 'complete'",
        )
    if mode == "r":
        return Tensor(np.empty(0, a.dtype)), Tensor(np.linalg.qr(a, "r"))
    q, r = np.linalg.qr(a, mode)
    return Tensor(q), Tensor(r)


@operator("aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)")
def qr(self: Tensor, some: bool = True) -> tuple[Tensor, Tensor]:
    return linalg_qr(self, "reduced" if some else "complete")


@operator(
    'aten::linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)'
)
def linalg_eigh(self: Tensor, UPLO: str = "L") -> tuple[Tensor, Tensor]:
    _check("linalg.eigh", self.array)
    values, vectors = np.linalg.eigh(self.array, UPLO.upper())
    return Tensor(values), Tensor(vectors)


@operator('aten::linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor')
def linalg_eigvalsh(self: Tensor, UPLO: str = "L") -> Tensor:
    _check("linalg.eigvalsh", self.array)
    return Tensor(np.linalg.eigvalsh(self.array, UPLO.upper()))


@operator("aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)")
def linalg_eig(self: Tensor) -> tuple[Tensor, Tensor]:
    a = self.array
    _check("linalg.eig", a)
    values, vectors = np.linalg.eig(a)
    kind = np.complex64 if a.dtype in (np.float32, np.complex64) else np.complex128
    return Tensor(values.astype(kind)), Tensor(vectors.astype(kind))


@operator("aten::linalg_eigvals(Tensor self) -> Tensor")
def linalg_eigvals(self: Tensor) -> Tensor:
    return linalg_eig(self)[0]


@operator(
    "aten::matrix_power(Tensor self, int n) -> Tensor",
    "aten::linalg_matrix_power(Tensor self, int n) -> Tensor",
)
def matrix_power(self: Tensor, n: int) -> Tensor:
    _check("linalg.matrix_power", self.array)
    return Tensor(np.linalg.matrix_power(self.array, n))


@operator("aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor")
def linalg_pinv(self: Tensor, rcond: float, hermitian: bool = False) -> Tensor:
    _check("linalg.pinv", self.array, square=False)
    return Tensor(asarray(np.linalg.pinv(self.array, rcond, hermitian), self.array.dtype))


@operator(
    "aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None,"
    " bool hermitian=False) -> Tensor"
)
def linalg_pinv_tolerance(
    self: Tensor,
    atol: float | None = None,
    rtol: float | None = None,
    hermitian: bool = False,
) -> Tensor:
    a = self.array
    _check("linalg.pinv", a, square=False)
    largest = float(np.linalg.norm(a, 2)) if a.ndim == 2 and a.size else 1.0
    relative = max(a.shape[-2:]) * float(np.finfo(a.dtype).eps) if rtol is None else rtol
    if atol is not None:
        relative = max(relative if rtol is not None else 0.0, atol / largest)
    return Tensor(asarray(np.linalg.pinv(a, relative, hermitian), a.dtype))


@operator("aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor")
def pinverse(self: Tensor, rcond: float = 1e-15) -> Tensor:
    return linalg_pinv(self, rcond)


@operator(
    "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None)"
    " -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)"
)
def linalg_lstsq(
    self: Tensor, b: Tensor, rcond: float | None = None, driver: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    a, right = self.array, b.array
    _check("torch.linalg.lstsq", a, square=False)
    solution, residuals, rank, singular = np.linalg.lstsq(a, right, rcond)
    some = driver in (None, "gelsy", "gelss", "gelsd")
    ranks = np.array(rank, LONG) if some else np.empty(0, LONG)
    values = singular if driver in ("gelss", "gelsd") else np.empty(0, a.dtype)
    return Tensor(solution), Tensor(residuals), Tensor(ranks), Tensor(values)


def _triangular(a: np.ndarray, b: np.ndarray, upper: bool, unitriangular: bool) -> np.ndarray:
    """The solution of a triangular system, by substitution."""
    triangle = np.triu(a) if upper else np.tril(a)
    if unitriangular:
        size = a.shape[-1]
        triangle = triangle.copy()
        triangle[..., np.arange(size), np.arange(size)] = 1
    return np.linalg.solve(triangle, b)


@operator(
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True,"
    " bool unitriangular=False) -> Tensor"
)
def linalg_solve_triangular(
    self: Tensor,
    B: Tensor,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
) -> Tensor:
    a, b = self.array, B.array
    _check("linalg.solve_triangular", a)
    if left:
        return Tensor(_triangular(a, b, upper, unitriangular))
    flipped = _triangular(a.swapaxes(-1, -2), b.swapaxes(-1, -2), not upper, unitriangular)
    return Tensor(flipped.swapaxes(-1, -2))


@operator(
    "aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False,"
    " bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)"
)
def triangular_solve(
    self: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> tuple[Tensor, Tensor]:
    a = A.array
    triangle = np.triu(a) if upper else np.tril(a)
    if transpose:
        solution = _triangular(triangle.swapaxes(-1, -2), self.array, not upper, unitriangular)
    else:
        solution = _triangular(triangle, self.array, upper, unitriangular)
    return Tensor(solution), Tensor(a.copy())


@operator(
    'aten::linalg_matrix_norm.str_ord(Tensor self, str ord="fro", int[] dim=[-2, -1],'
    " bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"
)
def linalg_matrix_norm(
    self: Tensor,
    ord: str = "fro",
    dim: list[int] | tuple[int, int] = (-2, -1),
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    return wrap(np.linalg.norm(self.array, ord, tuple(dim), keepdim))
