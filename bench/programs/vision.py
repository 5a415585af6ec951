"""Networks of images, of the usual shapes: residual, of inverted residuals, of large windows, of patches, and U-Nets."""
from typing import List

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def conv_norm(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs))


class Residual(nn.Module):
    """Two 3x3 convolutions, or one between two of 1x1."""

    def __init__(self, inputs: int, width: int, stride: int, is_deep: bool):
        super().__init__()
        outputs = width * 4 if is_deep else width
        if is_deep:
            parts = [conv_norm(inputs, width, 1), nn.ReLU(inplace=True), conv_norm(width, width, 3, stride)]
            parts += [nn.ReLU(inplace=True), conv_norm(width, outputs, 1)]
        else:
            parts = [conv_norm(inputs, width, 3, stride), nn.ReLU(inplace=True), conv_norm(width, width, 3)]
        self.body = nn.Sequential(*parts)
        changes = stride != 1 or inputs != outputs
        self.short = conv_norm(inputs, outputs, 1, stride) if changes else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.body(x) + self.short(x), inplace=True)


class ResNet(nn.Module):
    def __init__(self, depths: List[int], is_deep: bool):
        super().__init__()
        self.stem = nn.Sequential(conv_norm(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1))
        blocks: List[nn.Module] = []
        inputs = 64
        for stage, depth in enumerate(depths):
            for place in range(depth):
                stride = 2 if stage > 0 and place == 0 else 1
                blocks.append(Residual(inputs, 64 << stage, stride, is_deep))
                inputs = (64 << stage) * (4 if is_deep else 1)
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(inputs, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.blocks(self.stem(x))
        return self.head(F.adaptive_avg_pool2d(x, [1, 1]).flatten(1))


class ResNet18(ResNet):
    def __init__(self):
        super().__init__([2, 2, 2, 2], False)


class ResNet50(ResNet):
    def __init__(self):
        super().__init__([3, 4, 6, 3], True)


class Squeeze(nn.Module):
    """Scales channels by what their means say."""

    def __init__(self, channels: int, inner: int, gate: nn.Module):
        super().__init__()
        self.down = nn.Conv2d(channels, inner, 1)
        self.up = nn.Conv2d(inner, channels, 1)
        self.gate = gate

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.down(F.adaptive_avg_pool2d(x, [1, 1])))
        return x * self.gate(self.up(y))


class InvertedResidual(nn.Module):
    def __init__(self, inputs: int, inner: int, outputs: int, size: int, stride: int, squeeze: nn.Module, activation: nn.Module):
        super().__init__()
        parts: List[nn.Module] = []
        if inner != inputs:
            parts += [conv_norm(inputs, inner, 1), activation]
        parts += [conv_norm(inner, inner, size, stride, inner), activation, squeeze]
        self.body = nn.Sequential(*parts, conv_norm(inner, outputs, 1))
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        y = self.body(x)
        return x + y if self.adds else y


MOBILE = [
    (3, 16, 16, False, "relu", 1), (3, 64, 24, False, "relu", 2), (3, 72, 24, False, "relu", 1),
    (5, 72, 40, True, "relu", 2), (5, 120, 40, True, "relu", 1), (5, 120, 40, True, "relu", 1),
    (3, 240, 80, False, "swish", 2), (3, 200, 80, False, "swish", 1), (3, 184, 80, False, "swish", 1),
    (3, 184, 80, False, "swish", 1), (3, 480, 112, True, "swish", 1), (3, 672, 112, True, "swish", 1),
    (5, 672, 160, True, "swish", 2), (5, 960, 160, True, "swish", 1), (5, 960, 160, True, "swish", 1),
]


class MobileNet(nn.Module):
    def __init__(self):
        super().__init__()
        blocks: List[nn.Module] = [conv_norm(3, 16, 3, 2), nn.Hardswish()]
        inputs = 16
        for size, inner, outputs, squeezes, activation, stride in MOBILE:
            squeeze = Squeeze(inner, inner // 4, nn.Hardsigmoid()) if squeezes else nn.Identity()
            kind = nn.ReLU(inplace=True) if activation == "relu" else nn.Hardswish()
            blocks.append(InvertedResidual(inputs, inner, outputs, size, stride, squeeze, kind))
            inputs = outputs
        self.blocks = nn.Sequential(*blocks, conv_norm(160, 960, 1), nn.Hardswish())
        self.head = nn.Sequential(nn.Linear(960, 1280), nn.Hardswish(), nn.Linear(1280, 1000))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.blocks(x).mean([2, 3]))


EFFICIENT = [(3, 1, 16, 1, 1), (3, 6, 24, 2, 2), (5, 6, 40, 2, 2), (3, 6, 80, 3, 2), (5, 6, 112, 3, 1), (5, 6, 192, 4, 2), (3, 6, 320, 1, 1)]


