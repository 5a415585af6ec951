# Initial values of parameters, written in place.
def constant_(tensor: Tensor, val: float) -> Tensor:
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    return torch.nn.init.constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    return torch.nn.init.constant_(tensor, 0.0)


def uniform_(
    tensor: Tensor,
    a: float = 0.0,
    b: float = 1.0,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> Tuple[int, int]:
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed of fewer than 2 dimensions, of which the "
            "second counts inputs and the first outputs"
        )
    field = 1
    for size in tensor.size()[2:]:
        field *= size
    return tensor.size(1) * field, tensor.size(0) * field


def _xavier_deviation(tensor: Tensor, gain: float) -> float:
    fan_in, fan_out = torch.nn.init._calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / float(fan_in + fan_out))


def xavier_uniform_(
    tensor: Tensor,
    gain: float = 1.0,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    bound = math.sqrt(3.0) * torch.nn.init._xavier_deviation(tensor, gain)
    return torch.nn.init.uniform_(tensor, -bound, bound, generator)


def xavier_normal_(
    tensor: Tensor,
    gain: float = 1.0,
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    deviation = torch.nn.init._xavier_deviation(tensor, gain)
    return torch.nn.init.normal_(tensor, 0.0, deviation, generator)
