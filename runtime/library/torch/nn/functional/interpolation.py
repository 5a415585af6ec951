# Changing the size of images. The overloads differ in whether one size (or factor) is given for all
# dimensions, or a list; they share the last definition's body.
def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor: ...


def interpolate(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[List[float]] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor: ...


def interpolate(
    input: Tensor,
    size: Optional[int] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor: ...


def interpolate(
    input: Tensor,
    size: Optional[List[int]] = None,
    scale_factor: Optional[float] = None,
    mode: str = "nearest",
    align_corners: Optional[bool] = None,
    recompute_scale_factor: Optional[bool] = None,
    antialias: bool = False,
) -> Tensor: ...


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    if mode in ["nearest", "area", "nearest-exact"]:
        if align_corners is not None:
            raise ValueError(
                "align_corners option can only be set with the interpolating modes: "
                "linear | bilinear | bicubic | trilinear | lanczos"
            )
    else:
        if align_corners is None:
            align_corners = False
    spatial = input.dim() - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined, and both are given")
    elif size is not None:
        if scale_factor is not None:
            raise AssertionError("scale_factor must be None where a size is given")
        factors = None
        if isinstance(size, (list, tuple)):
            if len(size) != spatial:
                raise ValueError(
                    "Input and output must have the same number of spatial dimensions: those of "
                    "the input are {}, and the size is {}".format(list(input.size()[2:]), size)
                )
            extents = size
        else:
            extents = [size for _ in range(spatial)]
    elif scale_factor is not None:
        if size is not None:
            raise AssertionError("size must be None where a scale_factor is given")
        extents = None
        if isinstance(scale_factor, (list, tuple)):
            if len(scale_factor) != spatial:
                raise ValueError(
                    "Input and scale_factor must have the same number of spatial dimensions: those "
                    "of the input are {}, and the scale_factor is {}".format(
                        list(input.size()[2:]), scale_factor
                    )
                )
            factors = scale_factor
        else:
            factors = [scale_factor for _ in range(spatial)]
    else:
        raise ValueError("either size or scale_factor should be defined, and both are None")
    if recompute_scale_factor is not None and recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with a size, which leaves no scale to compute")
    if mode == "area" and extents is None:
        recompute_scale_factor = True
    if recompute_scale_factor is not None and recompute_scale_factor:
        if factors is None:
            raise AssertionError("scale_factor is what extents are computed from")
        extents = [math.floor(float(input.size(d + 2)) * factors[d]) for d in range(spatial)]
        factors = None
    if antialias and not (mode in ["bilinear", "bicubic", "lanczos"] and input.dim() == 4):
        raise ValueError(
            "Anti-alias option is restricted to the modes bilinear, bicubic and lanczos of 4-D input"
        )
    if input.dim() == 3 and mode == "nearest":
        return torch._C._nn.upsample_nearest1d(input, extents, factors)
    if input.dim() == 4 and mode == "nearest":
        return torch._C._nn.upsample_nearest2d(input, extents, factors)
    if input.dim() == 5 and mode == "nearest":
        return torch._C._nn.upsample_nearest3d(input, extents, factors)
    if input.dim() == 3 and mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact1d(input, extents, factors)
    if input.dim() == 4 and mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact2d(input, extents, factors)
    if input.dim() == 5 and mode == "nearest-exact":
        return torch._C._nn._upsample_nearest_exact3d(input, extents, factors)
    if input.dim() == 3 and mode == "area":
        if extents is None:
            raise AssertionError("the size is known here")
        return torch.adaptive_avg_pool1d(input, extents)
    if input.dim() == 4 and mode == "area":
        if extents is None:
            raise AssertionError("the size is known here")
        return torch.nn.functional.adaptive_avg_pool2d(input, extents)
    if input.dim() == 5 and mode == "area":
        if extents is None:
            raise AssertionError("the size is known here")
        return torch.nn.functional.adaptive_avg_pool3d(input, extents)
    if input.dim() == 3 and mode == "linear":
        if align_corners is None:
            raise AssertionError("align_corners is known here")
        return torch._C._nn.upsample_linear1d(input, extents, align_corners, factors)
    if input.dim() == 4 and mode == "bilinear":
        if align_corners is None:
            raise AssertionError("align_corners is known here")
        if antialias:
            return torch._C._nn._upsample_bilinear2d_aa(input, extents, align_corners, factors)
        return torch._C._nn.upsample_bilinear2d(input, extents, align_corners, factors)
    if input.dim() == 5 and mode == "trilinear":
        if align_corners is None:
            raise AssertionError("align_corners is known here")
        return torch._C._nn.upsample_trilinear3d(input, extents, align_corners, factors)
    if input.dim() == 4 and mode == "bicubic":
        if align_corners is None:
            raise AssertionError("align_corners is known here")
        if antialias:
            return torch._C._nn._upsample_bicubic2d_aa(input, extents, align_corners, factors)
        return torch._C._nn.upsample_bicubic2d(input, extents, align_corners, factors)
    if input.dim() == 4 and mode == "lanczos":
        if align_corners is None:
            raise AssertionError("align_corners is known here")
        if align_corners:
            raise ValueError("Lanczos mode does not support align_corners=True: leave it out")
        if not antialias:
            raise ValueError("Lanczos mode requires antialias=True")
        return torch._C._nn._upsample_lanczos2d_aa(input, extents, align_corners, factors)
    if input.dim() == 3 and mode == "bilinear":
        raise NotImplementedError(
            "Got 3D input, but bilinear mode needs 4D input: (batch, channels, height, width)"
        )
    if input.dim() == 3 and mode == "trilinear":
        raise NotImplementedError(
            "Got 3D input, but trilinear mode needs 5D input: (batch, channels, depth, height, width)"
        )
    if input.dim() == 4 and mode == "linear":
        raise NotImplementedError(
            "Got 4D input, but linear mode needs 3D input: (batch, channels, length)"
        )
    if input.dim() == 4 and mode == "trilinear":
        raise NotImplementedError(
            "Got 4D input, but trilinear mode needs 5D input: (batch, channels, depth, height, width)"
        )
    if input.dim() == 5 and mode == "linear":
        raise NotImplementedError(
            "Got 5D input, but linear mode needs 3D input: (batch, channels, length)"
        )
    if input.dim() == 5 and mode == "bilinear":
        raise NotImplementedError(
            "Got 5D input, but bilinear mode needs 4D input: (batch, channels, height, width)"
        )
    raise NotImplementedError(
        "Input Error: Only 3D, 4D and 5D input Tensors supported, and not {}D, for the modes: nearest "
        "| linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact; "
        "the mode is {}".format(input.dim(), mode)
    )
