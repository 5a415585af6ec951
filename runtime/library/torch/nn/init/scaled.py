# Initial values whose spread follows from the sizes of a weight, after He and others.
def calculate_gain(nonlinearity: str, param: Optional[float] = None) -> float:
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    linear = ["linear", "sigmoid", "conv1d", "conv2d", "conv3d"]
    linear += ["conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]
    if nonlinearity not in linear:
        raise ValueError("Unsupported nonlinearity {}".format(nonlinearity))
    return 1.0


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    fans = torch.nn.init._calculate_fan_in_and_fan_out(tensor)
    lowered = mode.lower()
    if lowered == "fan_in":
        return fans[0]
    if lowered == "fan_out":
        return fans[1]
    raise ValueError(
        "Mode {} not supported, please use one of ['fan_in', 'fan_out']".format(lowered)
    )


def _kaiming_deviation(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = torch.nn.init._calculate_correct_fan(tensor, mode)
    return torch.nn.init.calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    if tensor.numel() == 0:
        warnings.warn("Initializing zero-element tensors is a no-op")
        return tensor
    deviation = torch.nn.init._kaiming_deviation(tensor, a, mode, nonlinearity)
    bound = math.sqrt(3.0) * deviation
    return torch.nn.init.uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Optional[torch.Generator] = None,
) -> Tensor:
    if tensor.numel() == 0:
        warnings.warn("Initializing zero-element tensors is a no-op")
        return tensor
    deviation = torch.nn.init._kaiming_deviation(tensor, a, mode, nonlinearity)
    return torch.nn.init.normal_(tensor, 0.0, deviation, generator)
