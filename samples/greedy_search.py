"""Greedy search: follow the most probable token until the end marker."""
from typing import List, Tuple

import torch
from torch import Tensor


def next_token(logits: Tensor) -> Tuple[int, float]:
    scores = torch.log_softmax(logits, 0)
    best = int(torch.argmax(scores))
    return best, float(scores[best])


def greedy_search(transitions: Tensor, start: int, end: int, max_length: int) -> Tuple[List[int], float]:
    tokens = [start]
    score = 0.0
    while len(tokens) < max_length:
        token, gain = next_token(transitions[tokens[-1]])
        score += gain
        if token == end:
            break
        tokens.append(token)
    return tokens, score


def main() -> Tuple[List[int], float]:
    transitions = torch.tensor(
        [[0.1, 2.0, 0.3, 0.1], [0.2, 0.1, 1.5, 0.4], [0.3, 0.2, 0.1, 3.0], [1.0, 1.0, 1.0, 1.0]]
    )
    return greedy_search(transitions, 0, 3, 10)
