# Dropout: of elements, and of whole channels.
def _check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))


def _feature_dropout(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    if inplace:
        return torch.feature_dropout_(input, p, training)
    return torch.feature_dropout(input, p, training)


def _batch_of_one(input: Tensor, inplace: bool) -> Tensor:
    return input.unsqueeze_(0) if inplace else input.unsqueeze(0)


def _only_of_batch(result: Tensor, inplace: bool) -> Tensor:
    return result.squeeze_(0) if inplace else result.squeeze(0)


def dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    torch.nn.functional._check_probability(p)
    return torch.dropout_(input, p, training) if inplace else torch.dropout(input, p, training)


def dropout1d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    torch.nn.functional._check_probability(p)
    rank = input.dim()
    if rank != 2 and rank != 3:
        raise RuntimeError(
            "dropout1d: Expected 2D or 3D input, but received a {}D input.".format(rank)
        )
    if rank == 3:
        return torch.nn.functional._feature_dropout(input, p, training, inplace)
    batch = torch.nn.functional._batch_of_one(input, inplace)
    result = torch.nn.functional._feature_dropout(batch, p, training, inplace)
    return torch.nn.functional._only_of_batch(result, inplace)


def dropout2d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    torch.nn.functional._check_probability(p)
    rank = input.dim()
    if rank == 3:
        warnings.warn("dropout2d: a 3-D input is taken as (N, C, L); dropout1d says so")
    elif rank != 4:
        warnings.warn("dropout2d: a {}-D input is deprecated; use dropout".format(rank))
    return torch.nn.functional._feature_dropout(input, p, training, inplace)


def dropout3d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
) -> Tensor:
    torch.nn.functional._check_probability(p)
    rank = input.dim()
    if rank != 4 and rank != 5:
        warnings.warn("dropout3d: a {}-D input is deprecated; use dropout".format(rank))
    if rank == 5:
        return torch.nn.functional._feature_dropout(input, p, training, inplace)
    batch = torch.nn.functional._batch_of_one(input, inplace)
    result = torch.nn.functional._feature_dropout(batch, p, training, inplace)
    return torch.nn.functional._only_of_batch(result, inplace)


def alpha_dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    torch.nn.functional._check_probability(p)
    if inplace:
        return torch.alpha_dropout_(input, p, training)
    return torch.alpha_dropout(input, p, training)


def feature_alpha_dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    torch.nn.functional._check_probability(p)
    if inplace:
        return torch.feature_alpha_dropout_(input, p, training)
    return torch.feature_alpha_dropout(input, p, training)
