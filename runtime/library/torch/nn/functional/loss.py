# Losses: regression, classification, ranking. The flags size_average and reduce are the old form of
# reduction; where they are given, they decide.
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    if target.size() != input.size():
        warnings.warn(
            "A target of size {} is compared with an input of size {}: both are broadcast, "
            "which is seldom meant. Make their sizes equal.".format(target.size(), input.size()),
            stacklevel=2,
        )
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    inputs, targets = torch.broadcast_tensors(input, target)
    if weight is not None:
        if weight.size() != input.size():
            raise ValueError("Weights and input must have the same size.")
        errors = torch.pow(inputs - targets, 2)
        weighted = errors * weight
        if reduction == "none":
            return weighted
        elif reduction == "sum":
            return torch.sum(weighted)
        elif reduction == "mean":
            return torch.sum(weighted) / torch.sum(weight)
        else:
            raise ValueError(
                "Invalid reduction mode: {}. It may be 'none', 'mean' or 'sum'.".format(reduction)
            )
    else:
        return torch._C._nn.mse_loss(inputs, targets, torch.nn._reduction.get_enum(reduction))


def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    weight: Optional[Tensor] = None,
) -> Tensor:
    if target.size() != input.size():
        warnings.warn(
            "A target of size {} is compared with an input of size {}: both are broadcast, "
            "which is seldom meant. Make their sizes equal.".format(target.size(), input.size()),
            stacklevel=2,
        )
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    inputs, targets = torch.broadcast_tensors(input, target)
    if weight is not None:
        if weight.size() != input.size():
            raise ValueError("Weights and input must have the same size.")
        errors = torch.abs(inputs - targets)
        weighted = errors * weight
        if reduction == "none":
            return weighted
        elif reduction == "sum":
            return torch.sum(weighted)
        elif reduction == "mean":
            return torch.sum(weighted) / torch.sum(weight)
        else:
            raise ValueError(
                "Invalid reduction mode: {}. It may be 'none', 'mean' or 'sum'.".format(reduction)
            )
    else:
        return torch._C._nn.l1_loss(inputs, targets, torch.nn._reduction.get_enum(reduction))


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    if target.size() != input.size():
        warnings.warn(
            "A target of size {} is compared with an input of size {}: both are broadcast, "
            "which is seldom meant. Make their sizes equal.".format(target.size(), input.size()),
            stacklevel=2,
        )
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    inputs, targets = torch.broadcast_tensors(input, target)
    if beta == 0.0:
        return torch._C._nn.l1_loss(inputs, targets, torch.nn._reduction.get_enum(reduction))
    else:
        return torch._C._nn.smooth_l1_loss(
            inputs, targets, torch.nn._reduction.get_enum(reduction), beta
        )


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Optional[Tensor] = None,
) -> Tensor:
    if target.size() != input.size():
        warnings.warn(
            "A target of size {} is compared with an input of size {}: both are broadcast, "
            "which is seldom meant. Make their sizes equal.".format(target.size(), input.size()),
            stacklevel=2,
        )
    inputs, targets = torch.broadcast_tensors(input, target)
    if weight is None:
        return torch._C._nn.huber_loss(
            inputs, targets, torch.nn._reduction.get_enum(reduction), delta
        )
    else:
        if weight.size() != input.size():
            raise ValueError("Weights and input must have the same size.")
        unweighted = torch._C._nn.huber_loss(
            inputs, targets, torch.nn._reduction.get_enum("none"), delta
        )
        weighted = unweighted * weight
        if reduction == "none":
            return weighted
        elif reduction == "sum":
            return torch.sum(weighted)
        elif reduction == "mean":
            return weighted.mean()
        else:
            raise ValueError(
                "Invalid reduction mode: {}. It may be 'none', 'mean' or 'sum'.".format(reduction)
            )


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
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    return torch._C._nn.cross_entropy_loss(
        input,
        target,
        weight,
        torch.nn._reduction.get_enum(reduction),
        ignore_index,
        label_smoothing,
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
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    return torch._C._nn.nll_loss_nd(
        input, target, weight, torch.nn._reduction.get_enum(reduction), ignore_index
    )


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
    if size_average is not None or reduce is not None:
        reduction = torch.nn._reduction.legacy_get_string(size_average, reduce)
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not a valid value for reduction")
    return torch.poisson_nll_loss(
        input, target, log_input, full, eps, torch.nn._reduction.get_enum(reduction)
    )


def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn(
                "kl_div with reduction='mean' divides by the number of elements; "
                "'batchmean' divides by the size of the batch, as the definition has it",
                stacklevel=2,
            )
        if reduction == "batchmean":
            code = torch.nn._reduction.get_enum("sum")
        else:
            code = torch.nn._reduction.get_enum(reduction)
    loss = torch.kl_div(input, target, code, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        loss = loss / input.size()[0]
    return loss


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None,
    reduce: Optional[bool] = None,
    reduction: str = "mean",
) -> Tensor:
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    if target.size() != input.size():
        raise ValueError(
            "Using a target size ({}) that is different to the input size ({}) is not possible "
            "here: make their sizes equal.".format(target.size(), input.size())
        )
    if weight is not None:
        size = torch.broadcast_shapes(target.size(), weight.size())
        weight = weight.expand(size)
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
    if size_average is not None or reduce is not None:
        code = torch.nn._reduction.legacy_get_enum(size_average, reduce)
    else:
        code = torch.nn._reduction.get_enum(reduction)
    if not (target.size() == input.size()):
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
    if reduction == "mean":
        return loss.mean()
    elif reduction == "sum":
        return loss.sum()
    else:
        return loss


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    return torch.ctc_loss(
        log_probs,
        targets,
        input_lengths,
        target_lengths,
        blank,
        torch.nn._reduction.get_enum(reduction),
        zero_infinity,
    )
