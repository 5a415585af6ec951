"""Inverses, and solutions of systems of linear equations."""

from __future__ import annotations

import math

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dimensions import broadcast_shape, wrap_dimensions
from tsc.runtime.arrays.dtypes import LONG, REAL_OF_COMPLEX, scalar_name
from tsc.runtime.numerics.linear_algebra import lu
from tsc.runtime.numerics.linear_algebra.columns import column_copy
from tsc.runtime.numerics.linear_algebra.triangular import solve_triangular
from tsc.runtime.operators.linear_algebra.lu_factors import solve_with_factors
from tsc.runtime.operators.linear_algebra.matrix_checks import (
    check_equation,
    check_floating,
    check_has_kernel,
    check_matrix,
    check_same_dtype,
    check_square,
    check_status,
    refuse,
)
from tsc.runtime.operators.linear_algebra.matrix_factors import INT, singular_vectors
from tsc.runtime.operators.out_variants import SAME, out_forms, safely_castable, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

# -- Inverses ----------------------------------------------------------------------------------

_SINGULAR_INVERSE = (
    "The diagonal element {} is zero, the inversion could not be completed because the input "
    "matrix is singular."
)


def inverse_of(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The inverse and the status: the place of the first pivot that is zero, or 0."""
    try:
        return np.linalg.inv(a), np.zeros(a.shape[:-2], INT)
    except np.linalg.LinAlgError:
        packed, pivots, status = lu.factor(a)
        identity = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
        with np.errstate(all="ignore"):
            return lu.solve(packed, pivots, identity), status


@operator("aten::linalg_inv(Tensor A) -> Tensor", layout=Layout.COLUMN_MAJOR)
def linalg_inv(A: Tensor) -> Tensor:
    check_square("linalg.inv", A.array)
    check_floating("linalg.inv", A.array)
    result, status = inverse_of(A.array)
    check_status("linalg.inv", status, _SINGULAR_INVERSE)
    return Tensor(result)


@operator("aten::inverse(Tensor self) -> Tensor", first_name="aten::linalg_inv")
def inverse(self: Tensor) -> Tensor:
    return linalg_inv(self)


@operator(
    "aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
)
def linalg_inv_ex(A: Tensor, check_errors: bool = False) -> tuple[Tensor, Tensor]:
    check_square("linalg.inv", A.array)
    check_floating("linalg.inv", A.array)
    result, status = inverse_of(A.array)
    if check_errors:
        check_status("linalg.inv_ex", status, _SINGULAR_INVERSE)
    return Tensor(result), Tensor(status)


@operator("aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor")
def linalg_tensorinv(self: Tensor, ind: int = 2) -> Tensor:
    if ind <= 0:
        raise refuse(f"Expected a strictly positive integer for 'ind', not {ind}")
    shape = self.array.shape
    last, first = math.prod(shape[ind:]), math.prod(shape[:ind])
    if last != first:
        raise refuse(
            "Expected self to satisfy the requirement of as many elements before the dimension "
            f"'ind' as from it on: {first} and {last}, of the shape {list(shape)}"
        )
    square = Tensor(self.array.reshape(last, first))
    inverse = column_copy(linalg_inv(square).array)
    return Tensor(inverse.reshape((*shape[ind:], *shape[:ind])))


@operator("aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor")
def cholesky_inverse(self: Tensor, upper: bool = False) -> Tensor:
    factor = self.array
    check_square("cholesky_inverse", factor)
    check_has_kernel("cholesky_inverse_cpu", factor)
    identity = np.broadcast_to(np.eye(factor.shape[-1], dtype=factor.dtype), factor.shape)
    return Tensor(_solve_with_cholesky(factor, identity, upper))


# -- General systems ---------------------------------------------------------------------------

_SINGULAR = "The solver failed: the input matrix is singular, so that there is no one solution."


def _solve(
    name: str, A: Tensor, B: Tensor, left: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The solution, the packed factors, the pivots and the status."""
    a, b = A.array, B.array
    check_floating("linalg.solve", a)
    check_same_dtype("linalg.solve", a, b, ("A", "B"))
    is_vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and b.shape == a.shape[:-1])
    right = b[..., np.newaxis] if is_vector else b
    check_square("linalg.solve", a)
    if not left and is_vector:
        raise refuse(
            "linalg.solve: Vector broadcasting of B is not supported for left=False; with A of one "
            "row and column, B / A.squeeze(-1) is the solution"
        )
    check_equation("linalg.solve", a, right, left=left)
    broadcast_shape(right.shape[:-2], a.shape[:-2])
    packed, pivots, status = lu.factor(a)
    with np.errstate(all="ignore"):
        result = solve_with_factors(packed, pivots, right, left=left, adjoint=False)
    return (result[..., 0] if is_vector else result), packed, pivots, status


