# Older names of interpolate.
def upsample(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample is deprecated: use nn.functional.interpolate")
    sizes = torch.nn.functional._sizes_for(input, size)
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, sizes, factors, mode, align_corners, None, False
    )


def upsample(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample is deprecated: use nn.functional.interpolate")
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, size, factors, mode, align_corners, None, False
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate")
    sizes = torch.nn.functional._sizes_for(input, size)
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, sizes, factors, "bilinear", True, None, False
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate")
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, size, factors, "bilinear", True, None, False
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate")
    sizes = torch.nn.functional._sizes_for(input, size)
    return torch.nn.functional._interpolate(
        input, sizes, scale_factor, "bilinear", True, None, False
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[List[float]] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate")
    return torch.nn.functional._interpolate(
        input, size, scale_factor, "bilinear", True, None, False
    )


def upsample_nearest(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample_nearest is deprecated: use nn.functional.interpolate")
    sizes = torch.nn.functional._sizes_for(input, size)
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, sizes, factors, "nearest", None, None, False
    )


def upsample_nearest(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn("nn.functional.upsample_nearest is deprecated: use nn.functional.interpolate")
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, size, factors, "nearest", None, None, False
    )
