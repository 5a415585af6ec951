"""Regions of automatic casts: in which dtype operators run there, as PyTorch 2.13 has it for CPUs.

``wrap_with_autocast(device, dtype, enabled, cache_enabled, graph, *operands)`` calls a graph in which operators are
called as they were written; their operands are cast when it runs. Tensors of float64, and those that are no floating
point numbers, are never cast.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_LOWER_NAMES: Final = """
_addmm_activation _convolution.deprecated _native_multi_head_attention addbmm addmm baddbmm bmm conv1d conv1d.padding
conv2d conv2d.padding conv3d conv3d.padding conv_tbc conv_transpose1d conv_transpose2d.input conv_transpose3d.input
linalg_vecdot linear lstm.input matmul mkldnn_rnn_layer mm prelu scaled_dot_product_attention
"""
_WIDE_NAMES: Final = """
_grid_sampler_2d_cpu_fallback _lu_with_info adaptive_avg_pool3d adaptive_max_pool3d avg_pool3d binary_cross_entropy
binary_cross_entropy_with_logits cdist cholesky cholesky_inverse cholesky_solve cosine_embedding_loss
cross_entropy_loss ctc_loss.IntList ctc_loss.Tensor fake_quantize_per_tensor_affine fft_fft fft_fft2 fft_fftn fft_hfft
fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftn
fractional_max_pool2d fractional_max_pool3d geqrf grid_sampler grid_sampler_2d grid_sampler_3d hinge_embedding_loss
huber_loss inverse kl_div l1_loss linalg_cholesky linalg_cholesky_ex linalg_cond linalg_cond.p_str linalg_eig
linalg_eigh linalg_eigvals linalg_eigvalsh linalg_householder_product linalg_inv linalg_inv_ex linalg_lstsq
linalg_matrix_rank linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor linalg_matrix_rank.tol_tensor
linalg_qr linalg_solve linalg_svd linalg_svdvals linalg_tensorinv linalg_tensorsolve lu_solve margin_ranking_loss
max_pool3d max_unpool2d max_unpool3d mse_loss multi_margin_loss multilabel_margin_loss multilabel_margin_loss_forward
nanquantile nanquantile.scalar nll_loss nll_loss2d nll_loss_nd orgqr ormqr pinverse poisson_nll_loss polar prod
prod.dim_int qr quantile quantile.scalar reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d
replication_pad3d smooth_l1_loss soft_margin_loss stft stft.center svd trace triangular_solve triplet_margin_loss
view_as_complex
"""
_INSIDE_NAMES: Final = """
_trilinear affine_grid_generator bilinear chain_matmul corrcoef cov einsum gru gru_cell inner linalg_matmul
linalg_matrix_power linalg_multi_dot linalg_pinv lstm lstm_cell pad rnn_relu rnn_relu_cell rnn_tanh
rnn_tanh_cell tensordot
"""
LOWER: Final = frozenset(f"aten::{name}" for name in _LOWER_NAMES.split())
"""Operators that run in the dtype of the region; an LSTM does so as PyTorch calls oneDNN for it."""
WIDE: Final = frozenset(f"aten::{name}" for name in _WIDE_NAMES.split())
"""Operators that run in float32."""
WIDEST: Final = frozenset({"aten::cat", "aten::index_copy", "aten::stack"})
"""Operators that run in the widest dtype of their operands."""
_INSIDE: Final = frozenset(f"aten::{name}" for name in _INSIDE_NAMES.split())
"""Operators that are not cast, and are made of others that are."""
_CAST: Final = ("float16", "bfloat16", "float32")
DEFAULT: Final = "bfloat16"
"""The dtype of a region that tells none."""


def cast_dtype(operator: str, lower: str, dtypes: Iterable[str]) -> str | None:
    """The dtype to which an operator's operands of `dtypes` are cast in a region of the dtype `lower`.

    Dtypes are told by their names. None for an operator whose operands stay as they are.
    """
    if operator in LOWER:
        return lower
    if operator in WIDE:
        return "float32"
    if operator in WIDEST:
        return "float32" if "float32" in dtypes else lower
    return None


def casts_inside(operator: str) -> bool:
    """Whether an operator is made of others of which some are cast: it has to be decomposed first."""
    return operator not in LOWER and operator.partition(".")[0] in _INSIDE


def is_cast(dtype: str, wanted: str) -> bool:
    """Whether a tensor of a dtype is cast to the one that is wanted."""
    return dtype in _CAST and dtype != wanted


def dtype_inside(around: str | None, device: str, dtype: str | None, enabled: bool) -> str | None:
    """The dtype of a region in another one, None where nothing is cast; those of other devices change nothing."""
    if device != "cpu":
        return around
    return (dtype or DEFAULT) if enabled else None
