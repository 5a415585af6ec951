"""Gradients of convolutions."""

from typing import Final

FORMULAS: Final = """
convolution _convolution.deprecated _convolution
    input: convolution_input(grad, input, weight, stride, padding, dilation, transposed, groups)
    weight: convolution_weight(grad, input, weight, stride, padding, dilation, transposed, groups)
    bias: convolution_bias(grad, input.dim() == weight.dim())
conv1d
    = conv_of(input, weight, bias, stride, padding, dilation, False, [0], groups)
conv2d
    = conv_of(input, weight, bias, stride, padding, dilation, False, [0, 0], groups)
conv3d
    = conv_of(input, weight, bias, stride, padding, dilation, False, [0, 0, 0], groups)
conv1d.padding
    = conv_padded(input, weight, bias, stride, padding, dilation, groups)
conv2d.padding
    = conv_padded(input, weight, bias, stride, padding, dilation, groups)
conv3d.padding
    = conv_padded(input, weight, bias, stride, padding, dilation, groups)
conv_transpose1d
    = conv_of(input, weight, bias, stride, padding, dilation, True, output_padding, groups)
conv_transpose2d.input
    = conv_of(input, weight, bias, stride, padding, dilation, True, output_padding, groups)
conv_transpose3d.input
    = conv_of(input, weight, bias, stride, padding, dilation, True, output_padding, groups)
"""

FUNCTIONS: Final = '''
def spread(numbers: List[int], count: int):
    return numbers * count if len(numbers) == 1 else numbers


def conv_of(
    input: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    stride: List[int],
    padding: List[int],
    dilation: List[int],
    transposed: bool,
    output_padding: List[int],
    groups: int,
):
    """A convolution of a batch, or of one example."""
    if input.dim() == weight.dim():
        return torch.convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    batch = input.unsqueeze(0)
    return torch.convolution(batch, weight, bias, stride, padding, dilation, transposed, output_padding, groups).squeeze(0)


def conv_padded(
    input: Tensor, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: str, dilation: List[int], groups: int
):
    rank = weight.dim() - 2
    nothing = [0] * rank
    if padding == "same":
        if max(stride) > 1:
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        widths = torch.jit.annotate(List[int], [])
        for side in range(rank):
            place = rank - 1 - side
            total = spread(dilation, rank)[place] * (weight.size(place + 2) - 1)
            widths += [total // 2, total - total // 2]
        input = torch.constant_pad_nd(input, widths, 0.0)
    return conv_of(input, weight, bias, stride, nothing, dilation, False, nothing, groups)


def convolution_bias(grad: Tensor, batched: bool):
    dims = [place for place in range(grad.dim()) if place != 1]
    return grad.sum(dims)


def plain_input(
    grad: Tensor, sizes: List[int], weight: Tensor, stride: List[int], padding: List[int], dilation: List[int], groups: int
):
    """The gradient of what a convolution that is not transposed was given."""
    rank = weight.dim() - 2
    more = torch.jit.annotate(List[int], [])
    for place in range(rank):
        reach = (grad.size(place + 2) - 1) * spread(stride, rank)[place] - 2 * spread(padding, rank)[place]
        more.append(sizes[place + 2] - (reach + spread(dilation, rank)[place] * (weight.size(place + 2) - 1) + 1))
    extra = more
    if max(more) > 0:
        largest = [max(0, each) for each in more]
        fits = True
        for place in range(rank):
            if largest[place] >= max(spread(stride, rank)[place], spread(dilation, rank)[place]):
                fits = False
        if not fits:
            found = torch.convolution(grad, weight, None, stride, padding, dilation, True, [0] * rank, groups)
            widths = torch.jit.annotate(List[int], [])
            for side in range(rank):
                widths += [0, more[rank - 1 - side]]
            return torch.constant_pad_nd(found, widths, 0.0)
    return torch.convolution(grad, weight, None, stride, padding, dilation, True, extra, groups)


def plain_weight(
    grad: Tensor, input: Tensor, sizes: List[int], stride: List[int], padding: List[int], dilation: List[int], groups: int
):
    """The gradient of the weight of a convolution that is not transposed: input and gradient convolved."""
    rank = len(sizes) - 2
    batch = input.size(0)
    inner = list(input.size())[2:]
    channels = input.size(1) // groups
    images = input.reshape([batch, groups, channels] + inner).transpose(0, 2).reshape([channels, groups * batch] + inner)
    kernels = grad.transpose(0, 1)
    found = torch.convolution(images, kernels, None, spread(dilation, rank), padding, spread(stride, rank), False, [0] * rank, groups)
    for place in range(rank):
        found = found.narrow(place + 2, 0, sizes[place + 2])
    return found.transpose(0, 1)


def convolution_input(
    grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int], dilation: List[int], transposed: bool, groups: int
):
    if transposed:
        nothing = [0] * (weight.dim() - 2)
        found = torch.convolution(grad, weight.conj(), None, stride, padding, dilation, False, nothing, groups)
        for place in range(2, input.dim()):
            found = found.narrow(place, 0, input.size(place))
        return found
    return plain_input(grad, input.size(), weight.conj(), stride, padding, dilation, groups)


def convolution_weight(
    grad: Tensor, input: Tensor, weight: Tensor, stride: List[int], padding: List[int], dilation: List[int], transposed: bool, groups: int
):
    if input.numel() == 0 or grad.numel() == 0:
        return torch.zeros_like(weight)
    if transposed:
        return plain_weight(input.conj(), grad, weight.size(), stride, padding, dilation, groups)
    return plain_weight(grad, input.conj(), weight.size(), stride, padding, dilation, groups)
'''
