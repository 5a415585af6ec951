# Changing the size of images.
from typing import Optional

import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _Layer


class Upsample(_Layer):
    __constants__ = [
        *("size", "scale_factor", "mode", "align_corners", "recompute_scale_factor", "name")
    ]

    def __init__(
        self,
        size=None,
        scale_factor=None,
        mode: str = "nearest",
        align_corners: Optional[bool] = None,
        recompute_scale_factor: Optional[bool] = None,
    ) -> None:
        if isinstance(scale_factor, tuple):
            scale_factor = tuple([float(each) for each in scale_factor])
        elif scale_factor is not None:
            scale_factor = float(scale_factor) or None
        super().__init__(
            name=type(self).__name__,
            size=size,
            scale_factor=scale_factor,
            mode=mode,
            align_corners=align_corners,
            recompute_scale_factor=recompute_scale_factor,
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        given = "size" if self.scale_factor is None else "scale_factor"
        return f"{given}={getattr(self, given)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)
