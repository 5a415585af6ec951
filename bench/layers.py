"""Layers of convolutional networks at their usual sizes, alone and as blocks, as ratios to torch.jit."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field

from bench.fusion import THREADS, warmed_seconds
from bench.ratio_table import RatioTable
from bench.small import arrays, converted
from bench.speed import module_of

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Layer:
    """A label, the body of a function of `x` and weights `a`, `b`, …, and their shapes."""

    label: str
    body: str
    shapes: tuple[Shape, ...]
    batches: tuple[int, ...] = field(default=(1, 8))

    def source(self, name: str) -> str:
        names = ["x", *"abcdefghijkl"[: len(self.shapes) - 1]]
        parameters = ", ".join(f"{each}: Tensor" for each in names)
        return f"def {name}({parameters}) -> Tensor:\n    {self.body}\n"


def _conv(label: str, weight: Shape, extents: Shape, options: str = "", groups: int = 1) -> Layer:
    spatial = len(extents)
    body = f"return torch.conv{spatial}d(x, a, b{options and ', ' + options})"
    return Layer(label, body, ((weight[1] * groups, *extents), weight, weight[:1]))


def _depthwise(channels: int, kernel: int, size: int, stride: int = 1) -> Layer:
    options = f"stride={stride}, padding={kernel // 2}, groups={channels}"
    label = f"depthwise {kernel}x{kernel}/{stride}, {channels} of {size}²"
    return _conv(label, (channels, 1, kernel, kernel), (size, size), options, channels)


def _square(channels: int, size: int, stride: int = 1) -> Layer:
    label = f"3x3/{stride}, {channels} of {size}²"
    options = f"stride={stride}, padding=1"
    return _conv(label, (channels * stride, channels, 3, 3), (size, size), options)


def _plain(label: str, expression: str, *shapes: Shape) -> Layer:
    return Layer(label, f"return {expression}", shapes)


def _normed(channels: int) -> tuple[Shape, ...]:
    return ((channels,),) * 4


LAYERS = (
    _conv("7x7/2, 3 of 224²", (64, 3, 7, 7), (224, 224), "stride=2, padding=3"),
    *(_square(channels, size) for channels, size in ((64, 56), (128, 28), (256, 14), (512, 7))),
    _square(64, 56, 2),
    _square(256, 14, 2),
    _conv("1x1, 64 to 256 of 56²", (256, 64, 1, 1), (56, 56)),
    _conv("1x1, 96 to 24 of 56²", (24, 96, 1, 1), (56, 56)),
    _conv("1x1, 672 to 112 of 14²", (112, 672, 1, 1), (14, 14)),
    _conv("1x1/2, 256 to 512 of 56²", (512, 256, 1, 1), (56, 56), "stride=2"),
    _depthwise(64, 3, 112),
    _depthwise(96, 3, 56, 2),
    _depthwise(240, 5, 28),
    _depthwise(384, 7, 14),
    _conv(
        "grouped 3x3, 32 groups of 4 of 56²", (128, 4, 3, 3), (56, 56), "padding=1, groups=32", 32
    ),
    _plain(
        "transposed 2x2/2, 128 to 64 of 64²",
        "torch.conv_transpose2d(x, a, b, stride=2)",
        (128, 64, 64),
        (128, 64, 2, 2),
        (64,),
    ),
    _conv("1-d dilated, 64 of 16000", (128, 64, 2), (16000,), "dilation=64"),
    _conv("3-d 3x3x3, 16 of 24³", (32, 16, 3, 3, 3), (24, 24, 24), "padding=1"),
    _plain(
        "max_pool2d 3/2, 64 of 112²", "torch.max_pool2d(x, [3, 3], [2, 2], [1, 1])", (64, 112, 112)
    ),
    _plain("max_pool2d 2/2, 64 of 128²", "torch.max_pool2d(x, [2, 2])", (64, 128, 128)),
    _plain(
        "avg_pool2d 3/1, 64 of 56²",
        "torch._C._nn.avg_pool2d(x, [3, 3], [1, 1], [1, 1])",
        (64, 56, 56),
    ),
    _plain("avg_pool3d, whole axis", "torch._C._nn.avg_pool3d(x, [16, 1, 1])", (32, 16, 28, 28)),
    _plain(
        "adaptive_avg_pool2d to 1, 512 of 14²",
        "torch._C._nn.adaptive_avg_pool2d(x, [1, 1])",
        (512, 14, 14),
    ),
    _plain(
        "adaptive_avg_pool2d to 7, 256 of 20²",
        "torch._C._nn.adaptive_avg_pool2d(x, [7, 7])",
        (256, 20, 20),
    ),
    _plain(
        "batch_norm, 64 of 56²",
        "torch.batch_norm(x, a, b, c, d, False, 0.1, 1e-5, True)",
        (64, 56, 56),
        *_normed(64),
    ),
    _plain(
        "nearest times 2, 64 of 64²",
        "torch._C._nn.upsample_nearest2d(x, None, [2.0, 2.0])",
        (64, 64, 64),
    ),
    _plain(
        "bilinear times 2, 64 of 64²",
        "torch._C._nn.upsample_bilinear2d(x, None, False, [2.0, 2.0])",
        (64, 64, 64),
    ),
    Layer(
        "conv, batch_norm, relu, 64 of 56²",
        "y = torch.conv2d(x, a, None, padding=1)\n"
        "    return torch.relu(torch.batch_norm(y, b, c, d, e, False, 0.1, 1e-5, True))",
        ((64, 56, 56), (64, 64, 3, 3), *_normed(64)),
    ),
    Layer(
        "inverted residual, 40 of 28²",
        "y = torch._C._nn.hardswish(torch.conv2d(x, a, b))\n"
        "    y = torch._C._nn.hardswish(torch.conv2d(y, c, d, padding=2, groups=120))\n"
        "    return x + torch.conv2d(y, e, f)",
        ((40, 28, 28), (120, 40, 1, 1), (120,), (120, 1, 5, 5), (120,), (40, 120, 1, 1), (40,)),
    ),
    Layer(
        "ConvNeXt block, 96 of 56²",
        "y = torch.conv2d(x, a, b, padding=3, groups=96).permute(0, 2, 3, 1)\n"
        "    y = torch._C._nn.linear(torch.layer_norm(y, [96], c, d), e, f)\n"
        "    y = torch._C._nn.linear(torch._C._nn.gelu(y), g, h)\n"
        "    return x + y.permute(0, 3, 1, 2)",
        ((96, 56, 56), (96, 1, 7, 7), (96,), (96,), (96,), (384, 96), (384,), (96, 384), (96,)),
    ),
)


def main(arguments: list[str]) -> None:
    """With a word that the labels of wanted layers have, if not all."""
    import torch

    import tsc

    torch.set_num_threads(THREADS)
    tsc.set_num_threads(THREADS)
    wanted = [each for each in LAYERS if not arguments or arguments[0] in each.label]
    head = "import torch\nfrom torch import Tensor\n\n"
    texts = [layer.source(f"layer{place}") for place, layer in enumerate(wanted)]
    source = head + "\n\n".join(texts)
    unit = tsc.CompilationUnit("\n\n".join(texts))
    table = RatioTable(50, "ms")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        module = module_of(source, folder)
        for place, layer in enumerate(wanted):
            theirs = torch.jit.script(getattr(module, f"layer{place}"))
            for batch in layer.batches:
                given = arrays(((batch, *layer.shapes[0]), *layer.shapes[1:]))
                own = [converted(tsc.from_numpy, each) for each in given]
                seconds = warmed_seconds(getattr(unit, f"layer{place}"), own)
                foreign = [converted(torch.from_numpy, each) for each in given]
                reference = warmed_seconds(theirs, foreign)
                table.add(f"{layer.label}, batch {batch}", seconds, reference)
    table.end()
