# Pooling: maxima, means, norms; windows of given, adapted or random size. A window strides over its
# own size, where nothing else is said.
from typing import List, Optional

import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _Layer
from torch.nn.modules.utils import _ntuple, _pair, _single, _triple


def _windows(spread, kernel_size, stride, padding):
    stride = kernel_size if stride is None else stride
    sizes = {"kernel_size": kernel_size, "stride": stride, "padding": padding}
    return {name: spread(size) for name, size in sizes.items()}


def _as_given(size):
    return size


class _MaxPoolNd(_Layer):
    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
    _shown = ["kernel_size", "stride", "padding", "dilation", "ceil_mode"]

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        dilation=1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(
            **_windows(_as_given, kernel_size, stride, padding),
            dilation=dilation,
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )


class MaxPool1d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
            self.return_indices,
        )


class MaxPool2d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
            self.return_indices,
        )


class MaxPool3d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
            self.return_indices,
        )


class _MaxUnpoolNd(_Layer):
    _shown = ["kernel_size", "stride", "padding"]
    _dimensions = 1

    def __init__(self, kernel_size, stride=None, padding=0) -> None:
        super().__init__(**_windows(_ntuple(self._dimensions), kernel_size, stride, padding))


class MaxUnpool1d(_MaxUnpoolNd):
    def forward(
        self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None
    ) -> Tensor:
        sizes = (self.kernel_size, self.stride, self.padding)
        return F.max_unpool1d(input, indices, *sizes, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    _dimensions = 2

    def forward(
        self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None
    ) -> Tensor:
        sizes = (self.kernel_size, self.stride, self.padding)
        return F.max_unpool2d(input, indices, *sizes, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    _dimensions = 3

    def forward(
        self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None
    ) -> Tensor:
        sizes = (self.kernel_size, self.stride, self.padding)
        return F.max_unpool3d(input, indices, *sizes, output_size)


class _AvgPoolNd(_Layer):
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]
    _shown = ["kernel_size", "stride", "padding"]


class AvgPool1d(_AvgPoolNd):
    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(
            **_windows(_single, kernel_size, stride, padding),
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
        )


class _WideAvgPool(_AvgPoolNd):
    __constants__ = [*_AvgPoolNd.__constants__, "divisor_override"]

    def __init__(
        self,
        kernel_size,
        stride=None,
        padding=0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: Optional[int] = None,
    ) -> None:
        super().__init__(
            **_windows(_as_given, kernel_size, stride, padding),
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
            divisor_override=divisor_override,
        )


class AvgPool2d(_WideAvgPool):
    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool3d(_WideAvgPool):
    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


# Windows at random places: as many as `output_size` says, or `output_ratio` of what comes in.
class _FractionalMaxPool(_Layer):
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]

    def __init__(self, spread, kernel_size, wanted, return_indices, _random_samples) -> None:
        given = {name: size for name, size in wanted.items() if size is not None}
        if len(given) != 1:
            raise ValueError(f"say one of {' and '.join(wanted)}, not {len(given)} of them")
        sizes = {name: spread(size) for name, size in given.items()}
        kernel_size = spread(kernel_size)
        if min(kernel_size) <= 0:
            raise ValueError(f"windows of size {kernel_size} hold nothing")
        ratios = sizes.get("output_ratio", (0.5,))
        if min(ratios) <= 0 or max(ratios) >= 1:
            raise ValueError(f"ratios are between 0 and 1, not {ratios}")
        super().__init__(kernel_size=kernel_size, return_indices=return_indices)
        self.register_buffer("_random_samples", _random_samples)
        for name in wanted:
            setattr(self, name, sizes.get(name))


class FractionalMaxPool2d(_FractionalMaxPool):
    def __init__(
        self,
        kernel_size,
        output_size=None,
        output_ratio=None,
        return_indices: bool = False,
        _random_samples=None,
    ) -> None:
        wanted = {"output_size": output_size, "output_ratio": output_ratio}
        super().__init__(_pair, kernel_size, wanted, return_indices, _random_samples)

    def forward(self, input: Tensor):
        sizes = (self.kernel_size, self.output_size, self.output_ratio)
        return F.fractional_max_pool2d(input, *sizes, self.return_indices, self._random_samples)


class FractionalMaxPool3d(_FractionalMaxPool):
    def __init__(
        self,
        kernel_size,
        output_size=None,
        output_ratio=None,
        return_indices: bool = False,
        _random_samples=None,
    ) -> None:
        wanted = {"output_size": output_size, "output_ratio": output_ratio}
        super().__init__(_triple, kernel_size, wanted, return_indices, _random_samples)

    def forward(self, input: Tensor):
        sizes = (self.kernel_size, self.output_size, self.output_ratio)
        return F.fractional_max_pool3d(input, *sizes, self.return_indices, self._random_samples)


class _LPPoolNd(_Layer):
    __constants__ = _shown = ["norm_type", "kernel_size", "stride", "ceil_mode"]

    def __init__(self, norm_type: float, kernel_size, stride=None, ceil_mode: bool = False) -> None:
        super().__init__(
            norm_type=norm_type, kernel_size=kernel_size, stride=stride, ceil_mode=ceil_mode
        )


class LPPool1d(_LPPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        power = float(self.norm_type)
        return F.lp_pool1d(input, power, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        power = float(self.norm_type)
        return F.lp_pool2d(input, power, self.kernel_size, self.stride, self.ceil_mode)


class LPPool3d(_LPPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        power = float(self.norm_type)
        return F.lp_pool3d(input, power, self.kernel_size, self.stride, self.ceil_mode)


class _AdaptiveAvgPoolNd(_Layer):
    __constants__ = _shown = ["output_size"]

    def __init__(self, output_size) -> None:
        super().__init__(output_size=output_size)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)


class _AdaptiveMaxPoolNd(_Layer):
    __constants__ = ["output_size", "return_indices"]
    _shown = ["output_size"]

    def __init__(self, output_size, return_indices: bool = False) -> None:
        super().__init__(output_size=output_size, return_indices=return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    def forward(self, input: Tensor):
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    def forward(self, input: Tensor):
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    def forward(self, input: Tensor):
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)
