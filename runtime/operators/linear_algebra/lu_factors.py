"""LU and LDL decompositions, and systems solved with their factors."""

from __future__ import annotations

import math

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.linear_algebra import ldl, lu
from tsc.runtime.operators.linear_algebra.matrix_checks import (
    check_equation,
    check_floating,
    check_has_kernel,
    check_same_dtype,
    check_square,
    check_status,
    refuse,
)
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_ZERO_PIVOT = (
    "U[{0},{0}] is zero and using it on lu_solve would result in a division by zero. If you still "
    "want to perform the factorization, consider calling linalg.lu(A, pivot) or "
    "linalg.lu_factor_ex(A, pivot)"
)


def _factor(name: str, A: Tensor, pivot: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a = A.array
    if a.ndim < 2:
        raise refuse(
            f"{name}: Expected tensor with 2 or more dimensions, not of the shape {list(a.shape)}"
        )
    if not pivot:
        raise refuse("linalg.lu_factor: LU without pivoting is not implemented; pass pivot=True")
    check_has_kernel("lu_cpu", a)
    return lu.factor(a)


@operator("aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)")
def linalg_lu_factor(A: Tensor, pivot: bool = True) -> tuple[Tensor, Tensor]:
    packed, pivots, status = _factor("torch.lu_factor", A, pivot)
    check_status("torch.linalg.lu_factor", status, _ZERO_PIVOT)
    return Tensor(packed), Tensor(pivots)


@operator(
    "aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False)"
    " -> (Tensor LU, Tensor pivots, Tensor info)"
)
def linalg_lu_factor_ex(
    A: Tensor, pivot: bool = True, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    packed, pivots, status = _factor("torch.lu_factor", A, pivot)
    if check_errors:
        check_status("torch.linalg.lu_factor_ex", status, _ZERO_PIVOT)
    return Tensor(packed), Tensor(pivots), Tensor(status)


@operator(
    "aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True)"
    " -> (Tensor LU, Tensor pivots, Tensor info)"
)
def lu_with_info(
    self: Tensor, pivot: bool = True, check_errors: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """`linalg_lu_factor_ex`; PyTorch does not look at `check_errors`."""
    return linalg_lu_factor_ex(self, pivot)


@operator("aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)")
def linalg_lu(A: Tensor, pivot: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    packed, pivots, _ = _factor("linalg.lu", A, pivot)
    lower, upper = lu.unpack(packed)
    permutation = lu.permutation_matrix(pivots, packed.shape[-2], packed.dtype)
    return Tensor(permutation), Tensor(lower), Tensor(upper)


@operator(
    "aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True,"
    " bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)"
)
def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """What is not asked for comes out empty."""
    packed, pivots = LU_data.array, LU_pivots.array
    if unpack_pivots and pivots.dtype is not lu.PIVOT_DTYPE:
        raise refuse(
            "torch.lu_unpack: LU_pivots is expected to be int32, as lu_factor makes it: it is "
            f"{scalar_name(pivots.dtype)}"
        )
    nothing = np.empty(0, packed.dtype)
    lower, upper = lu.unpack(packed) if unpack_data else (nothing, nothing.copy())
    if not unpack_pivots:
        return Tensor(nothing.copy()), Tensor(lower), Tensor(upper)
    rows, count = packed.shape[-2], min(packed.shape[-2:])
    inside = pivots.size == 0 or (pivots.min() >= 1 and pivots.max() <= rows)
    if not inside or pivots.shape[-1] != count:
        raise refuse(
            f"pivots passed to lu_unpack must be {count} to a matrix, from 1 to {rows}, as "
            "lu_factor makes them"
        )
    permutation = lu.permutation_matrix(_of_batch(pivots, packed), rows, packed.dtype)
    return Tensor(permutation), Tensor(lower), Tensor(upper)


def _of_batch(pivots: np.ndarray, packed: np.ndarray) -> np.ndarray:
    """The pivots in the batch of the matrices that they belong to."""
    shape = (*packed.shape[:-2], pivots.shape[-1])
    if pivots.shape == shape:
        return pivots
    if pivots.size == math.prod(shape):
        return pivots.reshape(shape)
    try:
        return np.broadcast_to(pivots, shape)
    except ValueError:
        message = f"torch.lu_unpack: pivots of the shape {list(pivots.shape)} do not expand to {list(shape)}"
        raise refuse(message) from None


@operator(
    "aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True,"
    " bool adjoint=False) -> Tensor"
)
def linalg_lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, left: bool = True, adjoint: bool = False
) -> Tensor:
    name = "linalg.lu_solve"
    packed, swaps, b = LU.array, pivots.array, B.array
    check_floating(name, packed)
    if swaps.dtype is not lu.PIVOT_DTYPE:
        raise refuse(f"{name}: pivots should be a Tensor of int32, not {scalar_name(swaps.dtype)}")
    check_square(f"torch.{name}", packed)
    check_equation(name, packed, b, left=left)
    check_same_dtype(name, packed, b, ("LU", "B"))
    if swaps.shape[-1:] != packed.shape[-1:]:
        raise refuse(
            f"{name}: Number of pivots per batch should be that of the columns of LU: the shapes "
            f"are {list(swaps.shape)} and {list(packed.shape)}"
        )
    if swaps.shape[:-1] != packed.shape[:-2]:
        raise refuse(
            f"{name}: Expected LU.shape[:-1] and pivots.shape to be the same: they are "
            f"{list(packed.shape[:-1])} and {list(swaps.shape)}"
        )
    _check_pivots_inside(swaps, packed.shape[-1])
    return Tensor(solve_with_factors(packed, swaps, b, left=left, adjoint=adjoint))


def _check_pivots_inside(pivots: np.ndarray, size: int) -> None:
    if pivots.size and not (pivots.min() >= 1 and pivots.max() <= size):
        raise refuse(
            f"Pivots given to lu_solve must all be from 1 to {size}, as lu_factor makes them"
        )


def solve_with_factors(
    packed: np.ndarray, pivots: np.ndarray, b: np.ndarray, *, left: bool, adjoint: bool
) -> np.ndarray:
    """X of AX = B or XA = B, or the same with the adjoint of A."""
    if left:
        return lu.solve(packed, pivots, b, adjoint=adjoint)
    flipped = lu.solve(packed, pivots, b.conj().swapaxes(-1, -2), adjoint=not adjoint)
    return flipped.conj().swapaxes(-1, -2)


@operator("aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor")
def lu_solve(self: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    return linalg_lu_solve(LU_data, LU_pivots, self)


# -- LDL ---------------------------------------------------------------------------------------


def _factor_ldl(self: Tensor, hermitian: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a = self.array
    check_square("torch.linalg.ldl_factor_ex", a)
    check_has_kernel("ldl_factor_cpu", a)
    return ldl.factor(a, hermitian=hermitian)


@operator(
    "aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False)"
    " -> (Tensor LD, Tensor pivots, Tensor info)"
)
def linalg_ldl_factor_ex(
    self: Tensor, hermitian: bool = False, check_errors: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    packed, pivots, status = _factor_ldl(self, hermitian)
    if check_errors:
        check_status("torch.linalg.ldl_factor_ex", status, _ZERO_BLOCK)
    return Tensor(packed), Tensor(pivots), Tensor(status)


_ZERO_BLOCK = "block {} of D is zero: the matrix is singular"


@operator(
    "aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)"
)
def linalg_ldl_factor(self: Tensor, hermitian: bool = False) -> tuple[Tensor, Tensor]:
    packed, pivots, status = _factor_ldl(self, hermitian)
    check_status("torch.linalg.ldl_factor", status, _ZERO_BLOCK)
    return Tensor(packed), Tensor(pivots)


@operator(
    "aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor"
)
def linalg_ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, hermitian: bool = False) -> Tensor:
    name = "torch.linalg.ldl_solve"
    packed, swaps, b = LD.array, pivots.array, B.array
    check_square(name, packed)
    if b.ndim < 2:
        raise refuse(f"{name}: Expected B to have at least 2 dimensions, not {b.ndim}")
    if swaps.shape != packed.shape[:-1]:
        raise refuse(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same: they are "
            f"{list(packed.shape[:-1])} and {list(swaps.shape)}"
        )
    if swaps.dtype.kind not in "iu" or swaps.dtype is BOOL:
        raise refuse(f"{name}: Expected pivots to be integers. Got {pivots.dtype.scalar_name}")
    check_same_dtype(name, packed, b, ("LD", "B"))
    if packed.shape[-1] != b.shape[-2]:
        raise refuse(
            f"Incompatible matrix sizes for {name}: each A matrix is {packed.shape[-1]} by "
            f"{packed.shape[-1]} but each b matrix is {b.shape[-2]} by {b.shape[-1]}"
        )
    size = packed.shape[-1]
    if swaps.size and (np.abs(swaps).max() > size or (swaps == 0).any()):
        raise ScriptError("IndexError", f"{name}: pivots must be between 1 and {size} in size")
    if size and not ldl.are_whole_blocks(swaps):
        raise ScriptError("IndexError", f"{name}: negative pivots must come in pairs")
    return Tensor(ldl.solve(packed, swaps, b, hermitian=hermitian))


out_forms(
    SAME,
    """
    linalg_lu linalg_lu_factor linalg_ldl_factor linalg_ldl_factor_ex linalg_ldl_solve
    linalg_lu_factor_ex linalg_lu_solve lu_solve lu_unpack
    """,
)
