"""Programs of small tensors: what they take is calls of operators, not arithmetic."""
from typing import List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor


def lstm_cell(x: Tensor, h: Tensor, c: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tuple[Tensor, Tensor]:
    gates = torch.mm(x, w_ih.t()) + b_ih + torch.mm(h, w_hh.t()) + b_hh
    i, f, g, o = gates.chunk(4, 1)
    cy = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cy), cy


def lstm(x: Tensor, h: Tensor, c: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    for step in range(x.size(0)):
        h, c = lstm_cell(x[step], h, c, w_ih, w_hh, b_ih, b_hh)
    return h


def gru_cell(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    i_r, i_z, i_n = F.linear(x, w_ih, b_ih).chunk(3, 1)
    h_r, h_z, h_n = F.linear(h, w_hh, b_hh).chunk(3, 1)
    reset = torch.sigmoid(i_r + h_r)
    update = torch.sigmoid(i_z + h_z)
    new = torch.tanh(i_n + reset * h_n)
    return new + update * (h - new)


def gru(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> List[Tensor]:
    outputs: List[Tensor] = []
    for step in range(x.size(0)):
        h = gru_cell(x[step], h, w_ih, w_hh, b_ih, b_hh)
        outputs.append(h)
    return outputs


def mlp(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, w3: Tensor, b3: Tensor) -> Tensor:
    x = F.relu(F.linear(x, w1, b1))
    x = F.relu(F.linear(x, w2, b2))
    return F.linear(x, w3, b3)


def cnn(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, w3: Tensor, b3: Tensor) -> Tensor:
    x = F.max_pool2d(F.relu(F.conv2d(x, w1, b1, padding=1)), 2)
    x = F.max_pool2d(F.relu(F.conv2d(x, w2, b2, padding=1)), 2)
    return F.linear(x.flatten(1), w3, b3)


def transformer_block(x: Tensor, w_qkv: Tensor, b_qkv: Tensor, w_out: Tensor, b_out: Tensor, w_up: Tensor, b_up: Tensor, w_down: Tensor, b_down: Tensor) -> Tensor:
    steps, width = x.size(0), x.size(1)
    y = F.layer_norm(x, [width])
    q, k, v = F.linear(y, w_qkv, b_qkv).chunk(3, 1)
    q = q.reshape(steps, 4, width // 4).transpose(0, 1)
    k = k.reshape(steps, 4, width // 4).transpose(0, 1)
    v = v.reshape(steps, 4, width // 4).transpose(0, 1)
    weights = torch.softmax(torch.matmul(q, k.transpose(1, 2)) * 0.25, -1)
    y = torch.matmul(weights, v).transpose(0, 1).reshape(steps, width)
    x = x + F.linear(y, w_out, b_out)
    y = F.gelu(F.linear(F.layer_norm(x, [width]), w_up, b_up))
    return x + F.linear(y, w_down, b_down)


def kalman(x: Tensor, p: Tensor, z: Tensor, f: Tensor, h: Tensor, q: Tensor, r: Tensor) -> Tuple[Tensor, Tensor]:
    x = f @ x
    p = f @ p @ f.t() + q
    s = h @ p @ h.t() + r
    gain = p @ h.t() @ torch.inverse(s)
    x = x + gain @ (z - h @ x)
    p = p - gain @ h @ p
    return x, p


def adam(parameters: List[Tensor], gradients: List[Tensor], means: List[Tensor], squares: List[Tensor], step: int) -> None:
    first = 1.0 - 0.9**step
    second = 1.0 - 0.999**step
    for i in range(len(parameters)):
        gradient = gradients[i]
        means[i].mul_(0.9).add_(gradient, alpha=0.1)
        squares[i].mul_(0.999).addcmul_(gradient, gradient, value=0.001)
        scale = (squares[i] / second).sqrt() + 1e-8
        parameters[i].addcdiv_(means[i], scale, value=-0.001 / first)


def boxes(deltas: Tensor, anchors: Tensor, scores: Tensor) -> Tuple[Tensor, Tensor]:
    widths = anchors[:, 2] - anchors[:, 0]
    heights = anchors[:, 3] - anchors[:, 1]
    x = anchors[:, 0] + 0.5 * widths + deltas[:, 0] * widths
    y = anchors[:, 1] + 0.5 * heights + deltas[:, 1] * heights
    w = torch.exp(torch.clamp(deltas[:, 2], max=4.0)) * widths
    h = torch.exp(torch.clamp(deltas[:, 3], max=4.0)) * heights
    found = torch.stack([x - 0.5 * w, y - 0.5 * h, x + 0.5 * w, y + 0.5 * h], 1).clamp(0.0, 100.0)
    best = torch.sigmoid(scores)
    kept = torch.nonzero(best > 0.5).squeeze(1)
    return found[kept], best[kept]


def streaming(x: Tensor, h: Tensor, c: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor, w3: Tensor, b3: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    x = F.relu(F.conv1d(x, w1, b1, stride=2, padding=1))
    x = F.relu(F.conv1d(x, w2, b2, stride=2, padding=1))
    for step in range(x.size(2)):
        h, c = lstm_cell(x[:, :, step], h, c, w_ih, w_hh, b_ih, b_hh)
    return torch.sigmoid(F.linear(h, w3, b3)), h, c


def sequence(x: Tensor, h: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    y, _ = torch.gru(x, h, [w_ih, w_hh, b_ih, b_hh], True, 1, 0.0, False, False, False)
    return y[-1]


def beam_step(scores: Tensor, logits: Tensor, states: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    words = logits.size(1)
    total = scores.unsqueeze(1) + F.log_softmax(logits, -1)
    best, places = total.flatten().topk(scores.size(0))
    beams = torch.div(places, words, rounding_mode="floor")
    return best, places % words, states[beams]


def decoder_step(x: Tensor, keys: Tensor, values: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_out: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    heads, width = keys.size(0), keys.size(2)
    q = F.linear(x, w_q).reshape(1, heads, width).transpose(0, 1)
    keys = torch.cat([keys, F.linear(x, w_k).reshape(1, heads, width).transpose(0, 1)], 1)
    values = torch.cat([values, F.linear(x, w_v).reshape(1, heads, width).transpose(0, 1)], 1)
    y = F.scaled_dot_product_attention(q, keys, values)
    return x + F.linear(y.transpose(0, 1).reshape(1, heads * width), w_out), keys, values


def policy(x: Tensor, action: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, deviation: Tensor) -> Tuple[Tensor, Tensor]:
    mean = F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2)
    distance = (action - mean) / deviation
    chance = -0.5 * distance * distance - torch.log(deviation) - 0.9189385332046727
    entropy = (torch.log(deviation) + 1.4189385332046727).sum()
    return chance.sum(-1), entropy.expand(x.size(0))


def extended_kalman(x: Tensor, p: Tensor, z: Tensor, q: Tensor, r: Tensor) -> Tuple[Tensor, Tensor]:
    angle, speed = x[2], x[3]
    moved = torch.stack([x[0] + speed * torch.cos(angle), x[1] + speed * torch.sin(angle), angle, speed])
    f = torch.eye(4)
    f[0, 2], f[0, 3] = -speed * torch.sin(angle), torch.cos(angle)
    f[1, 2], f[1, 3] = speed * torch.cos(angle), torch.sin(angle)
    p = f @ p @ f.t() + q
    s = p[:2, :2] + r
    gain = torch.linalg.solve(s, p[:2]).t()
    return moved + gain @ (z - moved[:2]), p - gain @ p[:2]


def suppress(boxes: Tensor, scores: Tensor, limit: float) -> List[int]:
    order = scores.argsort(descending=True)
    boxes = boxes[order]
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    low = torch.max(boxes[:, None, :2], boxes[:, :2])
    high = torch.min(boxes[:, None, 2:], boxes[:, 2:])
    shared = (high - low).clamp(min=0.0).prod(2)
    overlaps = shared / (areas[:, None] + areas - shared)
    kept: List[int] = []
    gone = torch.zeros(boxes.size(0), dtype=torch.bool)
    for i in range(boxes.size(0)):
        if not bool(gone[i]):
            kept.append(int(order[i]))
            gone = gone | (overlaps[i] > limit)
    return kept


def voice(x: Tensor, window: Tensor, basis: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    frames = x.unfold(0, 64, 32) * window
    power = (frames @ basis).pow(2).reshape(frames.size(0), 2, -1).sum(1)
    features = torch.log(power + 1e-6)
    features = (features - features.mean(0)) / (features.std(0) + 1e-3)
    return torch.sigmoid(F.linear(F.relu(F.linear(features, w1, b1)), w2, b2)).squeeze(1).max()


def flow(x: Tensor, scales: List[Tensor], shifts: List[Tensor]) -> Tuple[Tensor, Tensor]:
    total = torch.zeros(x.size(0))
    for i in range(len(scales)):
        a, b = x.chunk(2, 1)
        scale = torch.tanh(a @ scales[i])
        x = torch.cat([b * torch.exp(scale) + a @ shifts[i], a], 1)
        total = total + scale.sum(1)
    return x, total - 0.5 * (x * x).sum(1)


def autoencoder(x: Tensor, noise: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, w3: Tensor, b3: Tensor) -> Tensor:
    mean, spread = F.linear(F.relu(F.linear(x, w1, b1)), w2, b2).chunk(2, 1)
    z = mean + noise * torch.exp(0.5 * spread)
    y = torch.sigmoid(F.linear(z, w3, b3))
    divergence = -0.5 * (1.0 + spread - mean * mean - torch.exp(spread)).sum(1)
    return F.binary_cross_entropy(y, torch.sigmoid(x)) + divergence.mean()


def mixture(x: Tensor, gate: Tensor, experts: Tensor) -> Tensor:
    weights, chosen = torch.softmax(x @ gate, -1).topk(2, -1)
    weights = weights / weights.sum(-1, keepdim=True)
    y = torch.einsum("bi,bkio->bko", x, experts[chosen])
    return (y * weights.unsqueeze(-1)).sum(1)
