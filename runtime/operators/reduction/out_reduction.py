"""``out=`` forms of reductions, cumulative operators and norms."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    CASTABLE,
    IN_DTYPE_OF_OUT,
    IN_FLOATING_DTYPE_OF_OUT,
    SAME,
    SAME_IN_PLACE,
    castable,
    declare_out_variants,
    floating,
    same,
    truth,
)

declare_out_variants(
    CASTABLE,
    """
    aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None,
        bool keepdim=False, Tensor(a!) out) -> Tensor(a!)
    aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None,
        bool keepdim=False, Tensor(a!) out) -> Tensor(a!)
    aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min,
        Tensor(b!) max) -> (Tensor(a!) min, Tensor(b!) max)
    aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::bincount.out(Tensor self, Tensor? weights=None, SymInt minlength=0, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)
    aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)
    aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None,
        bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max,
        Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)
    aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min,
        Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)
    aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, Tensor(a!) out)
        -> Tensor(a!)
    aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)
    aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype,
        Tensor(a!) out) -> Tensor(a!)
    aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::std_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None,
        bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None,
        bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    """,
)
declare_out_variants(
    SAME_IN_PLACE,
    """
    aten::renorm.out(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    IN_DTYPE_OF_OUT,
    """
    aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::nanmean.out(Tensor self, int[1]? dim=None, bool keepdim=False, *,
        ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *,
        ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *,
        ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    IN_FLOATING_DTYPE_OF_OUT,
    """
    aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    truth("all only supports bool tensor for result, got: {out}"),
    """
    aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "Expected the dtype for input and out to match, but got {result} for input's dtype and "
        "{out} for out's dtype."
    ),
    """
    aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    truth("any only supports bool tensor for result, got: {out}"),
    """
    aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("expected scalar_type {result} but found {out}"),
    """
    aten::cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices)
        -> (Tensor(a!) values, Tensor(b!) indices)
    aten::cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices)
        -> (Tensor(a!) values, Tensor(b!) indices)
    aten::logcumsumexp.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
        "{c_result} and hist {c_out}"
    ),
    """
    aten::histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("linalg.norm expected out tensor dtype {result} but got: {out}"),
    """
    aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False,
        *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    floating("logsumexp(): Expected floating point type for result tensor, but got: {out}"),
    """
    aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    castable(
        "Expected canCast( typeMetaToScalarType(self.dtype()), "
        "typeMetaToScalarType(out.dtype())) to be true, but got false."
        "  (Could this error message be improved?  If so, please report an enhancement request "
        "to PyTorch.)"
    ),
    """
    aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but "
        "type torch.{out}Tensor does not equal torch.{result}Tensor (while checking arguments for "
        "median)"
    ),
    """
    aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values,
        Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values,
        Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    """,
)
declare_out_variants(
    (
        same("expected scalar type '{result}' but got '{out}' for values output"),
        same("expected scalar type '{result}' but got '{out}' for indices output"),
    ),
    """
    aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values,
        Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    """,
)
declare_out_variants(
    same("quantile() out tensor must be same dtype as the input tensor"),
    """
    aten::quantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *,
        str interpolation="linear", Tensor(a!) out) -> Tensor(a!)
    aten::quantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *,
        str interpolation="linear", Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable("mean.dtype_out(): input types can't be cast to the desired output type {out}"),
    """
    aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("quantile() out tensor must be same dtype as the input tensor"),
    """
    aten::nanquantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str
        interpolation="linear", Tensor(a!) out) -> Tensor(a!)
    aten::nanquantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *,
        str interpolation="linear", Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("Expected result to be of dtype uint64, but got {out}"),
    """
    aten::hash_tensor.out(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
