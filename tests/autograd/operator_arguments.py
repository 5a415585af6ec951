"""Arguments of operators whose schemas do not tell what they take; those that are left out are their defaults.

``x(2, 3)`` is a tensor of these sizes that requires a gradient, ``z`` a complex one, ``c`` one that requires none,
``i`` makes integers, ``symmetric`` and ``positive`` make such matrices.
"""

from __future__ import annotations

_TEXT = """
clamp clip: x(3), 0.4, 0.7
imag view_as_real view_as_real_copy: z(3)
copy_ copy_.Tensor fill_.Tensor: x(3) * 1, x()
fill_.Scalar random_.to: x(3) * 1, 2
zero_ normal_ uniform_ random_ bernoulli_.float exponential_ log_normal_ cauchy_: x(3) * 1
random_.from: x(3) * 1, 2, 5
copy_.int: x(3) * 1, 2
geometric_ copy_.float: x(3) * 1, 0.5
bernoulli_.Tensor: x(3) * 1, c(3)
bernoulli.p: x(3), 0.5
special_zeta.self_scalar: 2.5, x(3)
special_zeta: c(3) + 1.2, x(3)
igamma igammac special_gammainc special_gammaincc: c(3), x(3)
_softmax _log_softmax: x(2, 3), 1, False
feature_dropout: x(2, 3, 2), 0.5, True
alpha_dropout: x(2, 3), 0.5, True
feature_alpha_dropout: x(2, 3, 2), 0.5, True
squeeze.dims squeeze_copy.dims: x(1, 3, 1), [0, 2]
permute permute_copy: x(2, 1, 3), [2, 0, 1]
narrow.Tensor: x(4), 0, i([1]).sum(), 2
unfold unfold_copy: x(5), 0, 2, 1
tensor_split.tensor_indices_or_sections: x(5), i([1, 3])
repeat_interleave.self_Tensor: x(3), i([1, 0, 2])
diagonal_scatter: x(2, 3), x(2)
select_scatter: x(2, 3), x(3), 0, 1
constant_pad_nd pad: x(2, 3), [1, -1, 0, 2]
reflection_pad1d replication_pad1d: x(1, 4), [1, 2]
reflection_pad2d replication_pad2d: x(1, 3, 3), [1, 2, 0, 1]
reflection_pad3d replication_pad3d: x(1, 2, 2, 2), [1, 1, 0, 1, 1, 0]
im2col: x(1, 1, 3, 3), [2, 2], [1, 1], [0, 1], [1, 1]
col2im: x(1, 4, 6), [3, 4], [2, 2], [1, 1], [0, 0], [1, 1]
index_reduce scatter_reduce.two: x(3), 0, i([0, 2, 0]), x(3), 'prod'
index_put index_put.hacked_twin _unsafe_index_put: x(3, 2), [i([2, 0])], x(2, 2)
index_copy: x(3), 0, i([2, 0]), x(2)
scatter.src: x(3), 0, i([2, 0]), x(2)
put: x(2, 2), i([3, 0]), x(2)
bmm: x(2, 2, 3), x(2, 3, 1)
mv: x(2, 3), x(3)
addmv: x(2), x(2, 3), x(3)
baddbmm: x(2, 2, 1), x(2, 2, 3), x(2, 3, 1)
addbmm: x(2, 1), x(2, 2, 3), x(2, 3, 1)
bilinear: x(2, 2), x(2, 3), x(2, 2, 3), x(2)
cov: x(2, 4)
einsum: 'ij,jk->ki', [x(2, 3), x(3, 2)]
cholesky: positive(x(2, 2))
linalg_eigh _linalg_eigh linalg_eigvalsh: symmetric(x(2, 2))
linalg_pinv.atol_rtol_tensor: x(2, 3)
linalg_pinv.rcond_tensor: x(2, 3), c().abs() * 1e-4
linalg_pinv: x(2, 3), 1e-6
lu_unpack: x(3, 3), pivots(3)
lu_solve: x(3, 2), x(3, 3), pivots(3)
linalg_lu_solve: x(3, 3), pivots(3), x(3, 2)
convolution: x(1, 2, 4), x(2, 1, 2), x(2), [1], [1], [1], False, [0], 2
_convolution.deprecated: x(1, 2, 4), x(2, 1, 2), x(2), [1], [1], [1], False, [0], 2, False, False, False
_convolution: x(1, 2, 4), x(2, 1, 2), x(2), [1], [1], [1], False, [0], 2, False, False, False, False
conv1d: x(1, 2, 4), x(2, 2, 2), x(2), [2], [1]
conv2d: x(1, 2, 3, 3), x(2, 2, 2, 2), x(2), [2, 1], [1, 0]
conv3d: x(1, 1, 2, 2, 3), x(1, 1, 2, 1, 2), x(1)
conv1d.padding: x(1, 2, 4), x(2, 2, 3), x(2), [1], 'same'
conv2d.padding: x(1, 1, 3, 3), x(1, 1, 2, 2), x(1), [1, 1], 'same'
conv3d.padding: x(1, 1, 2, 2, 2), x(1, 1, 1, 2, 1), x(1), [1, 1, 1], 'same'
conv_transpose1d: x(1, 2, 3), x(2, 2, 2), x(2), [2]
conv_transpose2d.input: x(1, 1, 2, 2), x(1, 2, 2, 2), x(2), [2, 1]
conv_transpose3d.input: x(1, 1, 1, 2, 2), x(1, 1, 2, 1, 2), x(1)
adaptive_max_pool2d adaptive_avg_pool2d _adaptive_avg_pool2d: x(1, 3, 4), [2, 2]
adaptive_max_pool3d adaptive_avg_pool3d _adaptive_avg_pool3d: x(1, 2, 3, 3), [1, 2, 2]
fractional_max_pool2d: x(1, 1, 4, 4), [2, 2], [2, 2], c(1, 1, 2)
fractional_max_pool3d: x(1, 1, 3, 4, 3), [2, 2, 2], [1, 2, 1], c(1, 1, 3)
max_unpool2d: x(1, 1, 2, 2), i([[[[0, 3], [8, 15]]]]), [4, 4]
max_unpool3d: x(1, 1, 1, 1, 2), i([[[[[1, 6]]]]]), [2, 2, 2], [2, 2, 2], [0, 0, 0]
upsample_nearest2d _upsample_nearest_exact2d: x(1, 1, 2, 3), [3, 4]
upsample_nearest3d _upsample_nearest_exact3d: x(1, 1, 1, 2, 2), [2, 3, 2]
upsample_nearest1d.vec _upsample_nearest_exact1d.vec: x(1, 2, 3), [5], None
upsample_nearest2d.vec _upsample_nearest_exact2d.vec: x(1, 1, 2, 3), None, [1.5, 2.0]
upsample_nearest3d.vec _upsample_nearest_exact3d.vec: x(1, 1, 1, 2, 2), [2, 3, 2], None
upsample_linear1d.vec: x(1, 2, 3), [5], False, None
upsample_bilinear2d.vec upsample_bicubic2d.vec: x(1, 1, 2, 3), [3, 4], True, None
upsample_trilinear3d.vec: x(1, 1, 1, 2, 2), [2, 3, 2], False, None
upsample_bilinear2d upsample_bicubic2d: x(1, 1, 2, 3), [3, 4], False
_upsample_bilinear2d_aa _upsample_bicubic2d_aa: x(1, 1, 4, 3), [2, 2], False
_upsample_bilinear2d_aa.vec _upsample_bicubic2d_aa.vec: x(1, 1, 4, 3), [2, 2], False, None
upsample_trilinear3d: x(1, 1, 1, 2, 2), [2, 3, 2], True
layer_norm native_layer_norm: x(2, 3), [3], x(3), x(3), 0.1
rms_norm: x(2, 3), [3], x(3)
group_norm: x(2, 4, 2), 2, x(4), x(4)
batch_norm: x(3, 2), x(2), x(2), None, None, True, 0.1, 0.1, False
native_batch_norm: x(3, 2), x(2), x(2), None, None, True, 0.1, 0.1
_native_batch_norm_legit: x(3, 2), x(2), x(2), c(2), c(2), True, 0.1, 0.1
_native_batch_norm_legit.no_stats: x(3, 2), x(2), x(2), True, 0.1, 0.1
_native_batch_norm_legit_no_training: x(3, 2), x(2), x(2), c(2), c(2).abs(), 0.1, 0.1
_batch_norm_with_update: x(3, 2), x(2), x(2), c(2), c(2), 0.1, 0.1
instance_norm: x(2, 2, 3), x(2), x(2), None, None, True, 0.1, 0.1, False
multi_margin_loss nll_loss nll_loss_nd: x(2, 3), i([2, 0])
nll_loss2d: x(1, 3, 1, 2), i([[[2, 0]]])
ctc_loss.Tensor: x(4, 2, 3).log_softmax(2), i([[1, 2], [1, 1]]), i([4, 3]), i([2, 1])
ctc_loss.IntList: x(4, 2, 3).log_softmax(2), i([[1, 2], [1, 1]]), [4, 3], [2, 1]
stft stft.center: x(9), 4, 2, None, x(4), return_complex=True
istft: tsc.stft(x(9), 4, 1, return_complex=True), 4, 1, None, x(4) + 2
gradient.scalararray: x(4, 2), spacing=0.5, dim=[0]
gradient.array: x(4, 3), dim=[0, 1]
gradient.scalarrayarray: x(4, 3), spacing=[0.5, 2.0], dim=[0, 1]
gradient.tensorarray: x(4), spacing=[c(4).cumsum(0)], dim=[0]
lstm_cell: x(1, 2), [x(1, 2), x(1, 2)], x(8, 2), x(8, 2), x(8), x(8)
gru_cell: x(1, 2), x(1, 2), x(6, 2), x(6, 2), x(6), x(6)
lstm.input: x(2, 1, 2), [x(1, 1, 2), x(1, 1, 2)], [x(8, 2), x(8, 2)], False, 1, 0.0, True, False, False
gru.input: x(2, 1, 2), x(1, 1, 2), [x(6, 2), x(6, 2)], False, 1, 0.0, True, False, False
rnn_tanh.input rnn_relu.input: x(2, 1, 2), x(1, 1, 2), [x(2, 2), x(2, 2)], False, 1, 0.0, True, False, False
lstm.data: x(3, 2), i([2, 1]), [x(1, 2, 2), x(1, 2, 2)], [x(8, 2), x(8, 2)], False, 1, 0.0, True, False
gru.data: x(3, 2), i([2, 1]), x(1, 2, 2), [x(6, 2), x(6, 2)], False, 1, 0.0, True, False
rnn_tanh.data rnn_relu.data: x(3, 2), i([2, 1]), x(1, 2, 2), [x(2, 2), x(2, 2)], False, 1, 0.0, True, False
_pack_padded_sequence: x(3, 2, 2), i([3, 1]), False
_pad_packed_sequence: x(4, 2), i([2, 1, 1]), True, 0.0, 4
embedding_bag _embedding_bag: x(4, 2), i([0, 2, 2, 1]), i([0, 3]), per_sample_weights=x(4)
embedding_bag.padding_idx: x(4, 2), i([0, 2, 2, 1]), i([0, 3]), False, 1, False, None, False, 2
segment_reduce: x(5, 2), 'mean', lengths=i([2, 3])
"""


def _arguments(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        names, _, arguments = line.partition(": ")
        found |= dict.fromkeys(names.split(), arguments)
    return found


ARGUMENTS = _arguments(_TEXT)
