# Transformers: stacks of layers of attention.
import copy
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn import GELU, Dropout, LayerNorm, Linear, ModuleList, MultiheadAttention, ReLU, init
from torch.nn.modules.layer import _Layer


def _generate_square_subsequent_mask(
    sz: int,
    device: Optional[torch.device] = None,
    dtype: Optional[torch.dtype] = None,
) -> Tensor:
    full = torch.full((sz, sz), float("-inf"), dtype=dtype, device=device)
    return torch.triu(full, diagonal=1)


def _get_seq_len(src: Tensor, batch_first: bool) -> Optional[int]:
    return src.size(1) if src.dim() == 3 and batch_first else src.size(0)


# Where nobody says whether the mask is causal, it is compared with the causal one.
def _detect_is_causal_mask(
    mask: Optional[Tensor],
    is_causal: Optional[bool],
    size: Optional[int],
) -> bool:
    if is_causal is not None:
        return is_causal
    if mask is None or size is None:
        return False
    causal = torch.full((size, size), float("-inf"), dtype=mask.dtype, device=mask.device)
    causal = torch.triu(causal, diagonal=1)
    return mask.size() == causal.size() and bool((mask == causal).all())


# Zero where there is attention, minus infinity where there is none.
def _additive(mask: Optional[Tensor], name: str, dtype: torch.dtype) -> Optional[Tensor]:
    if mask is None:
        return None
    if mask.is_floating_point():
        return mask
    if mask.dtype != torch.bool:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    return torch.zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


# Samples whose padding is all at their end.
def _is_left_aligned(kept: Tensor) -> bool:
    return not bool((kept[:, 1:] & kept[:, :-1].logical_not()).any())


def _get_clones(module, N):
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


def _get_activation_fn(activation):
    if activation == "relu":
        return F.relu
    if activation == "gelu":
        return F.gelu
    raise RuntimeError(f"activation should be relu/gelu, not {activation}")


# Attention, then two linear maps: blocks, each with a norm and a dropout of its own.
class _AttentionLayer(_Layer):
    __constants__ = ["norm_first"]
    _attentions = ()

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation=F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(norm_first=norm_first)
        place = {"bias": bias, "device": device, "dtype": dtype}
        for name in self._attentions:
            attention = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, **place)
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, **place)
        blocks = range(1, len(self._attentions) + 2)
        for block in blocks:
            setattr(self, f"norm{block}", LayerNorm(d_model, layer_norm_eps, **place))
        for block in blocks:
            setattr(self, f"dropout{block}", Dropout(dropout))
        is_name = isinstance(activation, str)
        self._set_activation(_get_activation_fn(activation) if is_name else activation)

    def _set_activation(self, activation) -> None:
        self.activation = activation

    def _sa_block(
        self,
        x: Tensor,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        x = self.self_attn(x, x, x, key_padding_mask, False, attn_mask, is_causal=is_causal)[0]
        return self.dropout1(x)


class TransformerEncoderLayer(_AttentionLayer):
    _attentions = ("self_attn",)

    # What PyTorch has a fused kernel for has a number.
    def _set_activation(self, activation) -> None:
        self.activation_relu_or_gelu = 0
        for number, (function, layer) in enumerate(((F.relu, ReLU), (F.gelu, GELU)), start=1):
            if activation is function or isinstance(activation, layer):
                self.activation_relu_or_gelu = number
        self.activation = activation

    def forward(
        self,
        src: Tensor,
        src_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: bool = False,
    ) -> Tensor:
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            x = x + self._ff_block(self.norm2(x))
        else:
            x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask, is_causal))
            x = self.norm2(x + self._ff_block(x))
        return x

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout2(x)


