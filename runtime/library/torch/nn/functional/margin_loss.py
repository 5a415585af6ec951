# Losses that compare with a margin, or rank.
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            "input1: {}, input2: {}, target: {}".format(input1.size(), input2.size(), target.size())
        )
    return torch.margin_ranking_loss(input1, input2, target, margin, code)


def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    return torch.hinge_embedding_loss(input, target, margin, code)


def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    return torch.cosine_embedding_loss(input1, input2, target, margin, code)


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    if margin <= 0:
        raise ValueError("margin must be greater than 0, got {}".format(margin))
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, code)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    return torch._C._nn.soft_margin_loss(input, target, code)


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    loss = -(target * torch.log_sigmoid(input) + (1 - target) * torch.log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    labels = input.dim() - 1
    count = input.size(labels)
    loss = loss.sum(dim=labels) / count
    if reduction == "none":
        reduced = loss
    elif reduction == "mean":
        reduced = loss.mean()
    elif reduction == "sum":
        reduced = loss.sum()
    else:
        raise ValueError(reduction + " is not valid")
    return reduced


def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None:
        if weight.dim() != 1:
            raise ValueError("weight must be one-dimensional")
    return torch._C._nn.multi_margin_loss(input, target, p, margin, weight, code)


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    return torch._C._nn.multilabel_margin_loss(input, target, code)
