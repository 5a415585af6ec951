# Channels of several groups interleaved.
import torch.nn.functional as F
from torch import Tensor
from torch.nn import Module


class ChannelShuffle(Module):
    __constants__ = ["groups"]
    groups: int

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
