# Older names of interpolate.
def upsample(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(input, size, scale_factor, mode, align_corners)


def upsample(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(input, size, scale_factor, mode, align_corners)


def upsample_bilinear(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(
        input, size, scale_factor, mode="bilinear", align_corners=True
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(
        input, size, scale_factor, mode="bilinear", align_corners=True
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(
        input, size, scale_factor, mode="bilinear", align_corners=True
    )


def upsample_bilinear(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[List[float]] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample_bilinear is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(
        input, size, scale_factor, mode="bilinear", align_corners=True
    )


def upsample_nearest(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample_nearest is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(input, size, scale_factor, mode="nearest")


def upsample_nearest(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
) -> Tensor:
    warnings.warn(
        "nn.functional.upsample_nearest is deprecated: use nn.functional.interpolate", stacklevel=2
    )
    return torch.nn.functional.interpolate(input, size, scale_factor, mode="nearest")
