# Pooling: maxima with or without their places, power averages, and the way back from maxima.
def max_pool1d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool1d_with_indices(input, kernel_size, steps, padding, dilation, ceil_mode)


def _max_pool1d(
    input: Tensor,
    kernel_size: BroadcastingList1[int],
    stride: Optional[BroadcastingList1[int]] = None,
    padding: BroadcastingList1[int] = 0,
    dilation: BroadcastingList1[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool1d(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch._C._nn.max_pool2d_with_indices(
        input, kernel_size, steps, padding, dilation, ceil_mode
    )


def _max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    padding: BroadcastingList2[int] = 0,
    dilation: BroadcastingList2[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool2d(input, kernel_size, steps, padding, dilation, ceil_mode)


def max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch._C._nn.max_pool3d_with_indices(
        input, kernel_size, steps, padding, dilation, ceil_mode
    )


def _max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    padding: BroadcastingList3[int] = 0,
    dilation: BroadcastingList3[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    return torch.max_pool3d(input, kernel_size, steps, padding, dilation, ceil_mode)


def adaptive_avg_pool2d(input: Tensor, output_size: BroadcastingList2[int]) -> Tensor:
    sizes = torch.nn.functional._list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_avg_pool2d(input, sizes)


def adaptive_avg_pool3d(input: Tensor, output_size: BroadcastingList3[int]) -> Tensor:
    sizes = torch.nn.functional._list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_avg_pool3d(input, sizes)


def adaptive_max_pool1d_with_indices(
    input: Tensor,
    output_size: BroadcastingList1[int],
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    return torch.adaptive_max_pool1d(input, output_size)


def _adaptive_max_pool1d(
    input: Tensor,
    output_size: BroadcastingList1[int],
    return_indices: bool = False,
) -> Tensor:
    return torch.nn.functional.adaptive_max_pool1d_with_indices(input, output_size)[0]


def adaptive_max_pool2d_with_indices(
    input: Tensor,
    output_size: BroadcastingList2[int],
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    sizes = torch.nn.functional._list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_max_pool2d(input, sizes)


def _adaptive_max_pool2d(
    input: Tensor,
    output_size: BroadcastingList2[int],
    return_indices: bool = False,
) -> Tensor:
    return torch.nn.functional.adaptive_max_pool2d_with_indices(input, output_size)[0]


def adaptive_max_pool3d_with_indices(
    input: Tensor,
    output_size: BroadcastingList3[int],
    return_indices: bool = False,
) -> Tuple[Tensor, Tensor]:
    sizes = torch.nn.functional._list_with_default(output_size, input.size())
    return torch._C._nn.adaptive_max_pool3d(input, sizes)


def _adaptive_max_pool3d(
    input: Tensor,
    output_size: BroadcastingList3[int],
    return_indices: bool = False,
) -> Tensor:
    return torch.nn.functional.adaptive_max_pool3d_with_indices(input, output_size)[0]


# Windows by their p-norm, from the average of the powers in it.
def lp_pool1d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: int,
    stride: Optional[BroadcastingList1[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    assert isinstance(norm_type, (int, float))
    if norm_type == float("inf"):
        return torch.nn.functional.max_pool1d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if norm_type == -float("inf"):
        return -torch.nn.functional.max_pool1d(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if stride is not None:
        means = torch.avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        means = torch.avg_pool1d(input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode)
    positive = torch.sign(means) * torch.nn.functional.relu(torch.abs(means))
    return positive.mul(kernel_size).pow(1.0 / norm_type)


def lp_pool2d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    width, height = kernel_size
    assert isinstance(norm_type, (int, float))
    if norm_type == float("inf"):
        return torch.nn.functional.max_pool2d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if norm_type == -float("inf"):
        return -torch.nn.functional.max_pool2d(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if stride is not None:
        means = torch._C._nn.avg_pool2d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        means = torch._C._nn.avg_pool2d(
            input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode
        )
    positive = torch.sign(means) * torch.nn.functional.relu(torch.abs(means))
    return positive.mul(width * height).pow(1.0 / norm_type)


def lp_pool3d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    depth, width, height = kernel_size
    assert isinstance(norm_type, (int, float))
    if norm_type == float("inf"):
        return torch.nn.functional.max_pool3d(input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if norm_type == -float("inf"):
        return -torch.nn.functional.max_pool3d(-input.abs(), kernel_size, stride, 0, 1, ceil_mode)
    if stride is not None:
        means = torch._C._nn.avg_pool3d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    else:
        means = torch._C._nn.avg_pool3d(
            input.pow(norm_type), kernel_size, padding=0, ceil_mode=ceil_mode
        )
    positive = torch.sign(means) * torch.nn.functional.relu(torch.abs(means))
    return positive.mul(depth * width * height).pow(1.0 / norm_type)
