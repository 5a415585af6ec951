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


def cached_decoder(x: Tensor, k_cache: Tensor, v_cache: Tensor, pos: int, wq: Tensor, wk: Tensor, wv: Tensor, wo: Tensor) -> Tensor:
    q = F.linear(x, wq).view(1, 4, 16).transpose(0, 1)
    k = F.linear(x, wk).view(1, 4, 16).transpose(0, 1)
    v = F.linear(x, wv).view(1, 4, 16).transpose(0, 1)
    k_cache[:, pos:pos + 1] = k
    v_cache[:, pos:pos + 1] = v
    keys = k_cache[:, :pos + 1]
    values = v_cache[:, :pos + 1]
    att = torch.einsum("hqd,hkd->hqk", q, keys) * 0.25
    att = torch.softmax(att, dim=-1)
    y = torch.einsum("hqk,hkd->qhd", att, values).reshape(1, 64)
    return x + F.linear(y, wo)


def action_values(q: Tensor, next_q: Tensor, target_q: Tensor, action: Tensor, reward: Tensor, done: Tensor) -> Tuple[Tensor, Tensor]:
    chosen = q.gather(1, action[:, None])[:, 0]
    a = next_q.argmax(1, keepdim=True)
    best = target_q.gather(1, a).squeeze(-1)
    target = reward + 0.99 * torch.where(done > 0.5, torch.zeros_like(best), best)
    td = (chosen - target).abs()
    loss = torch.where(td < 1.0, 0.5 * td * td, td - 0.5).mean()
    return loss, td


def likely_words(logits: Tensor, p: float) -> Tensor:
    s, idx = torch.sort(logits, descending=True, dim=-1)
    probs = torch.softmax(s, dim=-1)
    cum = probs.cumsum(-1)
    mask = cum - probs > p
    s = s.masked_fill(mask, float("-inf"))
    out = torch.full_like(logits, float("-inf")).scatter(-1, idx, s)
    return torch.softmax(out, -1)


def contrastive(a: Tensor, b: Tensor, scale: float) -> Tensor:
    a = F.normalize(a, dim=-1)
    b = F.normalize(b, dim=-1)
    logits = scale * a @ b.t()
    labels = torch.arange(a.size(0))
    return 0.5 * (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels))


def rotated(q: Tensor, v: Tensor) -> Tensor:
    q = q / q.norm(2, dim=-1, keepdim=True)
    w, xyz = q[:, :1], q[:, 1:]
    t = 2.0 * torch.cross(xyz, v, dim=-1)
    return v + w * t + torch.cross(xyz, t, dim=-1)


def kalman_sequence(zs: Tensor, x: Tensor, p: Tensor, f: Tensor, h: Tensor, q: Tensor, r: Tensor) -> Tensor:
    out: List[Tensor] = []
    for t in range(zs.size(0)):
        x = f @ x
        p = f @ p @ f.t() + q
        s = h @ p @ h.t() + r
        k = p @ h.t() @ torch.linalg.inv(s)
        x = x + k @ (zs[t] - h @ x)
        p = (torch.eye(4) - k @ h) @ p
        out.append(x)
    return torch.stack(out)


