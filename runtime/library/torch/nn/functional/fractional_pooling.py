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


def _fractional_starts(samples: Tensor, size: int, pooled: int, window: int) -> Tensor:
    if pooled == 1:
        return torch.full_like(samples, size - window, dtype=torch.int64).unsqueeze(-1)
    step = (size - window) / (pooled - 1)
    steps = torch.arange(pooled - 1, dtype=samples.dtype)
    sample = samples.unsqueeze(-1)
    starts = ((steps + sample) * step).to(torch.int64) - (sample * step).to(torch.int64)
    last = torch.full_like(samples, size - window, dtype=torch.int64).unsqueeze(-1)
    return torch.cat([starts, last], -1)


# The flat indices of the elements of each window: planes x windows x elements.
def _fractional_windows(
    samples: Tensor,
    sizes: List[int],
    pooled: List[int],
    kernel_size: List[int],
) -> Tensor:
    planes = samples.size(0)
    indices = torch.zeros([planes, 1, 1], dtype=torch.int64)
    for d in range(len(sizes)):
        starts = torch.nn.functional._fractional_starts(
            samples[:, d], sizes[d], pooled[d], kernel_size[d]
        )
        places = starts.unsqueeze(-1) + torch.arange(kernel_size[d])
        outer = indices.unsqueeze(2).unsqueeze(-1) * sizes[d]
        indices = (outer + places.unsqueeze(1).unsqueeze(3)).flatten(3, 4).flatten(1, 2)
    return indices


def _fractional_max_pool(
    input: Tensor,
    kernel_size: List[int],
    pooled: List[int],
    samples: Tensor,
) -> Tuple[Tensor, Tensor]:
    count = len(kernel_size)
    sizes = input.size()[-count:]
    spare = 1 if count == 3 else 0
    for d in range(count):
        if pooled[d] + kernel_size[d] - 1 + spare > sizes[d]:
            raise RuntimeError(
                "fractional_max_pool{}d: pool size {} too large relative to input size {}".format(
                    count, kernel_size[d], sizes[d]
                )
            )
    planes = input.reshape([-1] + sizes).flatten(1)
    windows = torch.nn.functional._fractional_windows(
        samples.reshape([-1, count]), sizes, pooled, kernel_size
    )
    elements = planes.gather(1, windows.flatten(1)).reshape(windows.size())
    maxima, places = elements.max(dim=2)
    indices = windows.gather(2, places.unsqueeze(2)).squeeze(2)
    shape = input.size()[:-count] + pooled
    return maxima.reshape(shape), indices.reshape(shape)


def fractional_max_pool2d_with_indices(
    input: Tensor,
    kernel_size: BroadcastingList2[int],
    output_size: Optional[BroadcastingList2[int]] = None,
    output_ratio: Optional[BroadcastingList2[float]] = None,
    return_indices: bool = False,
    _random_samples: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    pooled = torch.nn.functional._fractional_size(input, output_size, output_ratio, 2)
    if _random_samples is None:
        batch = 1 if input.dim() == 3 else input.size(0)
        samples = torch.rand([batch, input.size(-3), 2], dtype=input.dtype)
    else:
        samples = _random_samples
    # The first sample shifts columns, the second rows.
    return torch.nn.functional._fractional_max_pool(input, kernel_size, pooled, samples.flip(-1))


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
    if _random_samples is None:
        batch = 1 if input.dim() == 4 else input.size(0)
        samples = torch.rand([batch, input.size(-4), 3], dtype=input.dtype)
    else:
        samples = _random_samples
    return torch.nn.functional._fractional_max_pool(input, kernel_size, pooled, samples)


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
