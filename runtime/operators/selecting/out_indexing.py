"""``out=`` forms of operators that index, sort, join and copy."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    CASTABLE,
    SAME,
    SAME_IN_PLACE,
    castable,
    declare_out_variants,
    same,
)

declare_out_variants(
    CASTABLE,
    """
    aten::diff.out(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None,
        *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::_conj_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *,
        Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False,
        bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2)
        -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False,
        Tensor(a!) out) -> Tensor(a!)
    aten::as_strided_copy.out(Tensor self, SymInt[] size, SymInt[] stride,
        SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False,
        bool right=False, Tensor(a!) out) -> Tensor(a!)
    aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::diagonal_copy.out(Tensor self, int offset=0, int dim1=0, int dim2=1, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::expand_copy.out(Tensor self, SymInt[] size, *, bool implicit=False, Tensor(a!) out)
        -> Tensor(a!)
    aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)
    aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::permute_copy.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)
    aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)
    aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out)
        -> Tensor(a!)
    aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)
    aten::select_copy.int_out(Tensor self, int dim, SymInt index, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::slice_copy.Tensor_out(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None,
        SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None,
        SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values,
        Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False,
        Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
    aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)
    aten::squeeze_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::t_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *,
        Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    aten::transpose_copy.int_out(Tensor self, int dim0, int dim1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::unfold_copy.out(Tensor self, int dimension, int size, int step, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::unique_consecutive.out(Tensor self, bool return_inverse=False,
        bool return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1,
        Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False,
        bool return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2)
        -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)
    aten::view_as_complex_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::view_as_real_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::view_copy.dtype_out(Tensor self, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)
    aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME_IN_PLACE,
    """
    aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1,
        Tensor(a!) out) -> Tensor(a!)
    aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce,
        Tensor(a!) out) -> Tensor(a!)
    aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *,
        str reduce, Tensor(a!) out) -> Tensor(a!)
    aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *,
        bool include_self=True, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    castable("torch.cat(): input types can't be cast to the desired output type {out}"),
    """
    aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
        "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's "
        "dtype {out} and out_int32 flag is {is_int32}"
    ),
    """
    aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False,
        bool right=False, Tensor(a!) out) -> Tensor(a!)
    aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False,
        bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)
    aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False,
        bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
        "{c_result} and hist {c_out}"
    ),
    """
    aten::histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None,
        Tensor? weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges)
        -> (Tensor(a!) hist, Tensor(b!) bin_edges)
    aten::histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None,
        bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist,
        Tensor(b!) bin_edges)
    """,
)
declare_out_variants(
    same("index_out: self ({result}) and result ({out}) must have the same scalar type"),
    """
    aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("index_select(): self and result must have the same scalar type"),
    """
    aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    (
        same("output values must be of same type as input"),
        same("output indices must be of scalar type {result}"),
    ),
    """
    aten::kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *,
        Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)
    """,
)
declare_out_variants(
    same("masked_select(): self and result must have the same scalar type"),
    """
    aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "Expected self.dtype() == output.dtype() to be true, but got false."
        "  (Could this error message be improved?  If so, please report an enhancement request "
        "to PyTorch.)"
    ),
    """
    aten::narrow_copy.out(Tensor self, int dim, SymInt start, SymInt length, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("nonzero: Expected out tensor to have scalar type {result} but got scalar type{out}"),
    """
    aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same(
        "take(): self and out expected to have the same dtype, but got self.dtype = {result} and "
        "out.dtype = {out}"
    ),
    """
    aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("Expected out type to be {result} but got {out}"),
    """
    aten::where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("gather(): Expected self.dtype to be equal to result.dtype"),
    """
    aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out)
        -> ()
    aten::split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *,
        Tensor(a!)[] out) -> ()
    aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()
    aten::unsafe_split.Tensor_out(Tensor self, SymInt split_size, int dim=0, *,
        Tensor(a!)[] out) -> ()
    aten::unsafe_split_with_sizes.out(Tensor self, SymInt[] split_sizes, int dim=0, *,
        Tensor(a!)[] out) -> ()
    """,
)
declare_out_variants(
    SAME,
    """
    aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride,
        SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *,
        bool include_self=True, Tensor(a!) out) -> Tensor(a!)
    aten::segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, Tensor?
        indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, bool
        return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!),
        Tensor(b!), Tensor(c!))
    """,
)
declare_out_variants(
    same(
        "nonzero_static: Expected out tensor to have scalar type {result} but got scalar type{out}"
    ),
    """
    aten::nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    castable("torch.cat(): input types can't be cast to the desired output type {out}"),
    """
    aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) ->
        Tensor(a!)
    """,
)
