"""Operators of everyday models: each must pass on every sample."""

from __future__ import annotations

_FUNCTIONAL = """
conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d linear bilinear
batch_norm layer_norm group_norm instance_norm rms_norm local_response_norm normalize
scaled_dot_product_attention multi_head_attention_forward
binary_cross_entropy binary_cross_entropy_with_logits cosine_embedding_loss cross_entropy ctc_loss
gaussian_nll_loss hinge_embedding_loss huber_loss kl_div l1_loss margin_ranking_loss mse_loss
multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss nll_loss poisson_nll_loss
smooth_l1_loss soft_margin_loss triplet_margin_loss
avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d max_unpool1d max_unpool2d
max_unpool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d
adaptive_max_pool2d adaptive_max_pool3d fractional_max_pool2d fractional_max_pool3d
alpha_dropout celu dropout dropout2d dropout3d elu feature_alpha_dropout gelu glu hardshrink
hardsigmoid hardswish hardtanh leaky_relu logsigmoid mish prelu relu relu6 rrelu selu silu softmin
softplus softshrink softsign tanhshrink threshold
embedding embedding_bag one_hot pad interpolate upsample_bilinear upsample_nearest grid_sample
unfold pixel_shuffle pixel_unshuffle channel_shuffle cosine_similarity pairwise_distance pdist
"""

_PLAIN = """
abs acos acosh add addbmm addcdiv addcmul addmm addmv addr all allclose amax amin aminmax angle any
arange argmax argmin argsort argwhere as_strided asin asinh atan atan2 atanh atleast_1d atleast_2d
atleast_3d baddbmm bernoulli bincount bitwise_and bitwise_left_shift bitwise_not bitwise_or
bitwise_right_shift bitwise_xor block_diag bmm broadcast_tensors broadcast_to bucketize cat cdist
ceil chunk clamp clamp_max clamp_min clone column_stack complex conj contiguous copysign corrcoef
cos cosh count_nonzero cov cross cummax cummin cumprod cumsum deg2rad diag diag_embed diagflat
diagonal diff digamma dist div dot dsplit dstack einsum empty empty_like eq equal erf erfc erfinv
exp exp2 expand expand_as expm1 eye fill flatten flip fliplr flipud float_power floor floor_divide
fmax fmin fmod frac full full_like gather ge gradient gt heaviside histc hsplit hstack hypot
index_add index_copy index_fill index_put index_select inner isclose isfinite isin isinf isnan
isneginf isposinf isreal item kron kthvalue le lerp lgamma linspace log log10 log1p log2
log_softmax logaddexp logaddexp2 logcumsumexp logical_and logical_not logical_or logical_xor logit
logspace logsumexp lt masked_fill masked_scatter masked_select matmul max maximum mean median
meshgrid min minimum mm mode movedim msort mul multinomial mv mvlgamma nan_to_num nanmean
nanmedian nanquantile nansum narrow native_layer_norm ne neg new_empty new_full new_ones new_zeros
nextafter nonzero norm normal ones ones_like outer permute polar pow prod put quantile rad2deg
rand_like randint randint_like randn randn_like ravel real reciprocal remainder renorm repeat
repeat_interleave reshape reshape_as roll rot90 round rsqrt rsub scatter scatter_add scatter_reduce
searchsorted select select_scatter sgn sigmoid sign signbit sin sinc sinh slice softmax sort split
split_with_sizes sqrt square squeeze stack std std_mean stft sub sum swapaxes t take
take_along_dim tan tanh tensor_split tensordot tile to topk trace transpose trapezoid tril
tril_indices triu triu_indices true_divide trunc unbind unflatten unfold unique unique_consecutive
unsqueeze unsqueeze_multiple vander var var_mean vdot view view_as view_as_complex vsplit vstack
where xlogy zero_ zeros zeros_like __getitem__ __radd__ __rsub__ __rmul__ __rdiv__ __rpow__
__rmatmul__ __rmod__ bool byte char double float half int long short bfloat16 T H mT mH
fft.fft fft.ifft fft.rfft fft.irfft fft.fftn fft.ifftn
linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eigh linalg.inv linalg.lstsq
linalg.lu linalg.lu_factor linalg.matrix_norm linalg.matrix_power linalg.multi_dot linalg.norm
linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.solve_triangular linalg.svd linalg.svdvals
linalg.vecdot linalg.vector_norm cholesky cholesky_solve inverse logdet pinverse qr svd
"""

EVERYDAY = frozenset(_PLAIN.split()) | {f"nn.functional.{name}" for name in _FUNCTIONAL.split()}
