"""An RWKV-style language model: attention as a recurrence with a numerically safe running maximum, one token a step."""
from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def time_mixing(
    x: Tensor, state: List[Tensor], w: Dict[str, Tensor], name: str
) -> Tuple[Tensor, List[Tensor]]:
    """`state` is the last input, and the running sums with their largest exponent."""
    last, numerator, denominator, largest = state[0], state[1], state[2], state[3]
    mix = w[name + ".mix"]
    k = (x * mix + last * (1 - mix)) @ w[name + ".key"]
    v = (x * mix + last * (1 - mix)) @ w[name + ".value"]
    r = torch.sigmoid(x @ w[name + ".receptance"])

    bonus = k + w[name + ".first"]
    top = torch.maximum(largest, bonus)
    old, new = torch.exp(largest - top), torch.exp(bonus - top)
    mixed = (old * numerator + new * v) / (old * denominator + new)

    decayed = largest + w[name + ".decay"]
    top = torch.maximum(decayed, k)
    old, new = torch.exp(decayed - top), torch.exp(k - top)
    state = [x, old * numerator + new * v, old * denominator + new, top]
    return (r * mixed) @ w[name + ".output"], state


def channel_mixing(x: Tensor, last: Tensor, w: Dict[str, Tensor], name: str) -> Tensor:
    mixed = torch.lerp(last, x, w[name + ".mix"])
    gate = torch.sigmoid(mixed @ w[name + ".receptance"])
    return gate * (F.relu(mixed @ w[name + ".up"]).square() @ w[name + ".down"])


def forward(token: int, states: List[List[Tensor]], w: Dict[str, Tensor]) -> Tuple[Tensor, List[List[Tensor]]]:
    width = w["embedding"].size(1)
    x = F.layer_norm(w["embedding"][token], [width])
    following: List[List[Tensor]] = []
    for i, state in enumerate(states):
        normed = F.layer_norm(x, [width])
        mixed, attention = time_mixing(normed, state[:4], w, f"{i}.time")
        x = x + mixed
        normed = F.layer_norm(x, [width])
        x = x + channel_mixing(normed, state[4], w, f"{i}.channel")
        following.append(attention + [normed])
    return F.layer_norm(x, [width]) @ w["embedding"].t(), following


def make_weights(layers: int, vocabulary: int, width: int) -> Dict[str, Tensor]:
    w = {"embedding": torch.randn(vocabulary, width)}
    scale = float(width) ** -0.5
    for i in range(layers):
        for name in ["key", "value", "receptance", "output"]:
            w[f"{i}.time.{name}"] = torch.randn(width, width) * scale
        w[f"{i}.time.mix"] = torch.rand(width)
        w[f"{i}.time.first"] = torch.randn(width)
        w[f"{i}.time.decay"] = -torch.exp(torch.linspace(-3.0, 1.0, width))
        w[f"{i}.channel.mix"] = torch.rand(width)
        w[f"{i}.channel.receptance"] = torch.randn(width, width) * scale
        w[f"{i}.channel.up"] = torch.randn(width, 4 * width) * scale
        w[f"{i}.channel.down"] = torch.randn(4 * width, width) * scale / 2
    return w


def first_states(layers: int, width: int) -> List[List[Tensor]]:
    states: List[List[Tensor]] = []
    for _ in range(layers):
        zero = torch.zeros(width)
        states.append([zero, zero, zero, torch.full([width], -1e30), zero])
    return states


def main() -> Tuple[List[int], Tensor]:
    torch.manual_seed(17)
    layers, vocabulary, width = 2, 12, 8
    w = make_weights(layers, vocabulary, width)
    states = first_states(layers, width)
    logits = torch.zeros(vocabulary)
    for token in [1, 5, 3]:
        logits, states = forward(token, states, w)
    tokens: List[int] = []
    for _ in range(10):
        token = int(logits.argmax())
        tokens.append(token)
        logits, states = forward(token, states, w)
    return tokens, logits
