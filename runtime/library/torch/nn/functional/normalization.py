# Normalization: by statistics of batches, layers, groups and instances, or by lengths of vectors.
def _check_batch_size(size: List[int]) -> None:
    count = size[0]
    for axis in range(2, len(size)):
        count *= size[axis]
    if count == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size {}".format(size)
        )


def _check_spatial_size(size: List[int]) -> None:
    count = 1
    for axis in range(2, len(size)):
        count *= size[axis]
    if count == 1:
        raise ValueError(
            "Expected more than 1 spatial element when training, got input size {}".format(size)
        )


def batch_norm(
    input: Tensor,
    running_mean: Optional[Tensor],
    running_var: Optional[Tensor],
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    if training:
        torch.nn.functional._check_batch_size(input.size())
        if eps <= 0.0:
            raise ValueError(
                "batch_norm eps must be positive during training, but got {}".format(eps)
            )
    elif eps < 0.0:
        raise ValueError("batch_norm eps must be non-negative, but got {}".format(eps))
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, False
    )


def instance_norm(
    input: Tensor,
    running_mean: Optional[Tensor] = None,
    running_var: Optional[Tensor] = None,
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    if use_input_stats:
        torch.nn.functional._check_spatial_size(input.size())
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False
    )


def layer_norm(
    input: Tensor,
    normalized_shape: List[int],
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    eps: float = 1e-5,
) -> Tensor:
    return torch.layer_norm(input, normalized_shape, weight, bias, eps)


def rms_norm(
    input: Tensor,
    normalized_shape: List[int],
    weight: Optional[Tensor] = None,
    eps: Optional[float] = None,
) -> Tensor:
    return torch.rms_norm(input, normalized_shape, weight, eps)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Optional[Tensor] = None,
    bias: Optional[Tensor] = None,
    eps: float = 1e-5,
) -> Tensor:
    if input.dim() < 2:
        raise RuntimeError(
            "Expected at least 2 dimensions for input tensor but received {}".format(input.dim())
        )
    per_group = input.size(0) * input.size(1) // num_groups
    torch.nn.functional._check_batch_size([per_group, num_groups] + input.size()[2:])
    return torch.group_norm(input, num_groups, weight, bias, eps)


def local_response_norm(
    input: Tensor,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
) -> Tensor:
    if input.dim() < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality input (got {} dimensions)".format(input.dim())
        )
    if input.numel() == 0:
        return input
    squares = input.square().flatten(2).unsqueeze(1)
    padded = torch._C._nn.pad(squares, [0, 0, size // 2, (size - 1) // 2])
    means = torch._C._nn.avg_pool2d(padded, [size, 1], [1, 1]).reshape(input.size())
    return input / (means * alpha + k).pow(beta)


def normalize(
    input: Tensor,
    p: float = 2.0,
    dim: int = 1,
    eps: float = 1e-12,
    out: Optional[Tensor] = None,
) -> Tensor:
    length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    if out is None:
        return input / length
    return torch.div(input, length, out=out)
