"""Where our layers are deliberately not PyTorch's, and why."""

# PyTorch cannot script these; ours can be: values of other types than annotated, generators, optional attributes.
NOT_SCRIPTED_BY_PYTORCH = {
    "AdaptiveLogSoftmaxWithLoss",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
    "MultiheadAttention(4, 2, bias=False, batch_first=True)",
    'TransformerEncoderLayer(4, 2, 8, 0.0, "gelu", batch_first=True, norm_first=True, bias=False)',
    "TripletMarginWithDistanceLoss",
}

FUNCTION_NOT_SCRIPTED_BY_PYTORCH = {"GaussianNLLLoss"}

# Methods whose graphs differ, with the same results. PyTorch's attention and encoder take fused kernels for inference,
# where they can, and tell at length why they cannot.
_ATTENTION = ("forward", "merge_masks")
OTHER_GRAPHS: dict[str, tuple[str, ...]] = {
    "MultiheadAttention": _ATTENTION,
    "TransformerEncoder": ("forward",),
    "TransformerEncoderLayer": ("forward",),
}
