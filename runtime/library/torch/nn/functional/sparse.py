# Rows of a weight matrix, looked up by indices: one by one, or by bags that are reduced.
def _row_number(index: Optional[int], rows: int) -> int:
    if index is None:
        return -1
    if index >= rows or index < -rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return index if index >= 0 else index + rows


# In TorchScript rows are not shortened: PyTorch removes the call that would, its result being unused.
def _warn_of_norm(max_norm: Optional[float]) -> None:
    if max_norm is not None:
        warnings.warn("max_norm has no effect in TorchScript: call torch.embedding_renorm_ before")


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: Optional[int] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    padding = torch.nn.functional._row_number(padding_idx, weight.size(0))
    torch.nn.functional._warn_of_norm(max_norm)
    return torch.embedding(weight, input, padding, scale_grad_by_freq, sparse)


def _bag_offsets(input: Tensor, offsets: Optional[Tensor]) -> Tensor:
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                "of fixed length sequences."
            )
        return torch.arange(0, input.numel(), input.size(1), dtype=input.dtype)
    if input.dim() != 1:
        raise ValueError(
            "input has to be 1D or 2D Tensor, but got Tensor of dimension {}".format(input.dim())
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if offsets.dim() != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    return offsets


def _bag_mode(mode: str, scale_grad_by_freq: bool, sparse: bool) -> int:
    if mode == "sum":
        return 0
    if mode == "mean":
        return 1
    if mode != "max":
        raise ValueError("mode has to be one of sum, mean or max")
    if scale_grad_by_freq:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if sparse:
        raise ValueError("max mode does not support sparse weights")
    return 2


def _check_bag_weights(input: Tensor, weights: Optional[Tensor], mode: str) -> None:
    if weights is None:
        return
    if input.size() != weights.size():
        raise ValueError(
            "embedding_bag: If per_sample_weights ({}) is not None, then it must have the same "
            "shape as the input ({})".format(weights.size(), input.size())
        )
    if mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights is only supported for mode='sum' "
            "(got mode='{}')".format(mode)
        )


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Optional[Tensor] = None,
    max_norm: Optional[float] = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Optional[Tensor] = None,
    include_last_offset: bool = False,
    padding_idx: Optional[int] = None,
) -> Tensor:
    if weight.dtype == torch.int64 and input.is_floating_point():
        warnings.warn("embedding_bag takes the indices first, and then the table of weights")
        weight, input = input, weight
    torch.nn.functional._check_bag_weights(input, per_sample_weights, mode)
    if weight.dim() != 2:
        raise ValueError(
            "weight has to be a 2D Tensor, but got Tensor of dimension {}".format(weight.dim())
        )
    starts = torch.nn.functional._bag_offsets(input, offsets)
    code = torch.nn.functional._bag_mode(mode, scale_grad_by_freq, sparse)
    indices = input.reshape(-1)
    weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    torch.nn.functional._warn_of_norm(max_norm)
    padding = padding_idx
    if padding is not None:
        padding = torch.nn.functional._row_number(padding, weight.size(0))
    bags, _, _, _ = torch.embedding_bag(
        weight,
        indices,
        starts,
        scale_grad_by_freq,
        code,
        sparse,
        weights,
        include_last_offset and input.dim() == 1,
        padding,
    )
    return bags
