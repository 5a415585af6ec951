# Normalization over batches, with running statistics.
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.modules.layer import _fill_affine, _Layer


class _NormBase(_Layer):
    _version = 2
    __constants__ = ["num_features", "eps", "momentum", "affine", "track_running_stats"]

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: Optional[float] = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device=None,
        dtype=None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(
            num_features=num_features,
            eps=eps,
            momentum=momentum,
            affine=affine,
            track_running_stats=track_running_stats,
        )
        width = num_features if affine else None
        self._add_parameters({"weight": width, "bias": width if bias else None}, device, dtype)
        statistics = dict.fromkeys(("running_mean", "running_var", "num_batches_tracked"))
        if track_running_stats:
            statistics["running_mean"] = torch.zeros(num_features, device=device, dtype=dtype)
            statistics["running_var"] = torch.ones(num_features, device=device, dtype=dtype)
            statistics["num_batches_tracked"] = torch.tensor(0, device=device)
        for name, value in statistics.items():
            self.register_buffer(name, value)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        self.reset_running_stats()
        _fill_affine(self.weight, self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self) -> str:
        rest = f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        settings = f"{self.num_features}, eps={self.eps}, momentum={self.momentum}"
        return f"{settings}, affine={self.affine}, {rest}"


class _BatchNorm(_NormBase):
    # Without momentum the running statistics are plain averages of all batches so far.
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        exponential_average_factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            if self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
                if self.momentum is None:
                    exponential_average_factor = 1.0 / float(self.num_batches_tracked)
                else:
                    exponential_average_factor = self.momentum
        bn_training = (
            True if self.training else (self.running_mean is None) and (self.running_var is None)
        )
        return F.batch_norm(
            input,
            self.running_mean if not self.training or self.track_running_stats else None,
            self.running_var if not self.training or self.track_running_stats else None,
            self.weight,
            self.bias,
            bn_training,
            exponential_average_factor,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    def _check_input_dim(self, input) -> None:
        if input.dim() != 2 and input.dim() != 3:
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class BatchNorm2d(_BatchNorm):
    def _check_input_dim(self, input) -> None:
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")


class BatchNorm3d(_BatchNorm):
    def _check_input_dim(self, input) -> None:
        if input.dim() != 5:
            raise ValueError(f"expected 5D input (got {input.dim()}D input)")
