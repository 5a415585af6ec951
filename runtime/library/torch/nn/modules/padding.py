# Borders around signals, images and volumes. `padding` counts elements before and after, for the last
# dimension first; one number is for all sides.
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _Layer
from torch.nn.modules.utils import _ntuple


class _Pad(_Layer):
    __constants__ = _shown_values = ["padding"]
    _sides = 2

    def __init__(self, padding) -> None:
        super().__init__(padding=_ntuple(self._sides)(padding))


class _CircularPadNd(_Pad):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class CircularPad1d(_CircularPadNd):
    def _check_input_dim(self, input) -> None:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class CircularPad2d(_CircularPadNd):
    _sides = 4

    def _check_input_dim(self, input) -> None:
        if input.dim() != 3 and input.dim() != 4:
            raise ValueError(f"expected 3D or 4D input (got {input.dim()}D input)")


class CircularPad3d(_CircularPadNd):
    _sides = 6

    def _check_input_dim(self, input) -> None:
        if input.dim() != 4 and input.dim() != 5:
            raise ValueError(f"expected 4D or 5D input (got {input.dim()}D input)")


class _ReflectionPadNd(_Pad):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "reflect")


class ReflectionPad1d(_ReflectionPadNd):
    _sides = 2


class ReflectionPad2d(_ReflectionPadNd):
    _sides = 4


class ReflectionPad3d(_ReflectionPadNd):
    _sides = 6


class _ReplicationPadNd(_Pad):
    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "replicate")


class ReplicationPad1d(_ReplicationPadNd):
    _sides = 2


class ReplicationPad2d(_ReplicationPadNd):
    _sides = 4


class ReplicationPad3d(_ReplicationPadNd):
    _sides = 6


class _ConstantPadNd(_Pad):
    __constants__ = ["padding", "value"]
    _shown_values = []
    _shown = ["padding", "value"]

    def __init__(self, padding, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)


class ConstantPad1d(_ConstantPadNd):
    _sides = 2


class ConstantPad2d(_ConstantPadNd):
    _sides = 4


class ConstantPad3d(_ConstantPadNd):
    _sides = 6


# Constants that are zero, and not shown.
class ZeroPad1d(ConstantPad1d):
    _shown_values, _shown = ["padding"], []

    def __init__(self, padding) -> None:
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    _shown_values, _shown = ["padding"], []

    def __init__(self, padding) -> None:
        super().__init__(padding, 0.0)


class ZeroPad3d(ConstantPad3d):
    _shown_values, _shown = ["padding"], []

    def __init__(self, padding) -> None:
        super().__init__(padding, 0.0)