class TransformerDecoderLayer(_AttentionLayer):
    _attentions = ("self_attn", "multihead_attn")

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            x = x + self._mha_block(
                self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal
            )
            x = x + self._ff_block(self.norm3(x))
        else:
            x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
            x = self.norm2(
                x
                + self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            )
            x = self.norm3(x + self._ff_block(x))
        return x

    def _mha_block(
        self,
        x: Tensor,
        mem: Tensor,
        attn_mask: Optional[Tensor],
        key_padding_mask: Optional[Tensor],
        is_causal: bool = False,
    ) -> Tensor:
        x = self.multihead_attn(
            x, mem, mem, key_padding_mask, False, attn_mask, is_causal=is_causal
        )[0]
        return self.dropout2(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self.dropout3(x)


# Copies of one layer, one after the other.
class _Stack(_Layer):
    __constants__ = ["norm"]

    def __init__(self, layer, norm, **settings) -> None:
        super().__init__(**settings)
        self.layers = _get_clones(layer, self.num_layers)
        self.norm = norm


def _can_pack(layer) -> bool:
    if not isinstance(layer, TransformerEncoderLayer) or layer.norm_first:
        return False
    attention = layer.self_attn
    if not attention.batch_first or not attention._qkv_same_embed_dim:
        return False
    if attention.in_proj_bias is None or attention.num_heads % 2 == 1:
        return False
    return layer.activation_relu_or_gelu != 0 and layer.norm1.eps == layer.norm2.eps


# PyTorch packs padded samples for inference, where it can: what it unpacks has zeros in the padding.
# The other rows are those that masked attention gives.
class TransformerEncoder(_Stack):
    def __init__(
        self,
        encoder_layer,
        num_layers: int,
        norm=None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__(
            encoder_layer,
            norm,
            num_layers=num_layers,
            enable_nested_tensor=enable_nested_tensor,
            use_nested_tensor=enable_nested_tensor and _can_pack(encoder_layer),
            mask_check=mask_check,
        )

    def _kept(self, src: Tensor, mask: Optional[Tensor], padding: Tensor) -> Optional[Tensor]:
        first = self.layers[0]
        if not self.use_nested_tensor or first.training or src.dim() != 3 or mask is not None:
            return None
        if torch.is_grad_enabled() and (src.requires_grad or first.linear1.weight.requires_grad):
            return None
        kept = padding.logical_not()
        if self.mask_check and not _is_left_aligned(kept):
            return None
        return kept

    def forward(
        self,
        src: Tensor,
        mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        is_causal: Optional[bool] = None,
    ) -> Tensor:
        padding = _additive(src_key_padding_mask, "src_key_padding_mask", src.dtype)
        mask = _additive(mask, "mask", src.dtype)
        kept: Optional[Tensor] = None
        if padding is not None:
            kept = self._kept(src, mask, padding)
        length = _get_seq_len(src, self.layers[0].self_attn.batch_first)
        causal = _detect_is_causal_mask(mask, is_causal, length)
        output = src
        for mod in self.layers:
            output = mod(output, mask, padding, causal)
        if kept is not None:
            output = output.masked_fill(kept.logical_not().unsqueeze(-1), 0.0)
        if self.norm is not None:
            output = self.norm(output)
        return output


class TransformerDecoder(_Stack):
    def __init__(self, decoder_layer, num_layers: int, norm=None) -> None:
        super().__init__(decoder_layer, norm, num_layers=num_layers)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        tgt_is_causal: Optional[bool] = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        output = tgt
        seq_len = _get_seq_len(tgt, self.layers[0].self_attn.batch_first)
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, seq_len)
        for mod in self.layers:
            output = mod(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        if self.norm is not None:
            output = self.norm(output)
        return output


class Transformer(_Layer):
    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation=F.relu,
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__(d_model=d_model, nhead=nhead, batch_first=batch_first)
        place = {"bias": bias, "device": device, "dtype": dtype}
        settings = {
            "dim_feedforward": dim_feedforward,
            "dropout": dropout,
            "activation": activation,
            "layer_norm_eps": layer_norm_eps,
            "batch_first": batch_first,
            "norm_first": norm_first,
            **place,
        }
        if custom_encoder is None:
            layer = TransformerEncoderLayer(d_model, nhead, **settings)
            norm = LayerNorm(d_model, layer_norm_eps, **place)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(d_model, nhead, **settings)
            norm = LayerNorm(d_model, layer_norm_eps, **place)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self.decoder = custom_decoder
        self._reset_parameters()

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Optional[Tensor] = None,
        tgt_mask: Optional[Tensor] = None,
        memory_mask: Optional[Tensor] = None,
        src_key_padding_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
        src_is_causal: Optional[bool] = None,
        tgt_is_causal: Optional[bool] = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        is_batched = src.dim() == 3
        if not self.batch_first and src.size(1) != tgt.size(1) and is_batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        elif self.batch_first and src.size(0) != tgt.size(0) and is_batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(
            src,
            mask=src_mask,
            src_key_padding_mask=src_key_padding_mask,
            is_causal=src_is_causal,
        )
        output = self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )
        return output

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int,
        device: Optional[torch.device] = None,
        dtype: Optional[torch.dtype] = None,
    ) -> Tensor:
        return _generate_square_subsequent_mask(sz, device, dtype)

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
