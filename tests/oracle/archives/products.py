# ruff: noqa: UP006, UP035  PyTorch compiles this, and has these spellings
"""Modules in the shapes of released speech and text products: what tracers and streaming code leave in archives."""

from typing import Tuple

import torch
from torch import Tensor, nn


class TracedNumbers(nn.Module):
    """A tracer makes constant tensors of numbers; what is computed from sizes is of the default dtype."""

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        frames = x.size(-1)
        steps = torch.arange(4) * (1.0 / frames)
        share = x.sum().to(torch.int16) * 0.5 - 2
        ones = torch.tensor([[1.5, -2.0], [0.25, 1e-6]]) + torch.tensor([3, 40])
        return steps, share, x.sum().half() / 3, ones


class OtherFirstParameter(nn.Module):
    def __init__(this):
        super().__init__()
        this.scale = 2.0

    def forward(this, x: Tensor) -> Tensor:
        return this.scaled(x, -1) + x[:, -2:].sum(-1, keepdim=True)

    def scaled(me, x: Tensor, by: int) -> Tensor:
        return x * (me.scale * by)


class PaddedEncoder(nn.Module):
    """The fast path of an encoder layer takes a mask of floats, of which PyTorch makes one of bools."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 12, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, x: Tensor, tokens: Tensor) -> Tensor:
        with torch.no_grad():
            return self.encoder(x, src_key_padding_mask=tokens == 0)
