# Sampling images at the points of a grid.
def _corners_aligned(align_corners: Optional[bool]) -> bool:
    if align_corners is None:
        warnings.warn("grid_sample and affine_grid take align_corners=False when it is not given")
        return False
    return align_corners


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Optional[bool] = None,
) -> Tensor:
    modes = {"bilinear": 0, "nearest": 1, "bicubic": 2}
    if mode not in modes:
        raise ValueError(
            "nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', "
            "but got: '{}'".format(mode)
        )
    paddings = {"zeros": 0, "border": 1, "reflection": 2}
    if padding_mode not in paddings:
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or "
            "'reflection', but got: '{}'".format(padding_mode)
        )
    corners = torch.nn.functional._corners_aligned(align_corners)
    return torch.grid_sampler(input, grid, modes[mode], paddings[padding_mode], corners)


def _check_transforms(theta: Tensor, spatial: int, size: List[int]) -> None:
    if theta.dim() != 3 or theta.size(1) != spatial or theta.size(2) != spatial + 1:
        raise ValueError(
            "Expected a batch of {}D affine matrices of shape Nx{}x{} for size {}. Got {}.".format(
                spatial, spatial, spatial + 1, size, theta.size()
            )
        )


def affine_grid(
    theta: Tensor,
    size: List[int],
    align_corners: Optional[bool] = None,
) -> Tensor:
    corners = torch.nn.functional._corners_aligned(align_corners)
    if not theta.is_floating_point():
        raise ValueError("Expected theta to have floating point type")
    spatial = len(size) - 2
    if spatial != 2 and spatial != 3:
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            "respectively. Got size {}.".format(size)
        )
    torch.nn.functional._check_transforms(theta, spatial, size)
    if min(size) <= 0:
        raise ValueError("Expected non-zero, positive output size. Got {}".format(size))
    return torch.affine_grid_generator(theta, size, corners)
