"""``out=`` forms of activations, convolutions, pooling, losses and the like."""

from __future__ import annotations

from tsc.runtime.operators.out_variants import (
    CASTABLE,
    SAME,
    SAME_FOUND,
    declare_out_variants,
    same,
)

declare_out_variants(
    CASTABLE,
    """
    aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)
    aten::huber_loss.out(Tensor self, Tensor target, int reduction=1, float delta=1., *,
        Tensor(a!) out) -> Tensor(a!)
    aten::mse_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=1, float beta=1., *,
        Tensor(a!) out) -> Tensor(a!)
    aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME_FOUND,
    """
    aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None,
        int reduction=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::gelu.out(Tensor self, *, str approximate="none", Tensor(a!) out) -> Tensor(a!)
    aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)
    aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::soft_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::_pack_padded_sequence.out(Tensor input, Tensor lengths, bool batch_first, *,
        Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::_upsample_nearest_exact1d.out(Tensor self, SymInt[1] output_size, float? scales=None,
        *, Tensor(a!) out) -> Tensor(a!)
    aten::_upsample_nearest_exact2d.out(Tensor self, SymInt[2] output_size,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::_upsample_nearest_exact3d.out(Tensor self, SymInt[3] output_size,
        float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out,
        Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))
    aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out,
        Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))
    aten::affine_grid_generator.out(Tensor theta, SymInt[] size, bool align_corners, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0],
        bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)
    aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0,
        bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0,
        bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None,
        Tensor? pos_weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)
    aten::channel_shuffle.out(Tensor self, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)
    aten::col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation,
        int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)
    aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride,
        SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding,
        SymInt groups, *, Tensor(a!) out) -> Tensor(a!)
    aten::embedding_renorm.out(Tensor self, Tensor indices, float max_norm, float norm_type, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode,
        int padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)
    aten::im2col.out(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding,
        int[2] stride, *, Tensor(a!) out) -> Tensor(a!)
    aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[],
        int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out,
        Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))
    aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[],
        int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out,
        Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))
    aten::max_unpool2d.out(Tensor self, Tensor indices, SymInt[2] output_size, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0,
        Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))
    aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight,
        Tensor? bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2)
        -> (Tensor(a!), Tensor(b!), Tensor(c!))
    aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1,
        SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)
    aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)
    aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::reflection_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::reflection_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::reflection_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::replication_pad1d.out(Tensor self, SymInt[2] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::replication_pad2d.out(Tensor self, SymInt[4] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::replication_pad3d.out(Tensor self, SymInt[6] padding, *, Tensor(a!) out) -> Tensor(a!)
    aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out)
        -> Tensor(a!)
    aten::upsample_bicubic2d.out(Tensor self, SymInt[2] output_size, bool align_corners,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners,
        float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners,
        float? scales=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None,
        float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size,
        float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None,
        float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)
    aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners,
        float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out)
        -> Tensor(a!)
    """,
)
declare_out_variants(
    same("expected scalar type {result} but found {out}"),
    """
    aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
    aten::multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1,
        Tensor? weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)
    aten::multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=1, *,
        Tensor(a!) out) -> Tensor(a!)
    aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias,
        Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, *,
        Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!),
        Tensor(b!), Tensor(c!))
    aten::nll_loss2d.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1,
        SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)
    """,
)
declare_out_variants(
    SAME,
    """
    aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1,
        bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)
    aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride,
        SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding,
        SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32,
        *, Tensor(a!) out) -> Tensor(a!)
    """,
)
