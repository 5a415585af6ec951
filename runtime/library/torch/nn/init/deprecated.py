# The names of these functions before they said that they write in place.
def uniform(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    return torch.nn.init.uniform_(tensor, a, b)


def normal(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    return torch.nn.init.normal_(tensor, mean, std)


def constant(tensor: Tensor, val: float) -> Tensor:
    return torch.nn.init.constant_(tensor, val)


def eye(tensor: Tensor) -> Tensor:
    return torch.nn.init.eye_(tensor)


def dirac(tensor: Tensor, groups: int = 1) -> Tensor:
    return torch.nn.init.dirac_(tensor, groups)


def xavier_uniform(tensor: Tensor, gain: float = 1.0) -> Tensor:
    return torch.nn.init.xavier_uniform_(tensor, gain)


def xavier_normal(tensor: Tensor, gain: float = 1.0) -> Tensor:
    return torch.nn.init.xavier_normal_(tensor, gain)


def kaiming_uniform(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
) -> Tensor:
    return torch.nn.init.kaiming_uniform_(tensor, a, mode, nonlinearity)


def kaiming_normal(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
) -> Tensor:
    return torch.nn.init.kaiming_normal_(tensor, a, mode, nonlinearity)


def orthogonal(tensor: Tensor, gain: float = 1.0) -> Tensor:
    return torch.nn.init.orthogonal_(tensor, gain)


def sparse(tensor: Tensor, sparsity: float, std: float = 0.01) -> Tensor:
    return torch.nn.init.sparse_(tensor, sparsity, std)
