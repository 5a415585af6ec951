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
# where they can, and tell at length why they cannot. Methods that check the arguments of `forward` are ours; `forward`
# itself and what it passes on has PyTorch's graph and code, which fixes its local names, its messages and the order of
# its statements.
_ATTENTION = ("forward", "merge_masks")
_RECURRENT = ("check_input", "get_expected_hidden_size", "get_expected_cell_size")
OTHER_GRAPHS: dict[str, tuple[str, ...]] = {
    "MultiheadAttention": _ATTENTION,
    "TransformerEncoder": ("forward",),
    "TransformerEncoderLayer": ("forward",),
    **dict.fromkeys(("RNN", "GRU", "LSTM"), _RECURRENT),
    **{f"ConvTranspose{dims}d": ("_output_padding",) for dims in (1, 2, 3)},
}
