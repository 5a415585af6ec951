# Channels laid out as pixels, and back.
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _Layer


class PixelShuffle(_Layer):
    __constants__ = _shown = ["upscale_factor"]

    def __init__(self, upscale_factor: int) -> None:
        super().__init__(upscale_factor=upscale_factor)

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(_Layer):
    __constants__ = _shown = ["downscale_factor"]

    def __init__(self, downscale_factor: int) -> None:
        super().__init__(downscale_factor=downscale_factor)

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)
