"""Beam search over a table of transition scores, in lists and tuples."""
from typing import List, Tuple

import torch
from torch import Tensor


def expand(beam: Tuple[List[int], float], transitions: Tensor, end: int) -> List[Tuple[List[int], float]]:
    tokens, score = beam
    if tokens[-1] == end:
        return [beam]
    scores = torch.log_softmax(transitions[tokens[-1]], 0)
    grown: List[Tuple[List[int], float]] = []
    for token in range(scores.size(0)):
        grown.append((tokens + [token], score + float(scores[token])))
    return grown


def best_of(beams: List[Tuple[List[int], float]], width: int) -> List[Tuple[List[int], float]]:
    kept: List[Tuple[List[int], float]] = []
    taken = [False for _ in range(len(beams))]
    for _ in range(min(width, len(beams))):
        best = -1
        for i in range(len(beams)):
            if not taken[i] and (best < 0 or beams[i][1] > beams[best][1]):
                best = i
        taken[best] = True
        kept.append(beams[best])
    return kept


def beam_search(transitions: Tensor, start: int, end: int, width: int, steps: int) -> List[Tuple[List[int], float]]:
    beams = [([start], 0.0)]
    for _ in range(steps):
        candidates: List[Tuple[List[int], float]] = []
        for beam in beams:
            candidates.extend(expand(beam, transitions, end))
        beams = best_of(candidates, width)
    return beams


def main():
    torch.manual_seed(3)
    return beam_search(torch.randn([5, 5]), 0, 4, 3, 4)
