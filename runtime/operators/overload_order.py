"""The order of overloads whose families are declared apart.

Overloads of one name are tried in PyTorch's order. Where it is not that of the families, it is listed
here: the name, and its overloads, of which ``-`` has no name.
"""

from __future__ import annotations

_ORDERS = """
aten::Complex: Scalar Tensor_Tensor int_bool bool_int float_bool bool_float float_int int_float
    int_int bool_bool float_float Tensor_float float_Tensor Tensor_int int_Tensor Tensor_bool
    bool_Tensor
aten::__contains__: int_list str_list str int bool float complex Tensor float_list
aten::__getitem__: t str Dict_str Dict_int Dict_bool Dict_float Dict_complex Dict_Tensor
aten::_batch_norm_with_update: out -
aten::_native_batch_norm_legit: - no_stats out no_stats_out
aten::_upsample_lanczos2d_aa: - out vec
aten::_upsample_nearest_exact1d: - out vec
aten::_upsample_nearest_exact2d: - out vec
aten::_upsample_nearest_exact3d: - out vec
aten::add: Tensor Scalar out Scalar_out t str int complex float int_complex complex_int
    float_complex complex_float int_float float_int -
aten::all: - dim dims out dims_out all_out int float bool
aten::any: - dim dims out dims_out all_out str int float bool
aten::arange: - start start_step start_out out
aten::bernoulli: - out p Tensor Tensor_out float_out
aten::bitwise_and: Tensor Scalar Scalar_Tensor Tensor_out Scalar_out Scalar_Tensor_out
aten::bitwise_left_shift: Tensor Tensor_Scalar Scalar_Tensor Tensor_out Tensor_Scalar_out
    Scalar_Tensor_out
aten::bitwise_or: Tensor Scalar Scalar_Tensor Tensor_out Scalar_out Scalar_Tensor_out
aten::bitwise_right_shift: Tensor Tensor_Scalar Scalar_Tensor Tensor_out Tensor_Scalar_out
    Scalar_Tensor_out
aten::bitwise_xor: Tensor Scalar Scalar_Tensor Tensor_out Scalar_out Scalar_Tensor_out
aten::bucketize: Tensor Scalar Tensor_out Scalar_out
aten::clamp: - Tensor out Tensor_out
aten::clamp_max: - Tensor out Tensor_out
aten::clamp_min: - Tensor out Tensor_out
aten::copysign: Tensor Scalar out Scalar_out int float int_float float_int -
aten::count: - int float bool Tensor str
aten::div: Tensor Scalar Tensor_mode Scalar_mode out out_mode Scalar_out Scalar_mode_out int complex
    float -
aten::eye: - m out m_out
aten::fill: Scalar Scalar_out Tensor Tensor_out
aten::float_power: Tensor_Tensor Tensor_Scalar Scalar Tensor_Tensor_out Scalar_out Tensor_Scalar_out
aten::fmod: Tensor Scalar Tensor_out Scalar_out int float int_float float_int -
aten::get: str default_str int default_int bool default_bool float default_float complex
    default_complex Tensor default_Tensor
aten::greater: Tensor Scalar Scalar_out Tensor_out
aten::greater_equal: Tensor Scalar Scalar_out Tensor_out
aten::hamming_window: - periodic periodic_alpha periodic_alpha_beta out periodic_out
    periodic_alpha_out periodic_alpha_beta_out
aten::histogram: bins_tensor bins_tensor_out bin_ct bin_ct_out
aten::index: Tensor Tensor_out Tensor_hacked_twin str list_int list_float list_bool list_Tensor
    list_str
aten::index_put: - out hacked_twin
aten::isin: Tensor_Tensor Tensor_Tensor_out Tensor_Scalar Tensor_Scalar_out Scalar_Tensor
    Scalar_Tensor_out
aten::kaiser_window: - periodic beta out periodic_out beta_out
aten::len: t Tensor str Dict_str Dict_int Dict_bool Dict_float Dict_complex Dict_Tensor any
aten::less: Tensor Scalar Scalar_out Tensor_out
aten::less_equal: Tensor Scalar Scalar_out Tensor_out
aten::linalg_matrix_norm: - str_ord out str_ord_out
aten::linalg_matrix_rank: - tol_tensor atol_rtol_tensor atol_rtol_float atol_rtol_tensor_out
    atol_rtol_float_out out out_tol_tensor
aten::linalg_pinv: - atol_rtol_float atol_rtol_tensor atol_rtol_tensor_out atol_rtol_float_out out
    rcond_tensor out_rcond_tensor
aten::linspace: Tensor_Tensor Tensor_Scalar Scalar_Tensor - out Tensor_Tensor_out Tensor_Scalar_out
    Scalar_Tensor_out
aten::list: - t
aten::logspace: Tensor_Tensor Tensor_Scalar Scalar_Tensor - out Tensor_Tensor_out Tensor_Scalar_out
    Scalar_Tensor_out
aten::masked_fill: Scalar Scalar_out Tensor Tensor_out
aten::max: other - dim dim_max unary_out out
aten::median: - dim dim_values out
aten::min: other - dim dim_min unary_out out
aten::mul: Tensor Scalar out Scalar_out left_t right_ int complex float int_complex complex_int
    float_complex complex_float int_float float_int -
aten::nanmedian: - dim dim_values out
aten::norm: Scalar ScalarOpt_dim ScalarOpt_dim_dtype dtype_out out ScalarOpt_dtype
    ScalarOpt_dtype_out Scalar_out
aten::normal: Tensor_float Tensor_float_out float_Tensor_out float_Tensor Tensor_Tensor
    Tensor_Tensor_out float_float float_float_out out
aten::not_equal: Tensor Scalar Scalar_out Tensor_out
aten::nuclear_norm: - dim out dim_out
aten::pop: t Dict_str Dict_default_str Dict_int Dict_default_int Dict_bool Dict_default_bool
    Dict_float Dict_default_float Dict_complex Dict_default_complex Dict_Tensor Dict_default_Tensor
aten::pow: Tensor_Tensor Tensor_Scalar Scalar Tensor_Tensor_out Scalar_out Tensor_Scalar_out int
    complex float int_float float_int float_complex complex_float Scalar_Scalar int_to_int
aten::prod: - dim_int int_out out
aten::rand: - generator out generator_out
aten::rand_like: - generator out generator_out
aten::randint: - generator low low_generator out generator_out low_out low_generator_out
aten::randint_like: - Tensor low_dtype generator Tensor_generator low_generator_dtype out
    generator_out Tensor_out Tensor_generator_out low_dtype_out low_generator_dtype_out
aten::randn: - generator out generator_out
aten::randn_like: - generator out generator_out
aten::random: from from_out to to_out - out
aten::randperm: - generator out generator_out
aten::remainder: Tensor Scalar Scalar_Tensor Tensor_out Scalar_out Scalar_Tensor_out int float
    int_float float_int -
aten::round: - decimals out decimals_out int float Scalar
aten::rsub: Tensor Scalar Tensor_out Scalar_out
aten::scatter: value src reduce value_reduce src_out value_out reduce_out value_reduce_out
aten::searchsorted: Tensor Tensor_out Scalar Scalar_out
aten::set: source_Tensor source_Tensor_out - out
aten::set_: source_Tensor - source_Tensor_storage_offset
aten::sort: - stable values_stable values int float Tensor bool str any
aten::split: Tensor sizes str -
aten::squeeze_copy: - dim dims out dim_out dims_out
aten::subtract: Tensor out Scalar
aten::sum: dim_IntList - IntList_out out int float complex bool
aten::view_copy: - dtype out dtype_out
prim::abs: int float complex Scalar -
"""


def _read(text: str) -> dict[str, tuple[str, ...]]:
    orders: dict[str, tuple[str, ...]] = {}
    for entry in text.replace("\n    ", " ").strip().split("\n"):
        name, _, overloads = entry.partition(": ")
        orders[name] = tuple("" if each == "-" else each for each in overloads.split())
    return orders


OVERLOAD_ORDER = _read(_ORDERS)
