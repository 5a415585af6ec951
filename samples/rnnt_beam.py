"""RNN-T beam search: hypotheses over a prediction network with state, expanded frame by frame."""
from typing import Dict, List, NamedTuple, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


class Hypothesis(NamedTuple):
    tokens: List[int]
    prediction: Tensor
    state: List[Tensor]
    score: float


def key_of(hypothesis: Hypothesis) -> str:
    return ",".join([str(token) for token in hypothesis.tokens])


def predict(token: int, state: Optional[List[Tensor]], weights: Dict[str, Tensor]) -> Tuple[Tensor, List[Tensor]]:
    """One step of the prediction network, a GRU cell over token embeddings."""
    x = weights["embedding"][token].unsqueeze(0)
    if state is None:
        state = [torch.zeros_like(x)]
    h = torch.gru_cell(x, state[0], weights["w_ih"], weights["w_hh"], weights["b_ih"], weights["b_hh"])
    return h[0], [h]


def join(frame: Tensor, prediction: Tensor, weights: Dict[str, Tensor]) -> Tensor:
    return F.log_softmax(torch.tanh(frame + prediction) @ weights["output"], dim=-1)


def merge(hypotheses: List[Hypothesis]) -> List[Hypothesis]:
    """Hypotheses with the same tokens become one, with the sum of their probabilities."""
    merged: Dict[str, Hypothesis] = {}
    for hypothesis in hypotheses:
        key = key_of(hypothesis)
        if key in merged:
            score = float(torch.logaddexp(torch.tensor(merged[key].score), torch.tensor(hypothesis.score)))
            merged[key] = Hypothesis(hypothesis.tokens, hypothesis.prediction, hypothesis.state, score)
        else:
            merged[key] = hypothesis
    return list(merged.values())


def best(hypotheses: List[Hypothesis], size: int) -> List[Hypothesis]:
    scores = torch.tensor([hypothesis.score for hypothesis in hypotheses])
    _, order = torch.topk(scores, min(size, len(hypotheses)))
    positions: List[int] = order.tolist()
    return [hypotheses[i] for i in positions]


def expand(frame: Tensor, beam: List[Hypothesis], size: int, weights: Dict[str, Tensor], blank: int) -> List[Hypothesis]:
    """All that one frame can add: any number of labels up to a limit, then a blank."""
    finished: List[Hypothesis] = []
    active = beam
    for _ in range(3):
        longer: List[Hypothesis] = []
        for hypothesis in active:
            scores = join(frame, hypothesis.prediction, weights)
            done = Hypothesis(
                hypothesis.tokens, hypothesis.prediction, hypothesis.state, hypothesis.score + float(scores[blank])
            )
            finished.append(done)
            values, tokens = torch.topk(scores[:blank], size)
            for i in range(size):
                token = int(tokens[i])
                prediction, state = predict(token, hypothesis.state, weights)
                score = hypothesis.score + float(values[i])
                longer.append(Hypothesis(hypothesis.tokens + [token], prediction, state, score))
        active = best(longer, size)
    return best(merge(finished), size)


def search(frames: Tensor, weights: Dict[str, Tensor], size: int = 3) -> List[Hypothesis]:
    blank = weights["output"].size(1) - 1
    prediction, state = predict(blank, None, weights)
    no_tokens: List[int] = []
    beam = [Hypothesis(no_tokens, prediction, state, 0.0)]
    for t in range(frames.size(0)):
        beam = expand(frames[t], beam, size, weights, blank)
    return beam


def main() -> List[Tuple[List[int], float]]:
    torch.manual_seed(11)
    width, vocabulary = 8, 6
    weights = {
        "embedding": torch.randn(vocabulary, width),
        "w_ih": torch.randn(3 * width, width) * 0.5,
        "w_hh": torch.randn(3 * width, width) * 0.5,
        "b_ih": torch.zeros(3 * width),
        "b_hh": torch.zeros(3 * width),
        "output": torch.randn(width, vocabulary) * 1.5,
    }
    found = search(torch.randn(6, width), weights)
    return [(hypothesis.tokens, hypothesis.score) for hypothesis in found]
