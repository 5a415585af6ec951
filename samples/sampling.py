"""A GPT-style sampling loop: temperature, top-k, and one token at a time from a tiny attention model."""
import math
from typing import List

import torch
import torch.nn.functional as F
from torch import Tensor


def attention(x: Tensor, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    q, k, v = x @ query, x @ key, x @ value
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    steps = x.size(0)
    mask = torch.triu(torch.ones([steps, steps], dtype=torch.bool), 1)
    scores = scores.masked_fill(mask, float("-inf"))
    return F.softmax(scores, dim=-1) @ v


def logits_of(tokens: Tensor, embedding: Tensor, weights: List[Tensor]) -> Tensor:
    x = F.embedding(tokens, embedding)
    x = x + attention(x, weights[0], weights[1], weights[2])
    x = x + F.relu(x @ weights[3])
    return x[-1] @ embedding.t()


def sample(logits: Tensor, temperature: float, top_k: int) -> Tensor:
    scaled = logits / temperature
    values, _ = torch.topk(scaled, top_k)
    scaled = scaled.masked_fill(scaled < values[-1], float("-inf"))
    return torch.multinomial(F.softmax(scaled, dim=-1), 1)


def generate(prompt: List[int], length: int, vocabulary: int, width: int) -> List[int]:
    embedding = torch.randn([vocabulary, width])
    weights = [torch.randn([width, width]) / math.sqrt(width) for _ in range(4)]
    tokens = torch.tensor(prompt)
    for _ in range(length):
        token = sample(logits_of(tokens, embedding, weights), 0.8, 5)
        tokens = torch.cat([tokens, token])
    result: List[int] = []
    for i in range(tokens.size(0)):
        result.append(int(tokens[i]))
    return result


def main() -> List[int]:
    torch.manual_seed(42)
    return generate([1, 2, 3], 12, 20, 8)
