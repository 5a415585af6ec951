"""``out=`` forms of tensors made from sizes and numbers, and of random ones."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    ANY_DTYPE,
    CASTABLE,
    FACTORY,
    SAME,
    SILENT_FACTORY,
    declare_out_variants,
    same,
)

declare_out_variants(
    CASTABLE,
    """
    aten::normal.Tensor_Tensor_out(Tensor mean, Tensor std, *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::normal.Tensor_float_out(Tensor mean, float std=1., *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::normal.float_Tensor_out(float mean, Tensor std, *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    ANY_DTYPE,
    """
    aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::_sample_dirichlet.out(Tensor self, Generator? generator=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::_standard_gamma.out(Tensor self, Generator? generator=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::binomial.out(Tensor count, Tensor prob, Generator? generator=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::cauchy.out(Tensor self, float median=0., float sigma=1., *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::geometric.out(Tensor self, float p, *, Generator? generator=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::log_normal.out(Tensor self, float mean=1., float std=2., *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::poisson.out(Tensor self, Generator? generator=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::random.from_out(Tensor self, int from, int? to, *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::random.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
    aten::random.to_out(Tensor self, int to, *, Generator? generator=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::bernoulli.Tensor_out(Tensor self, Tensor p, *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::bernoulli.float_out(Tensor self, float p=0.5, *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::exponential.out(Tensor self, float lambd=1., *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)
    aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)
    aten::uniform.out(Tensor self, float from=0., float to=1., *, Generator? generator=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    FACTORY,
    """
    aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)
    aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::hamming_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)
    aten::hamming_window.periodic_alpha_beta_out(int window_length, bool periodic, float alpha,
        float beta, *, Tensor(a!) out) -> Tensor(a!)
    aten::hamming_window.periodic_alpha_out(int window_length, bool periodic, float alpha, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::hamming_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::hann_window.out(int window_length, *, Tensor(a!) out) -> Tensor(a!)
    aten::hann_window.periodic_out(int window_length, bool periodic, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::rand_like.generator_out(Tensor self, *, Generator? generator,
        MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)
    aten::rand_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::randint_like.Tensor_generator_out(Tensor self, Tensor high, *, Generator? generator,
        MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)
    aten::randint_like.Tensor_out(Tensor self, Tensor high, *, MemoryFormat? memory_format=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::randint_like.generator_out(Tensor self, SymInt high, *, Generator? generator,
        MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)
    aten::randint_like.low_dtype_out(Tensor self, SymInt low, SymInt high, *,
        MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)
    aten::randint_like.low_generator_dtype_out(Tensor self, SymInt low, SymInt high, *,
        Generator? generator, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)
    aten::randint_like.out(Tensor self, SymInt high, *, MemoryFormat? memory_format=None,
        Tensor(a!) out) -> Tensor(a!)
    aten::randn_like.generator_out(Tensor self, *, Generator? generator,
        MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)
    aten::randn_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)
    aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)
    aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    SILENT_FACTORY,
    """
    aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out)
        -> Tensor(a!)
    aten::eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)
    aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)
    aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)
    aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)
    aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *,
        Tensor(a!) out) -> Tensor(a!)
    aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *,
        Tensor(a!) out) -> Tensor(a!)
    aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *,
        Tensor(a!) out) -> Tensor(a!)
    aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out)
        -> Tensor(a!)
    aten::normal.float_float_out(float mean, float std, SymInt[] size, *,
        Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
    aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out)
        -> Tensor(a!)
    aten::rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator,
        Tensor(a!) out) -> Tensor(a!)
    aten::randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *,
        Generator? generator, Tensor(a!) out) -> Tensor(a!)
    aten::randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out)
        -> Tensor(a!)
    aten::randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    aten::randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out)
        -> Tensor(a!)
    aten::randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)
    aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)
    aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    same("multinomial expects {result} tensor out, got: {out}"),
    """
    aten::multinomial.out(Tensor self, SymInt num_samples, bool replacement=False, *,
        Generator? generator=None, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None,
        Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    FACTORY,
    """
    aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) ->
        Tensor(a!)
    aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)
    aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!)
        out) -> Tensor(a!)
    """,
)
