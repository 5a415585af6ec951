# The way back from maxima: each value goes to the place it came from, zeros around it.
def _unpooled_size(
    input: Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    output_size: Optional[List[int]],
) -> List[int]:
    count = len(kernel_size)
    sizes = input.size()[-count:]
    natural = [
        (sizes[d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d] for d in range(count)
    ]
    if output_size is None:
        return natural
    if len(output_size) == count + 2:
        output_size = output_size[2:]
    if len(output_size) != count:
        raise ValueError(
            "output_size should be a sequence containing {} or {} elements, but it has a length "
            "of '{}'".format(count, count + 2, len(output_size))
        )
    for d in range(count):
        low, high = natural[d] - stride[d], natural[d] + stride[d]
        if output_size[d] <= low or output_size[d] >= high:
            raise ValueError(
                'invalid output_size "{}" (dim {} must be between {} and {})'.format(
                    output_size, d, low, high
                )
            )
    return output_size


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    output_size: Optional[BroadcastingList1[int]] = None,
) -> Tensor:
    steps = kernel_size if stride is None else stride
    sizes = torch.nn.functional._unpooled_size(input, kernel_size, steps, padding, output_size)
    return torch._C._nn.max_unpool2d(
        input.unsqueeze(-1), indices.unsqueeze(-1), [sizes[0], 1]
    ).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    output_size: Optional[BroadcastingList2[int]] = None,
) -> Tensor:
    steps = kernel_size if stride is None else stride
    sizes = torch.nn.functional._unpooled_size(input, kernel_size, steps, padding, output_size)
    return torch._C._nn.max_unpool2d(input, indices, sizes)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    output_size: Optional[BroadcastingList3[int]] = None,
) -> Tensor:
    steps = kernel_size if stride is None else stride
    sizes = torch.nn.functional._unpooled_size(input, kernel_size, steps, padding, output_size)
    return torch._C._nn.max_unpool3d(input, indices, sizes, steps, padding)
