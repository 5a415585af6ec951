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


# The p-norm of a window, from the average of the powers in it.
def _norm_of_windows(averages: Tensor, exponent: float, count: int) -> Tensor:
    return (torch.sign(averages) * torch.relu(torch.abs(averages)) * count).pow(1.0 / exponent)


def lp_pool1d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: int,
    stride: Optional[BroadcastingList1[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    exponent = float(norm_type)
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    zeros = [0] * 1
    averages = torch.avg_pool1d(input.pow(exponent), [kernel_size], steps, zeros, ceil_mode)
    return torch.nn.functional._norm_of_windows(averages, exponent, kernel_size)


def lp_pool2d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList2[int],
    stride: Optional[BroadcastingList2[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    exponent = float(norm_type)
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    zeros = [0] * 2
    averages = torch._C._nn.avg_pool2d(input.pow(exponent), kernel_size, steps, zeros, ceil_mode)
    return torch.nn.functional._norm_of_windows(averages, exponent, kernel_size[0] * kernel_size[1])


def lp_pool3d(
    input: Tensor,
    norm_type: Union[int, float],
    kernel_size: BroadcastingList3[int],
    stride: Optional[BroadcastingList3[int]] = None,
    ceil_mode: bool = False,
) -> Tensor:
    exponent = float(norm_type)
    steps = torch.jit.annotate(List[int], []) if stride is None else stride
    zeros = [0] * 3
    averages = torch._C._nn.avg_pool3d(input.pow(exponent), kernel_size, steps, zeros, ceil_mode)
    count = kernel_size[0] * kernel_size[1] * kernel_size[2]
    return torch.nn.functional._norm_of_windows(averages, exponent, count)
