"""``out=`` forms of linear algebra and Fourier transforms."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    CASTABLE,
    FACTORY,
    SAME,
    SAME_IN_PLACE,
    castable,
    complex_only,
    declare_out_variants,
    real_floating,
    same,
)

declare_out_variants(
    CASTABLE,
    """
    aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1,
        Tensor(a!) out) -> Tensor(a!)
    aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)
    aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::linalg_cholesky_ex.L(Tensor self, *, bool upper=False, bool check_errors=False,
        Tensor(a!) L, Tensor(b!) info) -> (Tensor(a!) L, Tensor(b!) info)
    aten::linalg_inv_ex.inverse(Tensor A, *, bool check_errors=False, Tensor(a!) inverse,
        Tensor(b!) info) -> (Tensor(a!) inverse, Tensor(b!) info)
    aten::linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None,
        Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values)
        -> (Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank,
        Tensor(d!) singular_values)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)
    aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::inverse.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_eigh.eigvals(Tensor self, str UPLO="L", *, Tensor(a!) eigvals,
        Tensor(b!) eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)
    aten::linalg_eigvalsh.out(Tensor self, str UPLO="L", *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_lu.out(Tensor A, *, bool pivot=True, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)
        -> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)
    aten::linalg_lu_factor.out(Tensor A, *, bool pivot=True, Tensor(a!) LU, Tensor(b!) pivots)
        -> (Tensor(a!) LU, Tensor(b!) pivots)
    aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_matrix_exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_qr.out(Tensor A, str mode="reduced", *, Tensor(a!) Q, Tensor(b!) R)
        -> (Tensor(a!) Q, Tensor(b!) R)
    aten::linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet)
        -> (Tensor(a!) sign, Tensor(b!) logabsdet)
    aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U,
        Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)
    aten::linalg_svdvals.out(Tensor A, *, str? driver=None, Tensor(a!) out) -> Tensor(a!)
    aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)
    aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)
    aten::qr.Q(Tensor self, bool some=True, *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q,
        Tensor(b!) R)
    aten::slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet)
        -> (Tensor(a!) sign, Tensor(b!) logabsdet)
    aten::svd.U(Tensor self, bool some=True, bool compute_uv=True, *, Tensor(a!) U,
        Tensor(b!) S, Tensor(c!) V) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) V)
    aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False,
        bool unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution,
        Tensor(b!) cloned_coefficient)
    aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME_IN_PLACE,
    """
    aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1,
        Tensor(a!) out) -> Tensor(a!)
    aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1,
        Tensor(a!) out) -> Tensor(a!)
    aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1,
        Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
    aten::cross.out(Tensor self, Tensor other, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    FACTORY,
    """
    aten::bartlett_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)
    aten::bartlett_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::blackman_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)
    aten::blackman_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::fft_fftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)
    aten::fft_rfftfreq.out(int n, float d=1., *, Tensor(a!) out) -> Tensor(a!)
    aten::kaiser_window.beta_out(int window_length, bool periodic, float beta, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::kaiser_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)
    aten::kaiser_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("self and mat2 must have the same dtype, but got {out} and {result}"),
    """
    aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1,
        Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("multi_dot(): expected out tensor to have dtype {c_result} but got {c_out}"),
    """
    aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "cholesky: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::cholesky.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "cholesky_inverse: Expected result to be safely castable from {result} dtype, but got "
        "result with dtype {out}"
    ),
    """
    aten::cholesky_inverse.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "cholesky_solve: Expected result to be safely castable from {result} dtype, but got "
        "result with dtype {out}"
    ),
    """
    aten::cholesky_solve.out(Tensor self, Tensor input2, bool upper=False, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("result dtype {out} does not match input dtype {result}"),
    """
    aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)
    aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("fft expects a complex output tensor, but got {out}"),
    """
    aten::fft_fft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("fftn expects a complex output tensor, but got {out}"),
    """
    aten::fft_fft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_fftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_ifft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_ifftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    real_floating("hfft expects a floating point output tensor, but got {out}"),
    """
    aten::fft_hfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    real_floating("hfftn expects a floating point output tensor, but got {out}"),
    """
    aten::fft_hfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_hfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("ihfftn expects a complex output tensor, but got {out}"),
    """
    aten::fft_ihfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_ihfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("ifft expects a complex output tensor, but got {out}"),
    """
    aten::fft_ifft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("ihfft expects a complex output tensor, but got {out}"),
    """
    aten::fft_ihfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    real_floating("irfft expects a floating point output tensor, but got {out}"),
    """
    aten::fft_irfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    real_floating("irfftn expects a floating point output tensor, but got {out}"),
    """
    aten::fft_irfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_irfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("rfft expects a complex output tensor, but got {out}"),
    """
    aten::fft_rfft.out(Tensor self, SymInt? n=None, int dim=-1, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    complex_only("rfftn expects a complex output tensor, but got {out}"),
    """
    aten::fft_rfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::fft_rfftn.out(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "tensordot: Expected the output tensor to have dtype {result}, but got an output tensor "
        "with dtype {out}"
    ),
    """
    aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
    aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "linalg.cond: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_cond.out(Tensor self, Scalar? p=None, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    (
        castable(
            "torch.linalg.eig: Expected eigenvalues to be safely castable from {result} dtype, "
            "but got eigenvalues with dtype {out}"
        ),
        castable(
            "torch.linalg.eig: Expected eigenvectors to be safely castable from {result} dtype, "
            "but got eigenvectors with dtype {out}"
        ),
    ),
    """
    aten::linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)
        -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)
    """,
)
declare_out_variants(
    castable(
        "torch.linalg.eigvals: Expected eigenvalues to be safely castable from {result} dtype, "
        "but got eigenvalues with dtype {out}"
    ),
    """
    aten::linalg_eigvals.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("linalg.matrix_norm expected out tensor dtype {result} but got: {out}"),
    """
    aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord="fro", int[] dim=[-2, -1],
        bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    aten::nuclear_norm.dim_out(Tensor self, int[2] dim, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::nuclear_norm.out(Tensor self, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "torch.linalg.matrix_rank: Expected result to be safely castable from {result} dtype, "
        "but got result with dtype {out}"
    ),
    """
    aten::linalg_matrix_rank.atol_rtol_float_out(Tensor self, *, float? atol=None,
        float? rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_matrix_rank.out(Tensor self, float tol, bool hermitian=False, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "linalg.pinv: Expected result to be safely castable from {result} dtype, but got result "
        "with dtype {out}"
    ),
    """
    aten::linalg_pinv.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None,
        bool hermitian=False, Tensor(a!) out) -> Tensor(a!)
    aten::linalg_pinv.out(Tensor self, float rcond, bool hermitian=False, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("expected scalar type {result} but found {out}"),
    """
    aten::linalg_solve_triangular.out(Tensor self, Tensor B, *, bool upper, bool left=True,
        bool unitriangular=False, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("linalg.vecdot: Expected out of dtype{result} but found {out}"),
    """
    aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("addmv input tensors must have the same dtype, but got {out}, {result}, and {result}"),
    """
    aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
