# The way back from maxima: each value goes to the place it came from, zeros around it.
def _unpool_output_size(
    input: Tensor,
    kernel_size: List[int],
    stride: List[int],
    padding: List[int],
    output_size: Optional[List[int]],
) -> List[int]:
    sizes = input.size()
    natural = torch.jit.annotate(List[int], [])
    for d in range(len(kernel_size)):
        natural.append(
            (sizes[-len(kernel_size) + d] - 1) * stride[d] + kernel_size[d] - 2 * padding[d]
        )
    if output_size is None:
        unpooled = natural
    else:
        if len(output_size) == len(kernel_size) + 2:
            output_size = output_size[2:]
        if len(output_size) != len(kernel_size):
            raise ValueError(
                "output_size should be a sequence containing {} or {} elements, where {} are "
                "given".format(len(kernel_size), len(kernel_size) + 2, len(output_size))
            )
        for d in range(len(kernel_size)):
            low = natural[d] - stride[d]
            high = natural[d] + stride[d]
            if not low < output_size[d] < high:
                raise ValueError(
                    "invalid output_size {}: dimension {} must be between {} and {}".format(
                        output_size, d, low, high
                    )
                )
        unpooled = output_size
    for d in range(len(kernel_size)):
        if unpooled[d] < 0:
            raise ValueError(
                "max_unpooling: output_size must not be negative; in dimension {} it is {}".format(
                    d, unpooled[d]
                )
            )
    return unpooled


def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    output_size: Optional[BroadcastingList1[int]] = None,
) -> Tensor:
    if stride is not None:
        steps = stride
    else:
        steps = kernel_size
    output_size = torch.nn.functional._unpool_output_size(
        input, kernel_size, steps, padding, output_size
    )
    if isinstance(output_size, list):
        output_size = output_size + [1]
    else:
        output_size = output_size + (1,)
    return torch._C._nn.max_unpool2d(
        input.unsqueeze(-1), indices.unsqueeze(-1), output_size
    ).squeeze(-1)


def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    output_size: Optional[BroadcastingList2[int]] = None,
) -> Tensor:
    if stride is not None:
        steps = stride
    else:
        steps = kernel_size
    output_size = torch.nn.functional._unpool_output_size(
        input, kernel_size, steps, padding, output_size
    )
    return torch._C._nn.max_unpool2d(input, indices, output_size)


def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    output_size: Optional[BroadcastingList3[int]] = None,
) -> Tensor:
    if stride is not None:
        steps = stride
    else:
        steps = kernel_size
    output_size = torch.nn.functional._unpool_output_size(
        input, kernel_size, steps, padding, output_size
    )
    return torch._C._nn.max_unpool3d(input, indices, output_size, steps, padding)
