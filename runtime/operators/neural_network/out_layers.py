"""``out=`` forms of layers, and of the parts that layers are made of."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    ANY_DTYPE,
    SAME,
    SAME_FOUND,
    declare_out_variants,
    same,
)

SCALAR_TYPE = same("expected scalar type {result} but found {out}")

declare_out_variants(
    SAME,
    """
    aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) ->
        Tensor(a!)
    aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) ->
        Tensor(a!)
    aten::_batch_norm_no_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor?
        running_mean, Tensor? running_var, float momentum, float eps, *, Tensor(a!) out0,
        Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!),
        Tensor(d!))
    aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!)
        out) -> Tensor(a!)
    aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, bool
        scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None,
        bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1,
        Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))
    aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, bool
        scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None,
        bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1,
        Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))
    aten::_euclidean_dist.out(Tensor x1, Tensor x2, *, Tensor(a!) out) -> Tensor(a!)
    aten::_grid_sampler_2d_cpu_fallback.out(Tensor input, Tensor grid, int interpolation_mode,
        int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)
    aten::_masked_softmax.out(Tensor self, Tensor mask, int? dim=None, int? mask_type=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias,
        Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0,
        Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::_native_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int
        embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor
        proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int?
        mask_type=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::_pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)
    aten::_transformer_encoder_layer_fwd.out(Tensor src, int embed_dim, int num_heads, Tensor
        qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool
        norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2,
        Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor
        ffn_bias_2, Tensor? mask=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[]
        expand3, int[] sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::_upsample_bicubic2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::_upsample_lanczos2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::_weight_norm_interface.out(Tensor v, Tensor g, int dim=0, *, Tensor(a!) out0,
        Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::batch_norm_update_stats.out(Tensor input, Tensor? running_mean, Tensor? running_var,
        float momentum, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::conv_tbc.out(Tensor self, Tensor weight, Tensor bias, int pad=0, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size,
        Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!),
        Tensor(b!))
    aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size,
        Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!),
        Tensor(b!))
    aten::grid_sampler_3d.out(Tensor input, Tensor grid, int interpolation_mode, int
        padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)
    aten::native_dropout_backward.out(Tensor grad_output, Tensor mask, float scale, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt
        C, SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2)
        -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::slow_conv_dilated2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor?
        bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1],
        *, Tensor(a!) out) -> Tensor(a!)
    aten::slow_conv_dilated3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor?
        bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1,
        1, 1], *, Tensor(a!) out) -> Tensor(a!)
    aten::slow_conv_transpose2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor?
        bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0,
        0], SymInt[2] dilation=[1, 1], *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SCALAR_TYPE,
    """
    aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)
        running_mean, Tensor(b!) running_var, float momentum, float eps, *, Tensor(d!) out,
        Tensor(e!) save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> (Tensor(d!),
        Tensor(e!), Tensor(f!), Tensor(g!))
    aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias,
        bool training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean,
        Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!)
        running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *,
        Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!),
        Tensor(f!))
    aten::_slow_conv2d_forward.output(Tensor self, Tensor weight, SymInt[2] kernel_size,
        Tensor? bias, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) output) -> Tensor(a!)
    aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) ->
        (Tensor(a!), Tensor(b!))
    aten::max_unpool3d.out(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride,
        int[3] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::slow_conv3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor?
        bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], *, Tensor(a!) out) ->
        Tensor(a!)
    aten::slow_conv3d_forward.output(Tensor self, Tensor weight, SymInt[3] kernel_size,
        Tensor? bias, SymInt[3] stride, SymInt[3] padding, *, Tensor(a!) output) -> Tensor(a!)
    aten::slow_conv_transpose3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor?
        bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3]
        output_padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], *, Tensor(a!) out) -> Tensor(a!)
    aten::thnn_conv2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor?
        bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], *, Tensor(a!) out) ->
        Tensor(a!)
    """,
)
declare_out_variants(
    SAME_FOUND,
    """
    aten::rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar
        upper=0.33333333333333331, bool training=False, Generator? generator=None, *, Tensor(a!)
        out) -> Tensor(a!)
    """,
)
declare_out_variants(
    ANY_DTYPE,
    """
    aten::_fft_c2c.out(Tensor self, SymInt[] dim, int normalization, bool forward, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!)
        out) -> Tensor(a!)
    """,
)
