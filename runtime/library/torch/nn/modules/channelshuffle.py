# Channels of several groups interleaved.
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _Layer


class ChannelShuffle(_Layer):
    __constants__ = _shown = ["groups"]

    def __init__(self, groups: int) -> None:
        super().__init__(groups=groups)

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)
