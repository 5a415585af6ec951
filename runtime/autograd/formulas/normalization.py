"""Gradients of normalization."""

from typing import Final

FORMULAS: Final = """
layer_norm
    = torch.native_layer_norm(input, normalized_shape, weight, bias, eps)[0]
native_layer_norm
    input, weight, bias: native_layer_norm_gradient(grad, input, normalized_shape, weight, eps)
    result1, result2: none
rms_norm
    = rms_norm_of(input, normalized_shape, weight, eps)
group_norm
    = group_norm_of(input, num_groups, weight, bias, eps)
batch_norm
    input: batch_norm_input(grad, input, weight, running_mean, running_var, training, eps)
    weight: batch_norm_weight(grad, input, running_mean, running_var, training, eps)
    bias: channels_of(grad)
native_batch_norm
    input: batch_norm_input(grad, input, weight, running_mean, running_var, training, eps)
    weight: batch_norm_weight(grad, input, running_mean, running_var, training, eps)
    bias: channels_of(grad)
    result1, result2: none
native_group_norm
    = native_group_norm_of(input, weight, bias, N, C, HxW, group, eps)
_native_batch_norm_legit
    input: batch_norm_input(grad, input, weight, running_mean, running_var, training, eps)
    weight: batch_norm_weight(grad, input, running_mean, running_var, training, eps)
    bias: channels_of(grad)
    result1, result2: none
_native_batch_norm_legit_functional
    input: batch_norm_input(grad, input, weight, running_mean, running_var, training, eps)
    weight: batch_norm_weight(grad, input, running_mean, running_var, training, eps)
    bias: channels_of(grad)
    result1, result2, result3, result4: none
_native_batch_norm_legit.no_stats
    input: batch_norm_input(grad, input, weight, None, None, training, eps)
    weight: batch_norm_weight(grad, input, None, None, training, eps)
    bias: channels_of(grad)
    result1, result2: none
_native_batch_norm_legit_no_training
    input: batch_norm_input(grad, input, weight, running_mean, running_var, False, eps)
    weight: batch_norm_weight(grad, input, running_mean, running_var, False, eps)
    bias: channels_of(grad)
    result1, result2: none
_batch_norm_with_update
    input: batch_norm_input(grad, input, weight, running_mean, running_var, True, eps)
    weight: batch_norm_weight(grad, input, running_mean, running_var, True, eps)
    bias: channels_of(grad)
    result1, result2, result3: none
instance_norm
    = instance_norm_of(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps)
"""

