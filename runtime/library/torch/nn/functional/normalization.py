# Normalization: by statistics of batches, layers, groups and instances, or by lengths of vectors.
def _verify_batch_size(size: List[int]) -> None:
    count = size[0]
    for axis in range(len(size) - 2):
        count *= size[axis + 2]
    if count == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training; a size of {} has one".format(
                size
            )
        )


def _verify_spatial_size(size: List[int]) -> None:
    count = 1
    for axis in range(2, len(size)):
        count *= size[axis]
    if count == 1:
        raise ValueError(
            "Expected more than 1 spatial element when training; a size of {} has one".format(size)
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
        torch.nn.functional._verify_batch_size(input.size())
    if training and eps <= 0.0:
        raise ValueError(
            "batch_norm eps must be positive during training, which {} is not".format(eps)
        )
    elif eps < 0.0:
        raise ValueError("batch_norm eps must be non-negative, which {} is not".format(eps))
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum, eps, True
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
        torch.nn.functional._verify_spatial_size(input.size())
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True
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
            "Expected at least 2 dimensions of the input of group_norm, which has {}".format(
                input.dim()
            )
        )
    torch.nn.functional._verify_batch_size(
        [input.size(0) * input.size(1) // num_groups, num_groups] + list(input.size()[2:])
    )
    return torch.group_norm(input, num_groups, weight, bias, eps, True)


def local_response_norm(
    input: Tensor,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
) -> Tensor:
    rank = input.dim()
    if rank < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality input, where {} dimensions are given".format(rank)
        )
    if input.numel() == 0:
        return input
    means = input.mul(input)
    if rank == 3:
        means = means.unsqueeze(1)
        means = torch.nn.functional.pad(means, [0, 0, size // 2, (size - 1) // 2])
        means = torch._C._nn.avg_pool2d(means, [size, 1], stride=1).squeeze(1)
    else:
        sizes = input.size()
        means = means.view(sizes[0], 1, sizes[1], sizes[2], -1)
        means = torch.nn.functional.pad(means, [0, 0, 0, 0, size // 2, (size - 1) // 2])
        means = torch._C._nn.avg_pool3d(means, [size, 1, 1], stride=1).squeeze(1)
        means = means.view(sizes)
    means = means.mul(alpha).add(k).pow(beta)
    return input / means


def normalize(
    input: Tensor,
    p: float = 2.0,
    dim: int = 1,
    eps: float = 1e-12,
    out: Optional[Tensor] = None,
) -> Tensor:
    if out is None:
        length = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
        return input / length
    else:
        length = input.norm(p, dim, keepdim=True).clamp_min_(eps).expand_as(input)
        return torch.div(input, length, out=out)