class EfficientNet(nn.Module):
    def __init__(self):
        super().__init__()
        blocks: List[nn.Module] = [conv_norm(3, 32, 3, 2), nn.SiLU()]
        inputs = 32
        for size, factor, outputs, depth, stride in EFFICIENT:
            for place in range(depth):
                inner = inputs * factor
                squeeze = Squeeze(inner, max(inputs // 4, 1), nn.Sigmoid())
                step = stride if place == 0 else 1
                blocks.append(InvertedResidual(inputs, inner, outputs, size, step, squeeze, nn.SiLU()))
                inputs = outputs
        self.blocks = nn.Sequential(*blocks, conv_norm(320, 1280, 1), nn.SiLU())
        self.head = nn.Linear(1280, 1000)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.blocks(x).mean([2, 3]))


class ConvNeXtBlock(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.mix = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)
        self.scale = nn.Parameter(torch.full([width, 1, 1], 0.1))

    def forward(self, x: Tensor) -> Tensor:
        y = self.norm(self.mix(x).permute(0, 2, 3, 1))
        y = self.down(F.gelu(self.up(y))).permute(0, 3, 1, 2)
        return x + self.scale * y


class ChannelNorm(nn.LayerNorm):
    def forward(self, x: Tensor) -> Tensor:
        y = F.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return y.permute(0, 3, 1, 2)


class ConvNeXt(nn.Module):
    def __init__(self):
        super().__init__()
        parts: List[nn.Module] = [nn.Conv2d(3, 96, 4, 4), ChannelNorm(96)]
        for stage, depth in enumerate([3, 3, 9, 3]):
            width = 96 << stage
            if stage:
                parts += [ChannelNorm(width // 2), nn.Conv2d(width // 2, width, 2, 2)]
            parts += [ConvNeXtBlock(width) for _ in range(depth)]
        self.body = nn.Sequential(*parts)
        self.norm = nn.LayerNorm(768)
        self.head = nn.Linear(768, 1000)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.norm(self.body(x).mean([-2, -1])))


def double(inputs: int, outputs: int) -> nn.Sequential:
    first, second = conv_norm(inputs, outputs, 3), conv_norm(outputs, outputs, 3)
    return nn.Sequential(first, nn.ReLU(inplace=True), second, nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        widths = [16, 32, 64, 128, 256]
        self.first = double(3, widths[0])
        self.downs = nn.ModuleList([double(low, high) for low, high in zip(widths, widths[1:])])
        pairs = list(zip(widths, widths[1:]))[::-1]
        self.grow = nn.ModuleList([nn.ConvTranspose2d(high, low, 2, 2) for low, high in pairs])
        self.ups = nn.ModuleList([double(2 * low, low) for low, _ in pairs])
        self.head = nn.Conv2d(widths[0], 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        kept = [x]
        for down in self.downs:
            x = down(F.max_pool2d(x, 2))
            kept.append(x)
        place = len(kept) - 2
        for grow, up in zip(self.grow, self.ups):
            x = up(torch.cat([kept[place], grow(x)], 1))
            place -= 1
        return self.head(x)


class MixerBlock(nn.Module):
    """Dense layers over places, then over channels."""

    def __init__(self, places: int, width: int):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.across = nn.Sequential(nn.Linear(places, 256), nn.GELU(), nn.Dropout(0.1), nn.Linear(256, places))
        self.along = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.across(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.along(self.norm2(x))


class Mixer(nn.Module):
    """Patches of 16x16 and eight blocks."""

    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2d(3, 384, 16, 16)
        self.blocks = nn.Sequential(*[MixerBlock(196, 384) for _ in range(8)])
        self.norm = nn.LayerNorm(384)
        self.head = nn.Linear(384, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.blocks(self.patches(x).flatten(2).transpose(1, 2))
        return self.head(self.norm(x).mean(1))


class TimedResidual(nn.Module):
    """Two convolutions with norms of groups, moved by what is known of the time."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(8, inputs), nn.GroupNorm(8, outputs)
        self.first, self.second = nn.Conv2d(inputs, outputs, 3, 1, 1), nn.Conv2d(outputs, outputs, 3, 1, 1)
        self.time = nn.Linear(64, outputs)
        self.past = nn.Conv2d(inputs, outputs, 1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        y = self.first(F.silu(self.norm1(x))) + self.time(F.silu(time))[:, :, None, None]
        return self.past(x) + self.second(F.silu(self.norm2(y)))


class PlaneAttention(nn.Module):
    """Of each place to all others."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.norm = nn.GroupNorm(8, width)
        self.qkv, self.out = nn.Conv2d(width, 3 * width, 1), nn.Conv2d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        batch, width, high, wide = x.shape
        qkv = self.qkv(self.norm(x)).view(batch, 3, self.heads, width // self.heads, high * wide).transpose(-1, -2)
        y = F.scaled_dot_product_attention(qkv[:, 0], qkv[:, 1], qkv[:, 2])
        return x + self.out(y.transpose(-1, -2).reshape(batch, width, high, wide))


class Denoiser(nn.Module):
    """A U-Net with attention, as diffusion has it, of 64x64 for a time."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(4, 64, 3, 1, 1)
        self.down1, self.down2 = TimedResidual(64, 64), TimedResidual(64, 128)
        self.middle1, self.attention, self.middle2 = TimedResidual(128, 128), PlaneAttention(128, 4), TimedResidual(128, 128)
        self.up1, self.up2 = TimedResidual(256, 64), TimedResidual(128, 64)
        self.last = nn.Conv2d(64, 4, 3, 1, 1)
        self.rates = nn.Parameter(torch.exp(torch.linspace(0, -6, 32)))

    def forward(self, x: Tensor) -> Tensor:
        angles = torch.full([x.size(0), 1], 20.0) * self.rates
        time = torch.cat([angles.sin(), angles.cos()], 1)
        a = self.down1(self.first(x), time)
        b = self.down2(F.avg_pool2d(a, 2), time)
        y = self.middle2(self.attention(self.middle1(F.avg_pool2d(b, 2), time)), time)
        y = self.up1(torch.cat([F.interpolate(y, scale_factor=2.0, mode="nearest"), b], 1), time)
        return self.last(self.up2(torch.cat([F.interpolate(y, scale_factor=2.0, mode="nearest"), a], 1), time))