FUNCTIONS: Final = '''
def standardized(input: Tensor, dims: List[int], eps: float):
    apart = input - input.mean(dims, True)
    return apart * ((apart * apart).mean(dims, True) + eps).rsqrt()


def differs(tensor: Optional[Tensor], shape: List[int]):
    return tensor is not None and tensor.size() != shape


def detached(tensor: Optional[Tensor]):
    return None if tensor is None else tensor.detach()


def normalizable(input: Tensor, shape: List[int], weight: Optional[Tensor], bias: Optional[Tensor]):
    """The input; what the operator refuses, is refused in its words."""
    count = len(shape)
    fits = count > 0 and count <= input.dim() and list(input.size())[input.dim() - count:] == shape
    if not fits or differs(weight, shape) or differs(bias, shape):
        return torch.layer_norm(input.detach(), shape, detached(weight), detached(bias))
    return input


def native_layer_norm_gradient(grad: Tensor, input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], eps: float):
    dims = [place - len(normalized_shape) for place in range(len(normalized_shape))]
    apart = input - input.mean(dims, True)
    scale = ((apart * apart).mean(dims, True) + eps).rsqrt()
    shape = apart * scale
    given = grad if weight is None else grad * weight
    found = scale * (given - given.mean(dims, True) - shape * (given * shape).mean(dims, True))
    return found, (grad * shape).sum_to_size(normalized_shape), grad.sum_to_size(normalized_shape)


def rms_norm_of(input: Tensor, normalized_shape: List[int], weight: Optional[Tensor], eps: Optional[float]):
    input = normalizable(input, normalized_shape, weight, None)
    dims = [place - len(normalized_shape) for place in range(len(normalized_shape))]
    small = eps
    if small is None:
        small = 2.220446049250313e-16 if input.dtype == torch.float64 else 1.1920928955078125e-07
    found = input * ((input * input).mean(dims, True) + small).rsqrt()
    return found if weight is None else found * weight


def over_channels(value: Tensor, rank: int):
    return value if rank < 2 else value.reshape([1, value.numel()] + [1] * (rank - 2))


def group_norm_of(input: Tensor, num_groups: int, weight: Optional[Tensor], bias: Optional[Tensor], eps: float):
    if num_groups <= 0 or input.size(1) % num_groups != 0 or differs(weight, [input.size(1)]) or differs(bias, [input.size(1)]):
        return torch.group_norm(input.detach(), num_groups, detached(weight), detached(bias), eps)
    inner = product(list(input.size())[1:]) // num_groups
    found = standardized(input.reshape([input.size(0), num_groups, inner]), [-1], eps).reshape(input.size())
    if weight is not None:
        found = found * over_channels(weight, input.dim())
    if bias is not None:
        found = found + over_channels(bias, input.dim())
    return found


def native_group_norm_of(input: Tensor, weight: Optional[Tensor], bias: Optional[Tensor], N: int, C: int, HxW: int, group: int, eps: float):
    rows = input.reshape(N * group, C // group * HxW)
    mean = rows.mean([1], True)
    apart = rows - mean
    scale = ((apart * apart).mean([1], True) + eps).rsqrt()
    found = (apart * scale).reshape(N, C, HxW)
    if weight is not None:
        found = found * weight.reshape(C, 1)
    if bias is not None:
        found = found + bias.reshape(C, 1)
    return found.reshape(input.size()), mean.reshape(N, group), scale.reshape(N, group)


def instance_norm_of(
    input: Tensor,
    weight: Optional[Tensor],
    bias: Optional[Tensor],
    running_mean: Optional[Tensor],
    running_var: Optional[Tensor],
    use_input_stats: bool,
    momentum: float,
    eps: float,
):
    sizes = input.size()
    batch = sizes[0]
    mean = None if running_mean is None else running_mean.repeat(batch)
    var = None if running_var is None else running_var.repeat(batch)
    scale = None if weight is None else weight.repeat(batch)
    shift = None if bias is None else bias.repeat(batch)
    flat = input.reshape([1, batch * sizes[1]] + list(sizes)[2:])
    found = torch.batch_norm(flat, scale, shift, mean, var, use_input_stats, momentum, eps, False)
    if use_input_stats and running_mean is not None and mean is not None:
        running_mean.copy_(mean.reshape(batch, -1).mean(0))
    if use_input_stats and running_var is not None and var is not None:
        running_var.copy_(var.reshape(batch, -1).mean(0))
    return found.reshape(sizes)


def all_but_channels(value: Tensor):
    return [place for place in range(value.dim()) if place != 1]


def channels_of(grad: Tensor):
    return grad.sum(all_but_channels(grad)) if grad.dim() > 1 else grad


def statistics_of(input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor], training: bool, eps: float):
    dims = all_but_channels(input)
    if training or running_mean is None or running_var is None:
        mean = input.mean(dims, True)
        apart = input - mean
        return mean, ((apart * apart).mean(dims, True) + eps).rsqrt()
    rank = input.dim()
    return over_channels(running_mean, rank), (over_channels(running_var, rank) + eps).rsqrt()


def batch_norm_input(
    grad: Tensor, input: Tensor, weight: Optional[Tensor], running_mean: Optional[Tensor], running_var: Optional[Tensor], training: bool, eps: float
):
    mean, scale = statistics_of(input, running_mean, running_var, training, eps)
    given = grad if weight is None else grad * over_channels(weight, input.dim())
    if not training:
        return given * scale
    dims = all_but_channels(input)
    shape = (input - mean) * scale
    return scale * (given - given.mean(dims, True) - shape * (given * shape).mean(dims, True))


def batch_norm_weight(
    grad: Tensor, input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor], training: bool, eps: float
):
    mean, scale = statistics_of(input, running_mean, running_var, training, eps)
    return (grad * (input - mean) * scale).sum(all_but_channels(input))
'''
