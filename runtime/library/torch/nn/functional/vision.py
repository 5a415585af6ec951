# Sampling images at the points of a grid.
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Optional[bool] = None,
) -> Tensor:
    if mode != "bilinear" and mode != "nearest" and mode != "bicubic":
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            "and not '{}'".format(mode)
        )
    if padding_mode != "zeros" and padding_mode != "border" and padding_mode != "reflection":
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            "'reflection', and not '{}'".format(padding_mode)
        )
    if mode == "bilinear":
        sampling = 0
    elif mode == "nearest":
        sampling = 1
    else:
        sampling = 2
    if padding_mode == "zeros":
        outside = 0
    elif padding_mode == "border":
        outside = 1
    else:
        outside = 2
    if align_corners is None:
        warnings.warn(
            "grid_sample and affine_grid take align_corners=False when it is not given",
            stacklevel=2,
        )
        align_corners = False
    return torch.grid_sampler(input, grid, sampling, outside, align_corners)


def affine_grid(
    theta: Tensor,
    size: List[int],
    align_corners: Optional[bool] = None,
) -> Tensor:
    if align_corners is None:
        warnings.warn(
            "grid_sample and affine_grid take align_corners=False when it is not given",
            stacklevel=2,
        )
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(
            "Expected theta to have floating point type, which {} is not".format(theta.dtype)
        )
    if len(size) == 4:
        if theta.dim() != 3 or theta.size()[-2] != 2 or theta.size()[-1] != 3:
            raise ValueError(
                "Expected a batch of 2D affine matrices of shape Nx2x3 for size {}, "
                "and not one of size {}".format(size, theta.size())
            )
        extent = size[-2:]
    elif len(size) == 5:
        if theta.dim() != 3 or theta.size()[-2] != 3 or theta.size()[-1] != 4:
            raise ValueError(
                "Expected a batch of 3D affine matrices of shape Nx3x4 for size {}, "
                "and not one of size {}".format(size, theta.size())
            )
        extent = size[-3:]
    else:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for transforms of 2 and of 3 dimensions; "
            "given is {}".format(size)
        )
    if align_corners and min(extent) == 1:
        warnings.warn(
            "affine_grid with align_corners=True takes the middle, where a dimension has size 1",
            stacklevel=2,
        )
    elif min(size) <= 0:
        raise ValueError("Expected non-zero, positive output size, which {} is not".format(size))
    return torch.affine_grid_generator(theta, size, align_corners)
