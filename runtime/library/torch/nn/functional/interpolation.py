# Changing the size of images: interpolate and its older names. The overloads differ in whether one
# size (or factor) is given for all dimensions, or a list.
def _sizes_for(input: Tensor, size: Optional[int]) -> Optional[List[int]]:
    return None if size is None else [size] * (input.dim() - 2)


def _factors_for(input: Tensor, factor: Optional[float]) -> Optional[List[float]]:
    return None if factor is None else [factor] * (input.dim() - 2)


def _check_interpolation(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    align_corners: Optional[bool],
    recompute: bool,
    antialias: bool,
) -> None:
    if mode in ["nearest", "area", "nearest-exact"] and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: "
            "linear | bilinear | bicubic | trilinear"
        )
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    spatial = input.dim() - 2
    if size is not None and len(size) != spatial:
        raise ValueError(
            "Input and output must have the same number of spatial dimensions, but got input with "
            "spatial dimensions of {} and output size of {}.".format(input.size()[2:], size)
        )
    if scale_factor is not None and len(scale_factor) != spatial:
        raise ValueError(
            "Input and scale_factor must have the same number of spatial dimensions, but got input "
            "with spatial dimensions of {} and scale_factor of shape {}.".format(
                input.size()[2:], scale_factor
            )
        )
    if recompute and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if antialias and (spatial != 2 or mode not in ["bilinear", "bicubic", "lanczos"]):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires "
            "a 4-D tensor as input"
        )


def _scaled_sizes(input: Tensor, factors: List[float]) -> List[int]:
    return [math.floor(float(input.size(d + 2)) * factors[d]) for d in range(len(factors))]


def _interpolate(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    align_corners: Optional[bool],
    recompute_scale_factor: Optional[bool],
    antialias: bool,
) -> Tensor:
    recompute = recompute_scale_factor is not None and recompute_scale_factor
    torch.nn.functional._check_interpolation(
        input, size, scale_factor, mode, align_corners, recompute, antialias
    )
    if scale_factor is not None and (recompute or mode == "area"):
        size = torch.nn.functional._scaled_sizes(input, scale_factor)
        scale_factor = None
    corners = align_corners is not None and align_corners
    if mode == "lanczos" and input.dim() == 4:
        if corners:
            raise ValueError("Lanczos mode does not support align_corners=True")
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")
    if antialias:
        return torch.nn.functional._interpolate_filtered(input, size, scale_factor, mode, corners)
    if input.dim() == 3:
        return torch.nn.functional._interpolate_1d(input, size, scale_factor, mode, corners)
    if input.dim() == 4:
        return torch.nn.functional._interpolate_2d(input, size, scale_factor, mode, corners)
    if input.dim() == 5:
        return torch.nn.functional._interpolate_3d(input, size, scale_factor, mode, corners)
    return torch.nn.functional._no_such_interpolation(input, mode)


def _no_such_interpolation(input: Tensor, mode: str) -> Tensor:
    needed = {"linear": 3, "bilinear": 4, "trilinear": 5}
    rank = input.dim()
    if rank >= 3 and rank <= 5 and mode in needed:
        raise NotImplementedError(
            "Got {}D input, but {} mode needs {}D input".format(rank, mode, needed[mode])
        )
    raise NotImplementedError(
        "Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest "
        "| linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact "
        "(got {})".format(rank, mode)
    )


def _interpolate_1d(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    corners: bool,
) -> Tensor:
    if mode == "nearest":
        return torch._C._nn.upsample_nearest1d(input, size, scale_factor)
    if mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact1d(input, size, scale_factor)
    if mode == "linear":
        return torch._C._nn.upsample_linear1d(input, size, corners, scale_factor)
    if mode == "area" and size is not None:
        return torch.adaptive_avg_pool1d(input, size)
    return torch.nn.functional._no_such_interpolation(input, mode)


def _interpolate_2d(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    corners: bool,
) -> Tensor:
    if mode == "nearest":
        return torch._C._nn.upsample_nearest2d(input, size, scale_factor)
    if mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact2d(input, size, scale_factor)
    if mode == "bilinear":
        return torch._C._nn.upsample_bilinear2d(input, size, corners, scale_factor)
    if mode == "bicubic":
        return torch._C._nn.upsample_bicubic2d(input, size, corners, scale_factor)
    if mode == "area" and size is not None:
        return torch._C._nn.adaptive_avg_pool2d(input, size)
    return torch.nn.functional._no_such_interpolation(input, mode)


def _interpolate_filtered(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    corners: bool,
) -> Tensor:
    if mode == "bilinear":
        return torch._C._nn._upsample_bilinear2d_aa(input, size, corners, scale_factor)
    if mode == "bicubic":
        return torch._C._nn._upsample_bicubic2d_aa(input, size, corners, scale_factor)
    return torch._C._nn._upsample_lanczos2d_aa(input, size, corners, scale_factor)


def _interpolate_3d(
    input: Tensor,
    size: Optional[List[int]],
    scale_factor: Optional[List[float]],
    mode: str,
    corners: bool,
) -> Tensor:
    if mode == "nearest":
        return torch._C._nn.upsample_nearest3d(input, size, scale_factor)
    if mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact3d(input, size, scale_factor)
    if mode == "trilinear":
        return torch._C._nn.upsample_trilinear3d(input, size, corners, scale_factor)
    if mode == "area" and size is not None:
        return torch._C._nn.adaptive_avg_pool3d(input, size)
    return torch.nn.functional._no_such_interpolation(input, mode)


def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    sizes = torch.nn.functional._sizes_for(input, size)
    return torch.nn.functional._interpolate(
        input, sizes, scale_factor, mode, align_corners, recompute_scale_factor, antialias
    )


def interpolate(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    return torch.nn.functional._interpolate(
        input, size, scale_factor, mode, align_corners, recompute_scale_factor, antialias
    )


def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    sizes = torch.nn.functional._sizes_for(input, size)
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, sizes, factors, mode, align_corners, recompute_scale_factor, antialias
    )


def interpolate(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor:
    factors = torch.nn.functional._factors_for(input, scale_factor)
    return torch.nn.functional._interpolate(
        input, size, factors, mode, align_corners, recompute_scale_factor, antialias
    )
