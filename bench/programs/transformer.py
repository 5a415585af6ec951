"""A forward pass of the shape of a transformer encoder: token ids in, normalized features out."""
from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def attention(x: Tensor, layer: Dict[str, Tensor], heads: int) -> Tensor:
    batch, steps, width = x.shape
    q, k, v = F.linear(x, layer["qkv"], layer["qkv_bias"]).chunk(3, dim=-1)
    q = q.reshape(batch, steps, heads, width // heads).transpose(1, 2)
    k = k.reshape(batch, steps, heads, width // heads).transpose(1, 2)
    v = v.reshape(batch, steps, heads, width // heads).transpose(1, 2)
    y = F.scaled_dot_product_attention(q, k, v)
    return F.linear(y.transpose(1, 2).reshape(batch, steps, width), layer["out"], layer["out_bias"])


def encoder_layer(x: Tensor, layer: Dict[str, Tensor], heads: int) -> Tensor:
    width = [x.size(-1)]
    x = x + attention(F.layer_norm(x, width, layer["norm1"], layer["norm1_bias"]), layer, heads)
    hidden = F.linear(F.layer_norm(x, width, layer["norm2"], layer["norm2_bias"]), layer["up"], layer["up_bias"])
    return x + F.linear(F.gelu(hidden), layer["down"], layer["down_bias"])


def forward(tokens: Tensor, embedding: Tensor, layers: List[Dict[str, Tensor]], heads: int) -> Tensor:
    x = F.embedding(tokens, embedding)
    for layer in layers:
        x = encoder_layer(x, layer, heads)
    return F.layer_norm(x, [x.size(-1)])


def make_layer(width: int) -> Dict[str, Tensor]:
    scale = float(width) ** -0.5
    return {
        "qkv": torch.randn(3 * width, width) * scale,
        "qkv_bias": torch.zeros(3 * width),
        "out": torch.randn(width, width) * scale,
        "out_bias": torch.zeros(width),
        "norm1": torch.ones(width),
        "norm1_bias": torch.zeros(width),
        "norm2": torch.ones(width),
        "norm2_bias": torch.zeros(width),
        "up": torch.randn(4 * width, width) * scale,
        "up_bias": torch.zeros(4 * width),
        "down": torch.randn(width, 4 * width) * scale * 0.5,
        "down_bias": torch.zeros(width),
    }


def example(
    seed: int, batch: int, steps: int, width: int, depth: int, heads: int
) -> Tuple[Tensor, Tensor, List[Dict[str, Tensor]], int]:
    torch.manual_seed(seed)
    tokens = torch.randint(0, 1000, [batch, steps])
    embedding = torch.randn(1000, width)
    return tokens, embedding, [make_layer(width) for _ in range(depth)], heads
