# Convolutions, plain and transposed.
from typing import List, Optional

import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _draw_affine, _Layer
from torch.nn.modules.utils import _ntuple, _reverse_repeat_tuple, _single

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


# What F.pad adds for an output as large as the input: the odd element goes to the end.
def _same_padding(kernel_size, dilation):
    paddings = []
    for size, step in zip(kernel_size, dilation):
        total = step * (size - 1)
        paddings = [total // 2, total - total // 2] + paddings
    return paddings


def _paddings(padding, kernel_size, stride, dilation):
    if not isinstance(padding, str):
        return list(_reverse_repeat_tuple(padding, 2))
    if padding == "valid":
        return [0, 0] * len(kernel_size)
    if padding != "same":
        raise ValueError(f"padding is 'same', 'valid' or numbers, not {padding!r}")
    if max(stride) > 1:
        raise ValueError("padding='same' needs a stride of 1")
    return _same_padding(kernel_size, dilation)


class _ConvNd(_Layer):
    __constants__ = [
        *("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation"),
        *("output_padding", "groups", "padding_mode"),
    ]
    bias: Optional[Tensor]

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ) -> None:
        if groups < 1 or in_channels % groups or out_channels % groups:
            channels = f"{in_channels} and {out_channels} channels"
            raise ValueError(f"{channels} do not fall into groups of equal size: groups={groups}")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(f"padding_mode is one of {_PADDING_MODES}, not {padding_mode!r}")
        super().__init__(
            in_channels=in_channels,
            out_channels=out_channels,
            kernel_size=kernel_size,
            stride=stride,
            padding=padding,
            dilation=dilation,
            transposed=transposed,
            output_padding=output_padding,
            groups=groups,
            padding_mode=padding_mode,
            _reversed_padding_repeated_twice=_paddings(padding, kernel_size, stride, dilation),
        )
        rows, columns = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        weight = (rows, columns // groups, *kernel_size)
        sizes = {"weight": weight, "bias": out_channels if bias else None}
        self._add_parameters(sizes, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _draw_affine(self.weight, self.bias if self.weight.numel() > 0 else None)

    def extra_repr(self) -> str:
        parts = [f"{self.in_channels}, {self.out_channels}"]
        parts += [f"{name}={getattr(self, name)}" for name in ("kernel_size", "stride")]
        usual = {"padding": 0, "dilation": 1, "output_padding": 0}
        for name, size in usual.items():
            sizes = getattr(self, name)
            if sizes != (size,) * len(sizes):
                parts.append(f"{name}={sizes}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)


# Sizes of `_dimensions`, given once for all of them, or one by one.
class _Convolution(_ConvNd):
    _dimensions = 1

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ) -> None:
        spread = _ntuple(self._dimensions)
        if not isinstance(padding, str):
            padding = spread(padding)
        sizes = (spread(kernel_size), spread(stride), padding, spread(dilation))
        transposing = (False, spread(0))
        super().__init__(
            in_channels,
            out_channels,
            *sizes,
            *transposing,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Convolution):
    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv1d(
                F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode),
                weight,
                bias,
                self.stride,
                [0],
                self.dilation,
                self.groups,
            )
        return F.conv1d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class Conv2d(_Convolution):
    _dimensions = 2

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv2d(
                F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode),
                weight,
                bias,
                self.stride,
                [0, 0],
                self.dilation,
                self.groups,
            )
        return F.conv2d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class Conv3d(_Convolution):
    _dimensions = 3

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Optional[Tensor]):
        if self.padding_mode != "zeros":
            return F.conv3d(
                F.pad(input, self._reversed_padding_repeated_twice, self.padding_mode),
                weight,
                bias,
                self.stride,
                [0, 0, 0],
                self.dilation,
                self.groups,
            )
        return F.conv3d(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)


class _ConvTransposeNd(_ConvNd):
    _dimensions = 1

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups: int = 1,
        bias: bool = True,
        dilation=1,
        padding_mode: str = "zeros",
        device=None,
        dtype=None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f"transposed convolutions pad with zeros, not by {padding_mode!r}")
        spread = _ntuple(self._dimensions)
        sizes = [spread(size) for size in (kernel_size, stride, padding, dilation)]
        transposing = (True, spread(output_padding))
        super().__init__(
            in_channels,
            out_channels,
            *sizes,
            *transposing,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    # A stride leaves several sizes open: what to add to the smallest output for one of `output_size`,
    # which may begin with the sizes of batch and channels.
    def _output_padding(
        self,
        input: Tensor,
        output_size: Optional[List[int]],
        stride: List[int],
        padding: List[int],
        kernel_size: List[int],
        num_spatial_dims: int,
        dilation: Optional[List[int]] = None,
    ) -> List[int]:
        if output_size is None:
            return _single(self.output_padding)
        others = input.dim() - num_spatial_dims
        if len(output_size) not in (num_spatial_dims, num_spatial_dims + others):
            raise ValueError(
                f"output_size has {num_spatial_dims} sizes, or {input.dim()} with those of batch "
                f"and channels, not {len(output_size)}"
            )
        wanted = output_size[-num_spatial_dims:]
        added: List[int] = []
        for place, size in enumerate(wanted):
            step = 1 if dilation is None else dilation[place]
            covered = step * (kernel_size[place] - 1) + 1
            least = (input.size(others + place) - 1) * stride[place] + covered - 2 * padding[place]
            if size < least or size - least >= stride[place]:
                raise ValueError(
                    f"{size} of the output_size {wanted} is not between {least} and "
                    f"{least + stride[place] - 1}, as the input's size {input.size()} asks for"
                )
            added.append(size - least)
        return added


class ConvTranspose1d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, 1, self.dilation
        )
        sizes = (self.stride, self.padding, output_padding)
        return F.conv_transpose1d(input, self.weight, self.bias, *sizes, self.groups, self.dilation)


class ConvTranspose2d(_ConvTransposeNd):
    _dimensions = 2

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, 2, self.dilation
        )
        sizes = (self.stride, self.padding, output_padding)
        return F.conv_transpose2d(input, self.weight, self.bias, *sizes, self.groups, self.dilation)


class ConvTranspose3d(_ConvTransposeNd):
    _dimensions = 3

    def forward(self, input: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        output_padding = self._output_padding(
            input, output_size, self.stride, self.padding, self.kernel_size, 3, self.dilation
        )
        sizes = (self.stride, self.padding, output_padding)
        return F.conv_transpose3d(input, self.weight, self.bias, *sizes, self.groups, self.dilation)
