# Fractional max pooling: windows of one size at places that a random sample for each plane and
# dimension shifts.
def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    if output_size is None and output_ratio is None:
        raise ValueError("fractional_max_pool2d takes an output_size or an output_ratio")
    if output_size is None:
        if output_ratio is None:
            raise AssertionError("output_ratio is missing")
        if len(output_ratio) > 2:
            raise ValueError("fractional_max_pool2d takes an output_ratio of one or two floats")
        ratios = torch.nn.modules.utils._pair(output_ratio)
        output_size = [
            int(input.size(-2) * ratios[0]),
            int(input.size(-1) * ratios[1]),
        ]
    if _random_samples is None:
        if input.dim() == 3:
            batch = 1
        else:
            batch = input.size(0)
        _random_samples = torch.rand(
            batch, input.size(-3), 2, dtype=input.dtype, device=input.device
        )
    return torch._C._nn.fractional_max_pool2d(input, kernel_size, output_size, _random_samples)


def _fractional_max_pool2d(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    return torch.nn.functional.fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )[0]


def fractional_max_pool3d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    if output_size is None and output_ratio is None:
        raise ValueError("fractional_max_pool3d takes an output_size or an output_ratio")
    if output_size is None:
        if output_ratio is None:
            raise AssertionError("output_ratio is missing")
        ratios = torch.nn.modules.utils._triple(output_ratio)
        output_size = [
            int(input.size(-3) * ratios[0]),
            int(input.size(-2) * ratios[1]),
            int(input.size(-1) * ratios[2]),
        ]
    if _random_samples is None:
        if input.dim() == 4:
            batch = 1
        else:
            batch = input.size(0)
        _random_samples = torch.rand(
            batch, input.size(-4), 3, dtype=input.dtype, device=input.device
        )
    return torch._C._nn.fractional_max_pool3d(input, kernel_size, output_size, _random_samples)


def _fractional_max_pool3d(
    input: Tensor,
    kernel_size: BroadcastingList3[int],
    output_size: Optional[BroadcastingList3[int]] = None,
    output_ratio: Optional[BroadcastingList3[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tensor:
    return torch.nn.functional.fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )[0]
