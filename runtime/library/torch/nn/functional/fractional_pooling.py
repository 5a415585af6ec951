# Fractional max pooling: windows of one size at places that a random sample for each plane and
# dimension shifts.
def _fractional_size(
    input: Tensor,
    output_size: Optional[List[int]],
    output_ratio: Optional[List[float]],
    count: int,
) -> List[int]:
    if output_size is not None:
        return output_size
    if output_ratio is None:
        raise ValueError(
            "fractional_max_pool{}d requires specifying either an output_size or an "
            "output_ratio".format(count)
        )
    if len(output_ratio) > count:
        raise ValueError(
            "fractional_max_pool{}d requires output_ratio to either be a single float or a list "
            "of {} floats".format(count, count)
        )
    sizes = input.size()[-count:]
    return [int(sizes[d] * output_ratio[d]) for d in range(count)]


def _fractional_samples(input: Tensor, count: int, given: Optional[Tensor]) -> Tensor:
    if given is not None:
        return given
    batch = 1 if input.dim() == count + 1 else input.size(0)
    return torch.rand([batch, input.size(-count - 1), count], dtype=input.dtype)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    pooled = torch.nn.functional._fractional_size(input, output_size, output_ratio, 2)
    samples = torch.nn.functional._fractional_samples(input, 2, _random_samples)
    return torch._C._nn.fractional_max_pool2d(input, kernel_size, pooled, samples)


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
    pooled = torch.nn.functional._fractional_size(input, output_size, output_ratio, 3)
    samples = torch.nn.functional._fractional_samples(input, 3, _random_samples)
    return torch._C._nn.fractional_max_pool3d(input, kernel_size, pooled, samples)


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
