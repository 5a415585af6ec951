# Linear and bilinear maps.
import math

import torch.nn.functional as F
from torch import Tensor
from torch.nn import Module, init
from torch.nn.modules.layer import _draw_affine, _Layer


class Identity(Module):
    def __init__(self, *args, **kwargs) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class _Affine(_Layer):
    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, bias={self.bias is not None}"


class Linear(_Affine):
    __constants__ = _shown = ["in_features", "out_features"]

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device=None, dtype=None
    ) -> None:
        super().__init__(in_features=in_features, out_features=out_features)
        sizes = {"weight": (out_features, in_features), "bias": out_features if bias else None}
        self._add_parameters(sizes, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _draw_affine(self.weight, self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)


# The projection of attention has a class of its own, so that quantization leaves it alone.
class NonDynamicallyQuantizableLinear(Linear):
    pass


class Bilinear(_Affine):
    __constants__ = _shown = ["in1_features", "in2_features", "out_features"]

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        inputs = (in1_features, in2_features)
        if in1_features <= 0:
            raise ValueError(f"a bilinear map needs features of its inputs, got {inputs}")
        super().__init__(
            in1_features=in1_features, in2_features=in2_features, out_features=out_features
        )
        sizes = {"weight": (out_features, *inputs), "bias": out_features if bias else None}
        self._add_parameters(sizes, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1 / math.sqrt(self.in1_features)
        for each in self.parameters():
            init.uniform_(each, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)
