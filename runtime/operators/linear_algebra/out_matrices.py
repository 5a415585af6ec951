"""``out=`` forms of matrix factors, solvers and tolerances."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import SAME, castable, declare_out_variants, same

declare_out_variants(
    SAME,
    """
    aten::_linalg_det.result(Tensor A, *, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots)
        -> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots)
    aten::_linalg_eigh.eigenvalues(Tensor A, str UPLO="L", bool compute_v=True, *, Tensor(a!)
        eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)
    aten::_linalg_slogdet.sign(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!)
        LU, Tensor(d!) pivots) -> (Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU,
        Tensor(d!) pivots)
    aten::_linalg_solve_ex.result(Tensor A, Tensor B, *, bool left=True, bool
        check_errors=False, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info)
        -> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info)
    aten::_linalg_svd.U(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str?
        driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S,
        Tensor(c!) Vh)
    aten::linalg_ldl_factor.out(Tensor self, *, bool hermitian=False, Tensor(a!) LD,
        Tensor(b!) pivots) -> (Tensor(a!) LD, Tensor(b!) pivots)
    aten::linalg_ldl_factor_ex.out(Tensor self, *, bool hermitian=False, bool
        check_errors=False, Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LD,
        Tensor(b!) pivots, Tensor(c!) info)
    aten::linalg_ldl_solve.out(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False,
        Tensor(a!) out) -> Tensor(a!)
    aten::linalg_lu_factor_ex.out(Tensor A, *, bool pivot=True, bool check_errors=False,
        Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LU, Tensor(b!) pivots,
        Tensor(c!) info)
    aten::linalg_lu_solve.out(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool
        adjoint=False, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False,
        Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info)
    aten::lu_solve.out(Tensor self, Tensor LU_data, Tensor LU_pivots, *, Tensor(a!) out) ->
        Tensor(a!)
    aten::lu_unpack.out(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool
        unpack_pivots=True, *, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P,
        Tensor(b!) L, Tensor(c!) U)
    """,
)
declare_out_variants(
    (
        castable(
            "torch.geqrf: Expected a to be safely castable from {result} dtype, but got a "
            "with dtype {out}"
        ),
        castable(
            "torch.geqrf: Expected tau to be safely castable from {result} dtype, but got tau "
            "with dtype {out}"
        ),
    ),
    """
    aten::geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!)
        tau)
    """,
)
declare_out_variants(
    castable(
        "linalg.cond: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_cond.p_str_out(Tensor self, str p, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "torch.linalg.householder_product: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_householder_product.out(Tensor input, Tensor tau, *, Tensor(a!) out) ->
        Tensor(a!)
    aten::orgqr.out(Tensor self, Tensor input2, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "torch.ormqr: Expected input and result to have the same dtype, but input has dtype"
        "{result} and result has dtype {out}"
    ),
    """
    aten::ormqr.out(Tensor self, Tensor input2, Tensor input3, bool left=True, bool
        transpose=False, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("linalg.matrix_norm expected out tensor dtype {result} but got: {out}"),
    """
    aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool
        keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("linalg.norm expected out tensor dtype {result} but got: {out}"),
    """
    aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False,
        *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "torch.linalg.matrix_rank: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_matrix_rank.atol_rtol_tensor_out(Tensor input, *, Tensor? atol=None, Tensor?
        rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_matrix_rank.out_tol_tensor(Tensor input, Tensor tol, bool hermitian=False, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "linalg.pinv: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_pinv.atol_rtol_tensor_out(Tensor self, *, Tensor? atol=None, Tensor?
        rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_pinv.out_rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "tensorinv: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_tensorinv.out(Tensor self, int ind=2, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "tensorsolve: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_tensorsolve.out(Tensor self, Tensor other, int[]? dims=None, *, Tensor(a!)
        out) -> Tensor(a!)
    """,
)
