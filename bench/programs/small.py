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
