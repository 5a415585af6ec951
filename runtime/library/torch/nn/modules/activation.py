# Activations, softmax and its relatives; attention.
import warnings
from typing import Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn import Module, init
from torch.nn.modules.layer import _Layer
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear


class _Silent(_Layer):
    __constants__ = ["inplace"]

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(inplace=inplace)


# What is computed in place says so.
class _InPlace(_Layer):
    __constants__ = ["inplace"]
    _shown_unless = {"inplace": False}

    def __init__(self, inplace: bool = False, **settings) -> None:
        super().__init__(**settings, inplace=inplace)


class ReLU(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)


class SiLU(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.silu(input, self.inplace)


class Mish(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.mish(input, self.inplace)


class SELU(_InPlace):
    def forward(self, input: Tensor) -> Tensor:
        return F.selu(input, self.inplace)


class Hardsigmoid(_Silent):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardsigmoid(input, self.inplace)


class Hardswish(_Silent):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardswish(input, self.inplace)


class Threshold(_InPlace):
    __constants__ = ["threshold", "value", "inplace"]
    _shown = ["threshold", "value"]

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace, threshold=threshold, value=value)

    def forward(self, input: Tensor) -> Tensor:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class RReLU(_InPlace):
    __constants__ = ["lower", "upper", "inplace"]
    _shown = ["lower", "upper"]

    def __init__(self, lower: float = 0.125, upper: float = 1 / 3, inplace: bool = False) -> None:
        super().__init__(inplace, lower=lower, upper=upper)

    def forward(self, input: Tensor) -> Tensor:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Hardtanh(_InPlace):
    __constants__ = ["min_val", "max_val", "inplace"]
    _shown = ["min_val", "max_val"]

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: Optional[float] = None,
        max_value: Optional[float] = None,
    ) -> None:
        bounds = []
        for name, given, old in (("min", min_val, min_value), ("max", max_val, max_value)):
            if old is not None:
                warnings.warn(f"{name}_value is an old name: say {name}_val", FutureWarning)
            bounds.append(given if old is None else old)
        if bounds[0] >= bounds[1]:
            raise AssertionError(f"the bounds of hardtanh have to rise, got {bounds}")
        super().__init__(inplace, min_val=bounds[0], max_val=bounds[1])

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    _shown = []

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class _Alpha(_InPlace):
    __constants__ = ["alpha", "inplace"]
    _shown = ["alpha"]

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace, alpha=alpha)


class ELU(_Alpha):
    def forward(self, input: Tensor) -> Tensor:
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Alpha):
    def forward(self, input: Tensor) -> Tensor:
        return F.celu(input, self.alpha, self.inplace)


class LeakyReLU(_InPlace):
    __constants__ = ["inplace", "negative_slope"]
    _shown = ["negative_slope"]

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace, negative_slope=negative_slope)

    def forward(self, input: Tensor) -> Tensor:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class Sigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return input.sigmoid()


class Tanh(Module):
    def forward(self, input: Tensor) -> Tensor:
        return input.tanh()


class LogSigmoid(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.logsigmoid(input)


class Softsign(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.softsign(input)


class Tanhshrink(Module):
    def forward(self, input: Tensor) -> Tensor:
        return F.tanhshrink(input)


class _Shrinking(_Layer):
    __constants__ = _shown_values = ["lambd"]

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__(lambd=lambd)


class Hardshrink(_Shrinking):
    def forward(self, input: Tensor) -> Tensor:
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrinking):
    def forward(self, input: Tensor) -> Tensor:
        return F.softshrink(input, self.lambd)


class Softplus(_Layer):
    __constants__ = _shown = ["beta", "threshold"]

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__(beta=beta, threshold=threshold)

    def forward(self, input: Tensor) -> Tensor:
        return F.softplus(input, self.beta, self.threshold)


class GELU(_Layer):
    __constants__ = _shown = ["approximate"]

    def __init__(self, approximate: str = "none") -> None:
        super().__init__(approximate=approximate)

    def forward(self, input: Tensor) -> Tensor:
        return F.gelu(input, approximate=self.approximate)


class PReLU(_Layer):
    __constants__ = _shown = ["num_parameters"]

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device=None, dtype=None
    ) -> None:
        super().__init__(num_parameters=num_parameters, init=init)
        self._add_parameters({"weight": num_parameters}, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)