@operator(
    "aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
    layout=Layout.COLUMN_MAJOR,
)
def linalg_solve(A: Tensor, B: Tensor, left: bool = True) -> Tensor:
    """With LAPACK's ``gesv`` where it can be had; a failure is looked into afterwards."""
    a, b = A.array, B.array
    if left and b.ndim >= a.ndim >= 2 and a.dtype is b.dtype and a.shape[-2] == a.shape[-1]:
        check_floating("linalg.solve", a)
        check_equation("linalg.solve", a, b)
        broadcast_shape(b.shape[:-2], a.shape[:-2])
        try:
            return Tensor(np.linalg.solve(a, b))
        except np.linalg.LinAlgError:
            pass
    result, _, _, status = _solve("linalg.solve", A, B, left)
    check_status("torch.linalg.solve", status, _SINGULAR)
    return Tensor(result)


@operator(
    "aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)"
    " -> (Tensor result, Tensor info)"
)
def linalg_solve_ex(
    A: Tensor, B: Tensor, left: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor]:
    result, _, _, status = _solve("linalg.solve", A, B, left)
    if check_errors:
        check_status("torch.linalg.solve_ex", status, _SINGULAR)
    return Tensor(result), Tensor(status)


@operator(
    "aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False)"
    " -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)",
)
def solve_with_all(
    A: Tensor, B: Tensor, left: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """`linalg_solve_ex` with the factors."""
    result, packed, pivots, status = _solve("linalg.solve", A, B, left)
    if check_errors:
        check_status("torch.linalg.solve_ex", status, _SINGULAR)
    return Tensor(result), Tensor(packed), Tensor(pivots), Tensor(status)


@operator("aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()")
def check_errors_of(info: Tensor, api_name: str, is_matrix: bool) -> None:
    """Raise for the first status that is not 0, in the words of the function called `api_name`."""
    status = info.array.reshape(()) if is_matrix else info.array
    explanation = _SINGULAR_INVERSE if "inv" in api_name else _SINGULAR
    check_status(api_name, status, explanation)


@operator("aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor")
def linalg_tensorsolve(self: Tensor, other: Tensor, dims: list[int] | None = None) -> Tensor:
    a, b = self.array, other.array
    if dims is not None:
        moved = wrap_dimensions(dims, a.ndim)
        a = np.moveaxis(a, moved, range(a.ndim - len(moved), a.ndim))
    shape = a.shape[b.ndim :]
    last, first = math.prod(shape), math.prod(b.shape)
    if last != first or a.size != last * first:
        raise refuse(
            "Expected self to satisfy the requirement of as many unknowns as 'other' has elements: "
            f"{last} and {first}, of the shapes {list(a.shape)} and {list(b.shape)}"
        )
    square = Tensor(np.ascontiguousarray(a).reshape(first, last))
    return Tensor(linalg_solve(square, Tensor(b.reshape(-1))).array.reshape(shape))


# -- Triangular systems ------------------------------------------------------------------------


@operator(
    "aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True,"
    " bool unitriangular=False) -> Tensor"
)
def linalg_solve_triangular(
    self: Tensor, B: Tensor, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    name = "linalg.solve_triangular"
    a, b = self.array, B.array
    check_same_dtype(name, a, b, ("A", "B"))
    check_square(name, a)
    check_matrix(name, b, "B")
    check_equation(name, a, b, left=left)
    broadcast_shape(a.shape[:-2], b.shape[:-2])
    check_has_kernel("triangular_solve_cpu", a)
    return Tensor(solve_triangular(a, b, upper=upper, unit=unitriangular, left=left))


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
    a, b = A.array, self.array
    name = "torch.triangular_solve"
    for argument, array in (("b", b), ("A", a)):
        if array.ndim < 2:
            raise refuse(
                f"{name}: Expected {argument} to have at least 2 dimensions, but it has "
                f"{array.ndim} dimensions instead"
            )
    if a.shape[-1] != a.shape[-2]:
        raise refuse(
            f"A must be square matrices: these are of {a.shape[-2]} rows and {a.shape[-1]} columns"
        )
    _check_sizes("triangular_solve", a, b)
    check_same_dtype(name, b, a, ("b", "A"))
    check_has_kernel("triangular_solve_cpu", a)
    batch = broadcast_shape(a.shape[:-2], b.shape[:-2])
    matrix = a.swapaxes(-1, -2) if transpose else a
    solution = solve_triangular(matrix, b, upper=upper != transpose, unit=unitriangular)
    return Tensor(solution), Tensor(np.broadcast_to(a, (*batch, *a.shape[-2:])).copy())


def _check_sizes(name: str, a: np.ndarray, b: np.ndarray) -> None:
    if a.shape[-1] != b.shape[-2]:
        raise refuse(
            f"Incompatible matrix sizes for {name}: each A matrix is {a.shape[-1]} by "
            f"{a.shape[-1]} but each b matrix is {b.shape[-2]} by {b.shape[-1]}"
        )


def _solve_with_cholesky(factor: np.ndarray, b: np.ndarray, upper: bool) -> np.ndarray:
    adjoint = factor.conj().swapaxes(-1, -2)
    lower, higher = (adjoint, factor) if upper else (factor, adjoint)
    return solve_triangular(higher, solve_triangular(lower, b, upper=False), upper=True)


@operator("aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor")
def cholesky_solve(self: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    b, factor = self.array, input2.array
    for argument, array in (("b", b), ("u", factor)):
        if array.ndim < 2:
            raise refuse(
                f"{argument} should have at least 2 dimensions, but has {array.ndim} dimensions "
                "instead"
            )
    check_square("cholesky_solve", factor)
    _check_sizes("cholesky_solve", factor, b)
    check_same_dtype("cholesky_solve", b, factor, ("b", "A"))
    check_has_kernel("cholesky_solve_cpu", factor)
    broadcast_shape(factor.shape[:-2], b.shape[:-2])
    return Tensor(_solve_with_cholesky(factor, b, upper))


# -- Least squares -----------------------------------------------------------------------------

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


@operator(
    "aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None)"
    " -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)"
)
def linalg_lstsq(
    self: Tensor, b: Tensor, rcond: float | None = None, driver: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The solutions of least norm, by singular values; what a driver does not report is empty."""
    a, right = self.array, b.array
    chosen = "gelsy" if driver is None else driver
    is_vector = _check_least_squares(a, right, chosen)
    if is_vector:
        right = right[..., np.newaxis]
    batch = broadcast_shape(a.shape[:-2], right.shape[:-2])
    a = np.broadcast_to(a, (*batch, *a.shape[-2:]))
    right = np.broadcast_to(right, (*batch, *right.shape[-2:]))
    real = REAL_OF_COMPLEX.get(a.dtype, a.dtype)
    u, s, vh = singular_vectors(a, full_matrices=False)
    limit = max(a.shape[-2:]) * float(np.finfo(real).eps) if rcond is None else rcond
    kept = s > limit * s.max(-1, keepdims=True, initial=0)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(real)
    coefficients = u.conj().swapaxes(-1, -2) @ right
    solution = vh.conj().swapaxes(-1, -2) @ (inverse[..., None] * coefficients)
    solution = _in_place_of_right(solution, a.shape[-2])
    rank = np.asarray(kept.sum(-1), LONG)
    residuals = _residuals(a, right, solution, rank, chosen, real)
    nothing, none = np.empty(0, real), np.empty(0, LONG)
    return (
        Tensor(solution[..., 0] if is_vector else solution),
        Tensor(residuals),
        Tensor(none if chosen == "gels" else rank),
        Tensor(s if chosen in ("gelsd", "gelss") else nothing),
    )


def _in_place_of_right(solution: np.ndarray, rows: int) -> np.ndarray:
    """The solution, column by column, in memory that holds the right sides as well, as LAPACK leaves it."""
    missing = max(rows - solution.shape[-2], 0)
    padding = [(0, 0)] * (solution.ndim - 2) + [(0, missing), (0, 0)]
    return column_copy(np.pad(solution, padding))[..., : solution.shape[-2], :]


def _check_least_squares(a: np.ndarray, right: np.ndarray, driver: str) -> bool:
    """Whether the right sides are vectors."""
    name = "torch.linalg.lstsq"
    if a.ndim < 2:
        raise refuse(f"{name}: input must have at least 2 dimensions.")
    if right.ndim < 1:
        raise refuse(f"{name}: other must have at least 1 dimension.")
    if a.dtype is not right.dtype:
        raise refuse(
            f"{name}: Expected input and other to have the same dtype: they are "
            f"{scalar_name(a.dtype)} and {scalar_name(right.dtype)}"
        )
    if a.ndim - right.ndim > 1:
        raise refuse(
            f"{name}: input.dim() must be greater or equal to other.dim(), by one at most: they "
            f"are {a.ndim} and {right.ndim}"
        )
    if driver not in DRIVERS:
        names = ", ".join(DRIVERS)
        raise refuse(f"{name}: parameter `driver` should be one of ({names})")
    check_floating(name, a)
    is_vector = a.ndim - 1 == right.ndim and a.shape[:-1] == right.shape
    side = -1 if is_vector else -2
    if right.ndim < -side or a.shape[-2] != right.shape[side]:
        raise refuse(f"{name}: input.size(-2) should match other.size({side})")
    if right.ndim < a.ndim and not is_vector:
        broadcast_shape(a.shape[:-2], right.shape[:-1])
    return is_vector


def _residuals(
    a: np.ndarray,
    right: np.ndarray,
    solution: np.ndarray,
    rank: np.ndarray,
    driver: str,
    real: np.dtype,
) -> np.ndarray:
    """Squared distances; of overdetermined systems of full rank, and not from ``gelsy``."""
    rows, columns = a.shape[-2:]
    is_full = driver == "gels" or bool((rank == columns).all())
    if rows <= columns or driver == "gelsy" or not is_full:
        return np.empty(0, real)
    difference: Array = a @ solution - right
    return (difference.real**2 + difference.imag**2).sum(-2).astype(real)


out_forms(
    SAME,
    """
    linalg_inv_ex:inverse linalg_lstsq inverse linalg_inv linalg_solve triangular_solve:X(X,M)
    _linalg_solve_ex:result linalg_solve_ex
    """,
)
out_forms(safely_castable("cholesky_inverse"), "cholesky_inverse")
out_forms(safely_castable("cholesky_solve"), "cholesky_solve")
out_forms(same("expected scalar type {result} but found {out}"), "linalg_solve_triangular")
out_forms(safely_castable("tensorinv"), "linalg_tensorinv")
out_forms(safely_castable("tensorsolve"), "linalg_tensorsolve")
