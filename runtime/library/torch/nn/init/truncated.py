# The normal distribution cut off at both ends. What falls outside is drawn again, all values at a
# time, so that the same seed gives the same values as in PyTorch.
def _normal_share(low: float, high: float) -> float:
    return (math.erf(high / math.sqrt(2.0)) - math.erf(low / math.sqrt(2.0))) / 2.0


def _redrawn_normal(
    tensor: Tensor,
    mean: float,
    std: float,
    a: float,
    b: float,
    generator: Optional[torch.Generator],
) -> Tensor:
    ends = torch.tensor([a, b], dtype=tensor.dtype)
    values = torch.empty_like(tensor).normal_(mean, std, generator=generator)
    outside = (values < ends[0]) | (values > ends[1])
    while bool(outside.any()):
        again = torch.empty_like(tensor).normal_(mean, std, generator=generator)
        values = torch.where(outside, again, values)
        outside = (values < ends[0]) | (values > ends[1])
    return values


# Uniform values, accepted as often as the density at their place is high: for ends far out in a tail.
def _accepted_uniform(
    tensor: Tensor,
    mean: float,
    std: float,
    a: float,
    b: float,
    generator: Optional[torch.Generator],
) -> Tensor:
    highest = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    values = torch.empty_like(tensor)
    pending = torch.ones_like(tensor, dtype=torch.bool)
    while bool(pending.any()):
        drawn = torch.empty_like(tensor).uniform_(a, b, generator=generator)
        values = torch.where(pending, drawn, values)
        density = drawn.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(highest)
        chance = torch.empty_like(tensor).uniform_(generator=generator).log_()
        pending = pending & (chance > density)
    return values


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_: "
            "so far out its values are not well distributed"
        )
    with torch.no_grad():
        if torch.nn.init._normal_share((a - mean) / std, (b - mean) / std) > 0.3:
            values = torch.nn.init._redrawn_normal(tensor, mean, std, a, b, generator)
        else:
            values = torch.nn.init._accepted_uniform(tensor, mean, std, a, b, generator)
        return tensor.copy_(values)
