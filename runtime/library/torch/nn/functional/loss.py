# Losses: regression, classification, ranking. The flags size_average and reduce are the old form of
# reduction; where they are given, they decide.
def _reduction_code(reduction: str) -> int:
    if reduction == "none":
        return 0
    if reduction == "mean":
        return 1
    if reduction == "sum":
        return 2
    raise ValueError("{} is not a valid value for reduction".format(reduction))


def _reduction_of(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> str:
    if size_average is None and reduce is None:
        return reduction
    averaged = size_average if size_average is not None else True
    reduced = reduce if reduce is not None else True
    if not reduced:
        return "none"
    return "mean" if averaged else "sum"


def _code_of(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> int:
    chosen = torch.nn.functional._reduction_of(size_average, reduce, reduction)
    return torch.nn.functional._reduction_code(chosen)


def _reduced(loss: Tensor, reduction: str) -> Tensor:
    code = torch.nn.functional._reduction_code(reduction)
    if code == 1:
        return loss.mean()
    if code == 2:
        return loss.sum()
    return loss


def _weighted(loss: Tensor, weight: Tensor, reduction: str) -> Tensor:
    if reduction == "mean":
        return (loss * weight).sum() / weight.sum()
    return torch.nn.functional._reduced(loss * weight, reduction)


def _paired(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    if target.size() != input.size():
        warnings.warn(
            "Using a target size ({}) that is different to the input size ({}). This will likely "
            "lead to incorrect results due to broadcasting.".format(target.size(), input.size())
        )
    if weight is not None and weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    return expanded_input, expanded_target


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    reduction = torch.nn.functional._reduction_of(size_average, reduce, reduction)
    input, target = torch.nn.functional._paired(input, target, weight)
    if weight is not None:
        loss = torch._C._nn.mse_loss(input, target, 0)
        return torch.nn.functional._weighted(loss, weight, reduction)
    return torch._C._nn.mse_loss(input, target, torch.nn.functional._reduction_code(reduction))


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    reduction = torch.nn.functional._reduction_of(size_average, reduce, reduction)
    input, target = torch.nn.functional._paired(input, target, weight)
    if weight is not None:
        loss = torch._C._nn.l1_loss(input, target, 0)
        return torch.nn.functional._weighted(loss, weight, reduction)
    return torch._C._nn.l1_loss(input, target, torch.nn.functional._reduction_code(reduction))


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    code = torch.nn.functional._code_of(size_average, reduce, reduction)
    input, target = torch.nn.functional._paired(input, target)
    if beta == 0.0:
        return torch._C._nn.l1_loss(input, target, code)
    return torch._C._nn.smooth_l1_loss(input, target, code, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Optional[Tensor] = None,
) -> Tensor:
    input, target = torch.nn.functional._paired(input, target, weight)
    if weight is not None:
        loss = torch._C._nn.huber_loss(input, target, 0, delta)
        return torch.nn.functional._reduced(loss * weight, reduction)
    code = torch.nn.functional._reduction_code(reduction)
    return torch._C._nn.huber_loss(input, target, code, delta)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    ignore_index: int = -100,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    code = torch.nn.functional._code_of(size_average, reduce, reduction)
    return torch._C._nn.cross_entropy_loss(
        input, target, weight, code, ignore_index, label_smoothing
    )


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    ignore_index: int = -100,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    code = torch.nn.functional._code_of(size_average, reduce, reduction)
    return torch._C._nn.nll_loss_nd(input, target, weight, code, ignore_index)


def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Optional[bool] = None,
    eps: float = 1e-8,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    code = torch.nn.functional._code_of(size_average, reduce, reduction)
    return torch.poisson_nll_loss(input, target, log_input, full, eps, code)


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    asked = torch.nn.functional._reduction_of(size_average, reduce, reduction)
    per_batch = asked == "batchmean"
    code = torch.nn.functional._reduction_code("sum" if per_batch else asked)
    loss = torch.kl_div(input, target, code, log_target=log_target)
    return loss / input.size(0) if reduction == "batchmean" and input.dim() != 0 else loss


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    code = torch.nn.functional._code_of(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            "Using a target size ({}) that is different to the input size ({}) is deprecated. "
            "Please ensure they have the same size.".format(target.size(), input.size())
        )
    if weight is not None:
        weight = torch.broadcast_tensors(weight, target)[0]
    return torch._C._nn.binary_cross_entropy(input, target, weight, code)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    pos_weight: Optional[Tensor] = None,
) -> Tensor:
    code = torch.nn.functional._code_of(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            "Target size ({}) must be the same as input size ({})".format(
                target.size(), input.size()
            )
        )
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, code)


def _variances(input: Tensor, var: Union[Tensor, float]) -> Tensor:
    variances = var * torch.ones_like(input) if isinstance(var, float) else var
    if bool(torch.any(variances < 0)):
        raise ValueError("var has negative entry/entries")
    if variances.size() == input.size():
        return variances
    if input.size()[:-1] == variances.size():
        return variances.unsqueeze(-1)
    widened = [
        axis
        for axis, size in enumerate(input.size())
        if variances.dim() == input.dim() and size != variances.size(axis)
    ]
    if len(widened) != 1 or variances.size(widened[0]) != 1:
        raise ValueError("var is of incorrect size")
    return variances


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Union[Tensor, float],
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    variances = torch.nn.functional._variances(input, var).clone()
    with torch.no_grad():
        variances.clamp_(min=eps)
    loss = 0.5 * (torch.log(variances) + (input - target).square() / variances)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return torch.nn.functional._reduced(loss, reduction)


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    code = torch.nn.functional._reduction_code(reduction)
    return torch.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, code, zero_infinity
    )