def cells(x: Tensor, h: Tensor, c: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    outs: List[Tensor] = []
    for t in range(x.size(0)):
        h, c = torch.lstm_cell(x[t], [h, c], w_ih, w_hh, b_ih, b_hh)
        outs.append(h)
    return torch.stack(outs)


def voice_detection(x: Tensor, state: Tensor, ctx: Tensor, basis: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor, b_hh: Tensor, wo: Tensor, bo: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    x = torch.cat([ctx, x], 1)
    ctx = x[:, -16:]
    y = F.pad(x.unsqueeze(1), [0, 16], mode="reflect")
    spec = F.conv1d(y, basis, stride=16)
    n = spec.size(1) // 2
    mag = torch.sqrt(spec[:, :n] ** 2 + spec[:, n:] ** 2)
    h = F.relu(F.conv1d(mag, w1, b1, stride=1, padding=1))
    h = F.relu(F.conv1d(h, w2, b2, stride=2, padding=1))
    h = h.mean(2)
    hn, cn = torch.lstm_cell(h, [state[0], state[1]], w_ih, w_hh, b_ih, b_hh)
    state = torch.stack([hn, cn])
    out = torch.sigmoid(F.conv1d(F.relu(hn.unsqueeze(-1)), wo, bo)).squeeze(2).mean(dim=1, keepdim=True)
    return out, state, ctx


def graph_convolution(x: Tensor, src: Tensor, dst: Tensor, w: Tensor) -> Tensor:
    n = x.size(0)
    deg = torch.zeros(n).scatter_add_(0, dst, torch.ones(dst.size(0)))
    norm = deg.clamp(min=1).pow(-0.5)
    h = x @ w
    msg = h[src] * (norm[src] * norm[dst]).unsqueeze(1)
    out = torch.zeros(n, h.size(1))
    out.index_add_(0, dst, msg)
    return F.relu(out)


def cross_attention(x: Tensor, mem: Tensor, pad: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, wo: Tensor) -> Tensor:
    q = F.linear(x, wq).view(8, 4, 8).transpose(0, 1)
    k = F.linear(mem, wk).view(12, 4, 8).transpose(0, 1)
    v = F.linear(mem, wv).view(12, 4, 8).transpose(0, 1)
    y = F.scaled_dot_product_attention(q, k, v, attn_mask=pad)
    return F.linear(y.transpose(0, 1).flatten(1), wo)


def routed_experts(x: Tensor, gate: Tensor, w1: Tensor, w2: Tensor) -> Tensor:
    probs = F.softmax(x @ gate, -1)
    weight, idx = torch.topk(probs, 2, -1)
    weight = weight / weight.sum(-1, keepdim=True)
    out = torch.zeros_like(x)
    for e in range(w1.size(0)):
        mask = (idx == e)
        rows = mask.any(-1).nonzero().squeeze(1)
        if rows.numel() > 0:
            xe = x[rows]
            y = F.relu(xe @ w1[e]) @ w2[e]
            we = (weight * mask.float()).sum(-1)[rows]
            out.index_add_(0, rows, y * we.unsqueeze(1))
    return out


def clipped(x: Tensor, lo: float, hi: float) -> Tensor:
    y = x.clone()
    y[y < lo] = lo
    y[y > hi] = hi
    y[torch.isnan(y)] = 0.0
    return y * 2.0


def molecule(pos: Tensor, cutoff: float) -> Tuple[Tensor, Tensor]:
    n = pos.size(0)
    d = pos[:, None] - pos[None]
    r2 = (d * d).sum(-1) + torch.eye(n)
    mask = (r2 < cutoff * cutoff) & ~torch.eye(n, dtype=torch.bool)
    inv6 = (1.0 / r2) ** 3
    e = torch.where(mask, 4.0 * (inv6 * inv6 - inv6), torch.zeros_like(r2))
    f = torch.where(mask, 24.0 * (2.0 * inv6 * inv6 - inv6) / r2, torch.zeros_like(r2))
    return 0.5 * e.sum(), (f.unsqueeze(-1) * d).sum(1)


def ranges(x: Tensor, p: Tensor, z: Tensor, beacons: Tensor, q: Tensor, r: Tensor) -> Tuple[Tensor, Tensor]:
    p = p + q
    d = x[:2] - beacons
    ranges = torch.sqrt((d * d).sum(1))
    h = torch.cat([d / ranges.unsqueeze(1), torch.zeros(beacons.size(0), 2)], 1)
    s = h @ p @ h.t() + r
    k = torch.linalg.solve(s, h @ p).t()
    x = x + k @ (z - ranges)
    return x, (torch.eye(4) - k @ h) @ p


def averaged_cnn(x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor, w3: Tensor, b3: Tensor) -> Tensor:
    x = F.avg_pool2d(torch.tanh(F.conv2d(x, w1, b1)), 2)
    x = F.avg_pool2d(torch.tanh(F.conv2d(x, w2, b2)), 2)
    return F.linear(torch.flatten(x, 1), w3, b3)


def masked_suppression(boxes: Tensor, scores: Tensor, thr: float) -> Tensor:
    s, order = torch.sort(scores, descending=True)
    b = boxes[order]
    area = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    wh = (torch.min(b[:, None, 2:], b[None, :, 2:]) - torch.max(b[:, None, :2], b[None, :, :2])).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    iou = inter / (area[:, None] + area[None, :] - inter)
    upper = torch.triu(iou, diagonal=1)
    worst = upper.max(0)[0]
    return order[(worst <= thr).nonzero().squeeze(1)]


def most_likely(logits: Tensor, k: int) -> Tensor:
    least = logits.topk(k)[0][:, -1:]
    return F.softmax(torch.where(logits < least, torch.full_like(logits, -1e9), logits), dim=-1)


def recursive_filter(x: Tensor, a1: float, a2: float, b0: float, b1: float) -> Tensor:
    y = torch.zeros_like(x)
    y1 = torch.zeros(x.size(0))
    y2 = torch.zeros(x.size(0))
    x1 = torch.zeros(x.size(0))
    for t in range(x.size(1)):
        xt = x[:, t]
        yt = b0 * xt + b1 * x1 - a1 * y1 - a2 * y2
        y[:, t] = yt
        x1, y2, y1 = xt, y1, yt
    return y


def robust_scale(x: Tensor, q: Tensor) -> Tensor:
    low, middle, high = torch.quantile(x, q, dim=1).unbind(0)
    return (x - middle.unsqueeze(1)) / (high - low).unsqueeze(1).clamp(min=1e-6)


def resampled(x: Tensor, z: Tensor, u: float) -> Tensor:
    w = torch.softmax(-0.5 * ((x - z) ** 2).sum(1), 0)
    places = (torch.arange(x.size(0)) + u) / x.size(0)
    return x[torch.searchsorted(w.cumsum(0), places).clamp(max=x.size(0) - 1)]


def peaks(heat: Tensor, k: int) -> Tuple[Tensor, Tensor, Tensor]:
    kept = torch.where(F.max_pool2d(heat, 3, 1, 1) == heat, heat, torch.zeros_like(heat))
    scores, places = kept.flatten(1).topk(k, dim=1)
    return scores, places // heat.size(-1), places % heat.size(-1)
