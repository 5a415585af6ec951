# Dropout: of elements, and of whole channels.
def dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
    return torch.dropout_(input, p, training) if inplace else torch.dropout(input, p, training)


def dropout1d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
    rank = input.dim()
    if rank not in [2, 3]:
        raise RuntimeError(
            "dropout1d: Expected 2D or 3D input, which this of {} dimensions is not".format(rank)
        )
    batched = rank == 3
    if not batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    dropped = (
        torch.feature_dropout_(input, p, training)
        if inplace
        else torch.feature_dropout(input, p, training)
    )
    if not batched:
        dropped = dropped.squeeze_(0) if inplace else dropped.squeeze(0)
    return dropped


def dropout2d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
    rank = input.dim()
    if rank not in [3, 4]:
        warnings.warn(
            "dropout2d: a {}-D input is deprecated; use dropout".format(rank), stacklevel=2
        )
    if rank == 3:
        warnings.warn(
            "dropout2d: a 3-D input is taken as (N, C, L); dropout1d says so", stacklevel=2
        )
    return (
        torch.feature_dropout_(input, p, training)
        if inplace
        else torch.feature_dropout(input, p, training)
    )


def dropout3d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
    rank = input.dim()
    if rank not in [4, 5]:
        warnings.warn(
            "dropout3d: a {}-D input is deprecated; use dropout".format(rank), stacklevel=2
        )
    batched = rank == 5
    if not batched:
        input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    dropped = (
        torch.feature_dropout_(input, p, training)
        if inplace
        else torch.feature_dropout(input, p, training)
    )
    if not batched:
        dropped = dropped.squeeze_(0) if inplace else dropped.squeeze(0)
    return dropped


def alpha_dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
    return (
        torch.alpha_dropout_(input, p, training)
        if inplace
        else torch.alpha_dropout(input, p, training)
    )


def feature_alpha_dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
    return (
        torch.feature_alpha_dropout_(input, p, training)
        if inplace
        else torch.feature_alpha_dropout(input, p, training)
    )
