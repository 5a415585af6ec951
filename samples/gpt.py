"""A small GPT with a key-value cache and sampling: temperature, top-k, nucleus, repetition penalty, stop token."""
import math
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor

class Cache(NamedTuple):
    keys: List[Tensor]
    values: List[Tensor]


def empty_cache(layers: int, heads: int, width: int) -> Cache:
    keys: List[Tensor] = []
    values: List[Tensor] = []
    for _ in range(layers):
        keys.append(torch.empty(1, heads, 0, width // heads))
        values.append(torch.empty(1, heads, 0, width // heads))
    return Cache(keys, values)


def split_heads(x: Tensor, heads: int) -> Tensor:
    batch, steps, width = x.shape
    return x.view(batch, steps, heads, width // heads).transpose(1, 2)


def attention(x: Tensor, layer: int, cache: Cache, w: Dict[str, Tensor]) -> Tensor:
    """Causal attention over everything in the cache, which grows by the steps of x."""
    q, k, v = F.linear(x, w[f"{layer}.qkv"]).chunk(3, dim=-1)
    heads = cache.keys[layer].size(1)
    q, k, v = split_heads(q, heads), split_heads(k, heads), split_heads(v, heads)
    k = torch.cat([cache.keys[layer], k], dim=2)
    v = torch.cat([cache.values[layer], v], dim=2)
    cache.keys[layer] = k
    cache.values[layer] = v
    steps, seen = q.size(2), k.size(2)
    mask = torch.ones(steps, seen, dtype=torch.bool).tril(diagonal=seen - steps)
    y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return F.linear(y.transpose(1, 2).reshape(x.shape), w[f"{layer}.out"])


def forward(tokens: Tensor, cache: Cache, w: Dict[str, Tensor]) -> Tensor:
    """Logits [1, T, vocabulary] of the tokens [1, T] that follow what is in the cache."""
    start = cache.keys[0].size(2)
    positions = torch.arange(start, start + tokens.size(1))
    x = F.embedding(tokens, w["tokens"]) + F.embedding(positions, w["positions"])
    width = x.size(-1)
    for layer in range(len(cache.keys)):
        x = x + attention(F.layer_norm(x, [width]), layer, cache, w)
        hidden = F.gelu(F.linear(F.layer_norm(x, [width]), w[f"{layer}.up"]), approximate="tanh")
        x = x + F.linear(hidden, w[f"{layer}.down"])
    return F.linear(F.layer_norm(x, [width]), w["tokens"])


def penalize(logits: Tensor, tokens: List[int], penalty: float) -> Tensor:
    seen = torch.unique(torch.tensor(tokens))
    scores = logits[seen]
    logits = logits.clone()
    logits[seen] = torch.where(scores > 0, scores / penalty, scores * penalty)
    return logits


def nucleus(logits: Tensor, top_p: float) -> Tensor:
    """Keeps the smallest set of tokens whose probability reaches `top_p`."""
    ordered, order = torch.sort(logits, descending=True)
    before = F.softmax(ordered, dim=-1).cumsum(-1) - F.softmax(ordered, dim=-1)
    ordered = ordered.masked_fill(before >= top_p, -float("inf"))
    return torch.full_like(logits, -float("inf")).scatter(0, order, ordered)


def sample(logits: Tensor, temperature: float, top_k: Optional[int], top_p: Optional[float]) -> int:
    if temperature == 0.0:
        return int(logits.argmax())
    logits = logits / temperature
    if top_k is not None:
        least = torch.topk(logits, min(top_k, logits.size(0)))[0][-1]
        logits = logits.masked_fill(logits < least, -float("inf"))
    if top_p is not None:
        logits = nucleus(logits, top_p)
    return int(torch.multinomial(F.softmax(logits, dim=-1), num_samples=1).item())


def generate(
    prompt: List[int],
    w: Dict[str, Tensor],
    length: int,
    temperature: float = 1.0,
    top_k: Optional[int] = None,
    top_p: Optional[float] = None,
    stop: int = -1,
) -> List[int]:
    tokens = prompt.copy()
    cache = empty_cache(2, 2, w["tokens"].size(1))
    following = torch.tensor([prompt])
    while len(tokens) < len(prompt) + length:
        logits = forward(following, cache, w)[0, -1]
        token = sample(penalize(logits, tokens, 1.3), temperature, top_k, top_p)
        if token == stop:
            break
        tokens.append(token)
        following = torch.tensor([[token]])
    return tokens


def make_weights(layers: int, vocabulary: int, context: int, width: int) -> Dict[str, Tensor]:
    scale = 1 / math.sqrt(width)
    w = {"tokens": torch.randn(vocabulary, width) * 0.7, "positions": torch.randn(context, width) * 0.3}
    for layer in range(layers):
        w[f"{layer}.qkv"] = torch.randn(3 * width, width) * scale
        w[f"{layer}.out"] = torch.randn(width, width) * scale
        w[f"{layer}.up"] = torch.randn(4 * width, width) * scale
        w[f"{layer}.down"] = torch.randn(width, 4 * width) * scale / 2
    return w


def main() -> Tuple[bool, List[List[int]]]:
    torch.manual_seed(1337)
    w = make_weights(2, 20, 32, 8)
    prompt = [3, 1, 4, 1, 5]
    whole = forward(torch.tensor([prompt]), empty_cache(2, 2, 8), w)
    cache = empty_cache(2, 2, 8)
    parts = [forward(torch.tensor([[token]]), cache, w) for token in prompt]
    same = torch.allclose(whole, torch.cat(parts, dim=1), atol=1e-5)
    texts = [
        generate(prompt, w, 12, temperature=0.0),
        generate(prompt, w, 12, temperature=0.9, top_k=5),
        generate(prompt, w, 12, top_p=0.8),
        generate(prompt, w, 12, temperature=1.5, stop=7),
    ]
    return same, texts
