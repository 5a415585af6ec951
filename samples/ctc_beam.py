"""CTC prefix beam search: the likeliest label sequence of a frame-wise acoustic model, with a bigram score."""
import math
from typing import Dict, List, Tuple

import torch
from torch import Tensor


def log_add(a: float, b: float) -> float:
    if a == -math.inf:
        return b
    if b == -math.inf:
        return a
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


def bigram_score(prefix: str, letter: str, bigrams: Dict[str, float]) -> float:
    if len(prefix) == 0:
        return 0.0
    return bigrams.get(prefix[-1] + letter, -2.0)


def add_to(beam: Dict[str, Tuple[float, float]], prefix: str, blank: float, label: float) -> None:
    """Adds probability (ending in a blank, ending in a label) to a prefix."""
    if prefix in beam:
        old_blank, old_label = beam[prefix]
        blank, label = log_add(blank, old_blank), log_add(label, old_label)
    beam[prefix] = (blank, label)


def total(scores: Tuple[float, float]) -> float:
    return log_add(scores[0], scores[1])


def prune(beam: Dict[str, Tuple[float, float]], size: int) -> Dict[str, Tuple[float, float]]:
    ranked: List[Tuple[float, str]] = []
    for prefix, scores in beam.items():
        ranked.append((-total(scores), prefix))
    ranked.sort()
    return {prefix: beam[prefix] for _, prefix in ranked[:size]}


def step(
    beam: Dict[str, Tuple[float, float]],
    frame: List[float],
    alphabet: str,
    bigrams: Dict[str, float],
    weight: float,
) -> Dict[str, Tuple[float, float]]:
    following: Dict[str, Tuple[float, float]] = {}
    for prefix, scores in beam.items():
        blank, label = scores
        both = total(scores)
        add_to(following, prefix, both + frame[0], -math.inf)
        for k in range(1, len(frame)):
            if frame[k] < -6.0:
                continue
            letter = alphabet[k]
            extended = prefix + letter
            score = frame[k] + weight * bigram_score(prefix, letter, bigrams)
            if len(prefix) > 0 and prefix[-1] == letter:
                add_to(following, prefix, -math.inf, label + frame[k])
                add_to(following, extended, -math.inf, blank + score)
            else:
                add_to(following, extended, -math.inf, both + score)
    return following


def decode(
    log_probabilities: Tensor, alphabet: str, bigrams: Dict[str, float], beam_size: int = 8, weight: float = 0.3
) -> List[Tuple[str, float]]:
    beam = {"": (0.0, -math.inf)}
    for t in range(log_probabilities.size(0)):
        frame: List[float] = log_probabilities[t].tolist()
        beam = prune(step(beam, frame, alphabet, bigrams, weight), beam_size)
    return [(prefix, total(scores)) for prefix, scores in beam.items()]


def greedy(log_probabilities: Tensor, alphabet: str) -> str:
    text = ""
    previous = 0
    best: List[int] = log_probabilities.argmax(dim=1).tolist()
    for k in best:
        if k != previous and k != 0:
            text += alphabet[k]
        previous = k
    return text


def main() -> Tuple[str, List[str], List[float]]:
    torch.manual_seed(3)
    alphabet = "_ abcdeh"
    frames = torch.randn(14, len(alphabet)) * 1.5
    spoken = [7, 7, 0, 2, 4, 0, 4, 1, 1, 3, 2, 0, 5, 5]
    for t, k in enumerate(spoken):
        frames[t, k] += 3.0
    log_probabilities = torch.log_softmax(frames, dim=-1)
    found = decode(log_probabilities, alphabet, {"ha": -0.1, "ac": -0.2, " b": -0.3, "ba": -0.1, "ad": -0.2})
    texts = [text for text, _ in found][:4]
    scores = [score for _, score in found][:4]
    return greedy(log_probabilities, alphabet), texts, scores