class _Along(_Layer):
    __constants__ = _shown = ["dim"]

    def __init__(self, dim: Optional[int] = None) -> None:
        super().__init__(dim=dim)


class GLU(_Along):
    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim)

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)


class Softmin(_Along):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmin(input, self.dim, 5)


class Softmax(_Along):
    def forward(self, input: Tensor) -> Tensor:
        return F.softmax(input, self.dim, 5)


class LogSoftmax(_Along):
    def forward(self, input: Tensor) -> Tensor:
        return F.log_softmax(input, self.dim, 5)


# Over the channels of images.
class Softmax2d(Module):
    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3, 5)


_PROJECTIONS = ("q_proj_weight", "k_proj_weight", "v_proj_weight")


# Tensors are (length, batch, features), or (batch, length, features) with batch_first. Keys and values
# of other sizes than the queries have projections of their own.
class MultiheadAttention(_Layer):
    __constants__ = ["batch_first"]
    bias_k: Optional[Tensor]
    bias_v: Optional[Tensor]

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"{num_heads} heads cannot attend to {embed_dim} features")
        if embed_dim % num_heads != 0:
            raise AssertionError(f"{num_heads} heads cannot share {embed_dim} features evenly")
        kdim = embed_dim if kdim is None else kdim
        vdim = embed_dim if vdim is None else vdim
        super().__init__(
            embed_dim=embed_dim,
            kdim=kdim,
            vdim=vdim,
            _qkv_same_embed_dim=kdim == vdim == embed_dim,
            num_heads=num_heads,
            dropout=dropout,
            batch_first=batch_first,
            head_dim=embed_dim // num_heads,
        )
        sizes = {"in_proj_weight": (3 * embed_dim, embed_dim), **dict.fromkeys(_PROJECTIONS)}
        if not self._qkv_same_embed_dim:
            columns = (embed_dim, kdim, vdim)
            sizes = {name: (embed_dim, width) for name, width in zip(_PROJECTIONS, columns)}
            sizes["in_proj_weight"] = None
        sizes["in_proj_bias"] = 3 * embed_dim if bias else None
        self._add_parameters(sizes, device, dtype)
        self.out_proj = NonDynamicallyQuantizableLinear(
            embed_dim, embed_dim, bias=bias, device=device, dtype=dtype
        )
        if add_bias_kv:
            row = (1, 1, embed_dim)
            self._add_parameters({"bias_k": row, "bias_v": row}, device, dtype)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for name in ("in_proj_weight", *_PROJECTIONS):
            if getattr(self, name) is not None:
                init.xavier_uniform_(getattr(self, name))
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for each in (self.bias_k, self.bias_v):
            if each is not None:
                init.xavier_normal_(each)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Optional[Tensor] = None,
        need_weights: bool = True,
        attn_mask: Optional[Tensor] = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Tuple[Tensor, Optional[Tensor]]:
        by_batches = self.batch_first and query.dim() == 3
        if by_batches:
            query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
        attn_output, attn_output_weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        if by_batches:
            attn_output = attn_output.transpose(0, 1)
        return attn_output, attn_output_weights

    # Both masks in one (batch, heads, target, source), and its kind: 1 is padding alone, 2 the rest.
    def merge_masks(
        self,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        query: Tensor,
    ) -> Tuple[Optional[Tensor], Optional[int]]:
        if attn_mask is None:
            return key_padding_mask, None if key_padding_mask is None else 1
        batch, length = query.size(0), query.size(1)
        if attn_mask.dim() == 3:
            merged = attn_mask.view(batch, -1, length, length)
        else:
            merged = attn_mask.view(1, 1, length, length)
            merged = merged.expand(batch, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            padding = key_padding_mask.view(batch, 1, 1, length)
            merged = merged + padding.expand(-1, self.num_heads, -1, -1)
        return merged, 2
