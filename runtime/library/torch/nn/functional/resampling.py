# Interpolation against aliasing: each output pixel is a weighted sum over the input pixels that its
# filter, as wide as the image shrinks, reaches. There is a matrix of weights for each dimension.
def _filter_values(distance: Tensor, mode: str) -> Tensor:
    x = distance.abs()
    if mode == "bilinear":
        return (1.0 - x).clamp(min=0.0)
    if mode == "bicubic":
        near = (1.5 * x - 2.5) * x * x + 1.0
        far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
        return torch.where(x < 1.0, near, torch.where(x < 2.0, far, torch.zeros_like(x)))
    return torch.where(x < 3.0, torch.sinc(x) * torch.sinc(x / 3.0), torch.zeros_like(x))


def _pixel_scale(size: int, resized: int, factor: Optional[float], corners: bool) -> float:
    if corners:
        return (size - 1) / (resized - 1) if resized > 1 else 0.0
    if factor is not None and factor > 0.0:
        return 1.0 / factor
    return size / resized


def _resampling_matrix(size: int, resized: int, scale: float, mode: str) -> Tensor:
    centers = (torch.arange(resized, dtype=torch.float64) + 0.5) * scale
    places = torch.arange(size, dtype=torch.float64) + 0.5
    distance = (places.unsqueeze(0) - centers.unsqueeze(1)) / max(scale, 1.0)
    weights = torch.nn.functional._filter_values(distance, mode)
    return weights / weights.sum(dim=1, keepdim=True)


def _resampled(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    corners: bool,
) -> Tensor:
    result = input
    for d in range(2):
        old = input.size(d + 2)
        factor = None if scale_factor is None else scale_factor[d]
        new = old if size is None else size[d]
        if factor is not None:
            new = math.floor(float(old) * factor)
        scale = torch.nn.functional._pixel_scale(old, new, factor, corners)
        matrix = torch.nn.functional._resampling_matrix(old, new, scale, mode).to(input.dtype)
        result = (result.transpose(2, 3) if d == 0 else result) @ matrix.t()
        result = result.transpose(2, 3) if d == 0 else result
    return result
