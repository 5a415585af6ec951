# Normalization over the features of each sample, and across neighbouring channels.
from typing import Optional

import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _fill_affine, _Layer


class LocalResponseNorm(_Layer):
    __constants__ = ["size", "alpha", "beta", "k"]
    _shown_values = ["size"]
    _shown = ["alpha", "beta", "k"]

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__(size=size, alpha=alpha, beta=beta, k=k)

    def forward(self, input: Tensor) -> Tensor:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)


class _Scaled(_Layer):
    def reset_parameters(self) -> None:
        _fill_affine(self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, bias={self.bias is not None}"


class LayerNorm(_Scaled):
    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    _shown_values = ["normalized_shape"]
    _shown = ["eps", "elementwise_affine"]

    def __init__(
        self,
        normalized_shape,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        shape = _as_shape(normalized_shape)
        super().__init__(normalized_shape=shape, eps=eps, elementwise_affine=elementwise_affine)
        sizes = shape if elementwise_affine else None
        self._add_parameters({"weight": sizes, "bias": sizes if bias else None}, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(_Scaled):
    __constants__ = ["num_groups", "num_channels", "eps", "affine"]
    _shown_values = ["num_groups", "num_channels"]
    _shown = ["eps", "affine"]

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ) -> None:
        if num_channels % num_groups != 0:
            raise ValueError(f"{num_channels} channels do not fall into {num_groups} equal groups")
        super().__init__(num_groups=num_groups, num_channels=num_channels, eps=eps, affine=affine)
        width = num_channels if affine else None
        self._add_parameters({"weight": width, "bias": width if bias else None}, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class RMSNorm(_Layer):
    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    _shown_values = ["normalized_shape"]
    _shown = ["eps", "elementwise_affine"]

    def __init__(
        self,
        normalized_shape,
        eps: Optional[float] = None,
        elementwise_affine: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        shape = _as_shape(normalized_shape)
        super().__init__(normalized_shape=shape, eps=eps, elementwise_affine=elementwise_affine)
        self._add_parameters({"weight": shape if elementwise_affine else None}, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _fill_affine(self.weight, None)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)


def _as_shape(given):
    return (given,) if isinstance(given, int) else tuple(given)
