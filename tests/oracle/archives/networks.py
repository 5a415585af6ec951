"""Whole networks of many fields: search, tagging, generation, graphs, control, and their losses."""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=0)
        self.rnn = nn.GRU(width, width, bidirectional=True)
        self.bridge = nn.Linear(2 * width, width)

    def forward(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        states, last = self.rnn(self.words(tokens))
        joined = torch.cat([last[0], last[1]], dim=1)
        return states, torch.tanh(self.bridge(joined))


class Decoder(nn.Module):
    def __init__(self, words: int, width: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.score = nn.Linear(width, 2 * width, bias=False)
        self.cell = nn.GRUCell(3 * width, width)
        self.out = nn.Linear(width, words)

    def forward(self, token: Tensor, hidden: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
        weights = torch.einsum("tbw,bw->bt", states, self.score(hidden)).softmax(1)
        context = torch.bmm(weights.unsqueeze(1), states.transpose(0, 1)).squeeze(1)
        hidden = self.cell(torch.cat([self.words(token), context], 1), hidden)
        return F.log_softmax(self.out(hidden), dim=1), hidden


class Translator(nn.Module):
    """Sequence to sequence, with a search along several beams."""

    start: torch.jit.Final[int]
    stop: torch.jit.Final[int]

    def __init__(self, words: int = 9, width: int = 6) -> None:
        super().__init__()
        self.encoder = Encoder(words, width)
        self.decoder = Decoder(words, width)
        self.start = 1
        self.stop = 2

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        states, hidden = self.encoder(source)
        rows: list[Tensor] = []
        for step in range(target.size(0)):
            row, hidden = self.decoder(target[step], hidden, states)
            rows.append(row)
        return torch.stack(rows)

    @torch.jit.export
    def search(self, source: Tensor, beams: int, limit: int) -> tuple[list[int], float]:
        states, first = self.encoder(source)
        alive: list[tuple[list[int], float, Tensor]] = [([self.start], 0.0, first)]
        done: list[tuple[float, list[int]]] = []
        for _ in range(limit):
            grown: list[tuple[float, int, int, Tensor]] = []
            for which, (path, score, hidden) in enumerate(alive):
                row, following = self.decoder(torch.tensor([path[-1]]), hidden, states)
                values, words = row[0].topk(beams)
                for k in range(beams):
                    total = score + float(values[k])
                    grown.append((total, which, int(words[k]), following))
            ranked = torch.tensor([each[0] for each in grown]).argsort(descending=True)
            survivors: list[tuple[list[int], float, Tensor]] = []
            for rank in range(ranked.size(0)):
                total, which, word, following = grown[int(ranked[rank])]
                path = alive[which][0] + [word]
                if word == self.stop:
                    done.append((total / len(path), path))
                elif len(survivors) < beams:
                    survivors.append((path, total, following))
            alive = survivors
            if len(done) >= beams:
                break
        for path, score, _hidden in alive:
            done.append((score / len(path), path))
        best = done[0]
        for candidate in done:
            if candidate[0] > best[0]:
                best = candidate
        return best[1], best[0]


class Tagger(nn.Module):
    """A recurrent tagger with a conditional random field: the best path by dynamic programming."""

    def __init__(self, words: int = 11, tags: int = 4, width: int = 6) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, width, batch_first=True, bidirectional=True)
        self.emit = nn.Linear(2 * width, tags)
        self.moves = nn.Parameter(torch.randn(tags, tags))
        self.begin = nn.Parameter(torch.randn(tags))

    def forward(self, tokens: Tensor) -> tuple[Tensor, list[int]]:
        scores = self.emit(self.rnn(self.words(tokens))[0])[0]
        total = self.begin + scores[0]
        back: list[Tensor] = []
        for row in scores[1:]:
            best, where = (total.unsqueeze(1) + self.moves).max(dim=0)
            total = best + row
            back.append(where)
        last = int(total.argmax())
        path = [last]
        for where in back[::-1]:
            last = int(where[last])
            path.append(last)
        path.reverse()
        return total.max(), path

    @torch.jit.export
    def partition(self, tokens: Tensor) -> Tensor:
        scores = self.emit(self.rnn(self.words(tokens))[0])[0]
        total = self.begin + scores[0]
        for row in scores[1:]:
            total = torch.logsumexp(total.unsqueeze(1) + self.moves, dim=0) + row
        return torch.logsumexp(total, dim=0)


class Moments(NamedTuple):
    mean: Tensor
    deviation: Tensor


class Autoencoder(nn.Module):
    """A variational autoencoder with transposed convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(
            nn.Conv2d(1, 4, 3, stride=2, padding=1),
            nn.ELU(),
            nn.Conv2d(4, 8, 3, stride=2, padding=1),
        )
        self.mean = nn.Linear(32, 5)
        self.spread = nn.Linear(32, 5)
        self.back = nn.Linear(5, 32)
        self.up = nn.Sequential(
            nn.ConvTranspose2d(8, 4, 4, stride=2, padding=1),
            nn.ELU(),
            nn.ConvTranspose2d(4, 1, 3, stride=2, padding=1, output_padding=1),
            nn.Sigmoid(),
        )

    @torch.jit.export
    def encode(self, x: Tensor) -> Moments:
        h = F.elu(self.down(x)).flatten(1)
        return Moments(self.mean(h), torch.exp(0.5 * self.spread(h)))

    def forward(self, x: Tensor) -> tuple[Tensor, Moments, Tensor]:
        found = self.encode(x)
        z = found.mean + found.deviation * torch.full_like(found.deviation, 0.25)
        image = self.up(self.back(z).view(-1, 8, 2, 2))
        divergence = (found.mean**2 + found.deviation**2 - 2 * found.deviation.log() - 1).sum() / 2
        return image, found, divergence


class Excitation(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.narrow = nn.Conv2d(width, max(1, width // 4), 1)
        self.wide = nn.Conv2d(max(1, width // 4), width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x * F.hardsigmoid(self.wide(F.hardswish(self.narrow(self.pool(x)))))


class Shuffled(nn.Module):
    """Grouped convolutions whose channels are shuffled, with squeeze and excitation."""

    def __init__(self, width: int = 8, groups: int = 2) -> None:
        super().__init__()
        self.groups = groups
        self.first = nn.Conv2d(width, width, 1, groups=groups)
        self.depthwise = nn.Conv2d(width, width, 3, padding=1, groups=width)
        self.norm = nn.BatchNorm2d(width)
        self.excitation = Excitation(width)

    def forward(self, x: Tensor) -> Tensor:
        batch, channels, height, width = x.shape
        h = self.first(x).view(batch, self.groups, channels // self.groups, height, width)
        h = h.transpose(1, 2).reshape(batch, channels, height, width)
        return F.relu6(x + self.excitation(self.norm(self.depthwise(h))))


class Fire(nn.Module):
    def __init__(self, inputs: int, squeezed: int, outputs: int) -> None:
        super().__init__()
        self.squeeze = nn.Conv2d(inputs, squeezed, 1)
        self.expand1 = nn.Conv2d(squeezed, outputs, 1)
        self.expand3 = nn.Conv2d(squeezed, outputs, 3, padding=1)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.squeeze(x))
        return torch.cat([F.relu(self.expand1(x)), F.relu(self.expand3(x))], 1)


class SqueezeNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 4, 3, stride=2),
            nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(4, 2, 3),
            Fire(6, 2, 4),
        )
        self.classifier = nn.Sequential(
            nn.Dropout(0.5), nn.Conv2d(8, 5, 1), nn.AdaptiveAvgPool2d(1)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.flatten(self.classifier(self.features(x)), 1)


class VisionTransformer(nn.Module):
    def __init__(self, width: int = 8, patch: int = 4) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, stride=patch)
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, 5, width))
        layer = nn.TransformerEncoderLayer(width, 2, 16, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(width))
        self.head = nn.Linear(width, 3)

    def forward(self, x: Tensor) -> Tensor:
        h = self.patches(x).flatten(2).transpose(1, 2)
        h = torch.cat([self.token.expand(h.size(0), -1, -1), h], dim=1) + self.positions
        return self.head(self.encoder(h)[:, 0])


class Windowed(nn.Module):
    """Attention within shifted windows."""

    def __init__(self, width: int = 4, window: int = 2) -> None:
        super().__init__()
        self.window = window
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.bias = nn.Parameter(torch.randn(window * window, window * window))

    def forward(self, x: Tensor) -> Tensor:
        batch, height, width, channels = x.shape
        w = self.window
        x = torch.roll(x, shifts=(-w // 2, -w // 2), dims=(1, 2))
        x = x.view(batch, height // w, w, width // w, w, channels)
        x = x.permute(0, 1, 3, 2, 4, 5).reshape(-1, w * w, channels)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(channels) + self.bias
        x = self.out(scores.softmax(-1) @ v)
        x = x.view(batch, height // w, width // w, w, w, channels).permute(0, 1, 3, 2, 4, 5)
        return torch.roll(x.reshape(batch, height, width, channels), (w // 2, w // 2), (1, 2))


class Mixer(nn.Module):
    def __init__(self, tokens: int = 4, width: int = 6) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.tokens = nn.Sequential(nn.Linear(tokens, 8), nn.GELU(), nn.Linear(8, tokens))
        self.channels = nn.Sequential(nn.Linear(width, 8), nn.GELU(), nn.Linear(8, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.tokens(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norms[1](x))


class Points(nn.Module):
    """A classifier of sets of points, which their order does not change."""

    def __init__(self) -> None:
        super().__init__()
        self.each = nn.Sequential(nn.Conv1d(3, 8, 1), nn.BatchNorm1d(8), nn.LeakyReLU(0.1))
        self.turn = nn.Linear(8, 9)
        self.head = nn.Linear(8, 4)

    def forward(self, points: Tensor) -> Tensor:
        pooled = self.each(points).amax(dim=2)
        turn = self.turn(pooled).view(-1, 3, 3) + torch.eye(3).unsqueeze(0)
        turned = torch.bmm(turn, points)
        return F.log_softmax(self.head(self.each(turned).max(dim=2).values), dim=1)


class GraphLayer(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Linear(inputs, outputs, bias=False)

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        source, target = edges[0], edges[1]
        messages = self.weight(nodes).index_select(0, source)
        count = torch.zeros(nodes.size(0)).index_add(0, target, torch.ones(target.size(0)))
        summed = torch.zeros(nodes.size(0), messages.size(1)).index_add_(0, target, messages)
        return summed / count.clamp(min=1).unsqueeze(1)


class GraphNetwork(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([GraphLayer(3, 5), GraphLayer(5, 2)])

    def forward(self, nodes: Tensor, edges: Tensor) -> dict[str, Tensor]:
        seen: dict[str, Tensor] = {}
        for number, layer in enumerate(self.layers):
            nodes = torch.relu(layer(nodes, edges))
            seen[f"layer{number}"] = nodes
        return seen


class WaveLayer(nn.Module):
    def __init__(self, width: int, dilation: int) -> None:
        super().__init__()
        self.pad = nn.ConstantPad1d((dilation, 0), 0.0)
        self.gate = nn.Conv1d(width, 2 * width, 2, dilation=dilation)
        self.skip = nn.Conv1d(width, width, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        value, gate = self.gate(self.pad(x)).chunk(2, dim=1)
        h = torch.tanh(value) * torch.sigmoid(gate)
        return x + h, self.skip(h)


class WaveNet(nn.Module):
    """Dilated causal convolutions that predict the next sample, encoded by the mu law."""

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.first = nn.Conv1d(1, width, 1)
        self.layers = nn.ModuleList([WaveLayer(width, 2**n) for n in range(3)])
        self.last = nn.Conv1d(width, 16, 1)
        self.levels = 16

    def forward(self, wave: Tensor) -> Tensor:
        x = self.first(self.compressed(wave).unsqueeze(1))
        total = torch.zeros_like(x)
        for layer in self.layers:
            x, skip = layer(x)
            total += skip
        return self.last(F.relu(total))

    @torch.jit.export
    def compressed(self, wave: Tensor) -> Tensor:
        mu = float(self.levels - 1)
        return torch.sign(wave) * torch.log1p(mu * wave.abs()) / math.log1p(mu)


class SpeechRecognizer(nn.Module):
    """Filters over a spectrum, a recurrent layer, and the best path of its labels without repeats."""

    def __init__(self, letters: str = "_abc ") -> None:
        super().__init__()
        self.letters = letters
        self.register_buffer("window", torch.hamming_window(16), persistent=False)
        self.register_buffer("filters", torch.rand(9, 6))
        self.rnn = nn.GRU(6, 5, num_layers=2, batch_first=True)
        self.head = nn.Linear(5, len(letters))

    def forward(self, wave: Tensor) -> tuple[Tensor, list[str]]:
        spectrum = torch.stft(wave, 16, 8, window=self.window, center=True, return_complex=True)
        power = torch.view_as_real(spectrum).pow(2).sum(-1)
        features = torch.log(power.transpose(1, 2) @ self.filters + 1e-6)
        scores = self.head(self.rnn(features)[0]).log_softmax(-1)
        texts: list[str] = []
        for row in scores.argmax(-1):
            text, last = "", -1
            for label in self.labels(row):
                if label != last and label != 0:
                    text += self.letters[label]
                last = label
            texts.append(text.strip())
        return scores, texts

    def labels(self, row: Tensor) -> list[int]:
        found: list[int] = row.tolist()
        return found


class Factorization(nn.Module):
    """A recommender: sparse fields in embedding bags, dense ones in a tower, and their products."""

    def __init__(self, sizes: tuple[int, ...] = (5, 7, 3), width: int = 4) -> None:
        super().__init__()
        self.bags = nn.ModuleDict(
            {f"field{n}": nn.EmbeddingBag(size, width, mode="sum") for n, size in enumerate(sizes)}
        )
        self.dense = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, width))
        self.head = nn.Linear(width + 6, 1)
        self.register_buffer("pairs", torch.triu_indices(4, 4, 1))

    def forward(self, dense: Tensor, fields: dict[str, tuple[Tensor, Tensor]]) -> Tensor:
        x = self.dense(dense)
        parts = [x]
        for name, bag in self.bags.items():
            items, offsets = fields[name]
            parts.append(bag(items, offsets))
        stacked = torch.stack(parts, dim=1)
        products = torch.bmm(stacked, stacked.transpose(1, 2))
        chosen = products[:, self.pairs[0], self.pairs[1]]
        return torch.sigmoid(self.head(torch.cat([x, chosen], dim=1))).squeeze(-1)


class Anchors(nn.Module):
    """A detector of one stage: boxes from anchors, and those that overlap less than others."""

    def __init__(self, classes: int = 2) -> None:
        super().__init__()
        self.backbone = nn.Conv2d(3, 6, 3, stride=4, padding=1)
        self.kinds = nn.Conv2d(6, 3 * classes, 1)
        self.places = nn.Conv2d(6, 3 * 4, 1)
        self.register_buffer("sizes", torch.tensor([[4.0, 4.0], [8.0, 4.0], [4.0, 8.0]]))

    def anchors(self, height: int, width: int) -> Tensor:
        ys, xs = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
        centres = torch.stack([xs, ys], dim=-1).view(-1, 1, 2).to(torch.float32) * 4.0 + 2.0
        low, high = centres - self.sizes / 2, centres + self.sizes / 2
        return torch.cat([low, high], dim=-1).view(-1, 4)

    def forward(self, image: Tensor, limit: float = 0.3) -> list[dict[str, Tensor]]:
        h = F.relu(self.backbone(image))
        batch, _, height, width = h.shape
        kinds = self.kinds(h).view(batch, 3, -1, height * width).permute(0, 3, 1, 2).flatten(1, 2)
        places = self.places(h).view(batch, 3, 4, height * width).permute(0, 3, 1, 2).flatten(1, 2)
        anchors = self.anchors(height, width)
        found: list[dict[str, Tensor]] = []
        for row in range(batch):
            scores, labels = kinds[row].sigmoid().max(dim=1)
            boxes = anchors + places[row].tanh()
            kept = self.suppressed(boxes, scores, limit)
            found.append({"boxes": boxes[kept], "scores": scores[kept], "labels": labels[kept]})
        return found

    def suppressed(self, boxes: Tensor, scores: Tensor, limit: float) -> Tensor:
        order = scores.argsort(descending=True)
        kept: list[Tensor] = []
        while order.numel() > 0:
            best = order[0]
            kept.append(best)
            if order.numel() == 1:
                break
            rest = order[1:]
            low = torch.max(boxes[best, :2], boxes[rest, :2])
            high = torch.min(boxes[best, 2:], boxes[rest, 2:])
            inner = (high - low).clamp(min=0).prod(dim=1)
            area = (boxes[:, 2:] - boxes[:, :2]).prod(dim=1)
            overlap = inner / (area[best] + area[rest] - inner)
            order = rest[overlap <= limit]
        return torch.stack(kept)


class Policy(nn.Module):
    """An agent that remembers how often it was asked, and explores less each time."""

    steps: int

    def __init__(self, actions: int = 3) -> None:
        super().__init__()
        self.value = nn.Linear(4, 1)
        self.advantage = nn.Linear(4, actions)
        self.steps = 0

    def forward(self, state: Tensor) -> Tensor:
        advantage = self.advantage(state)
        return self.value(state) + advantage - advantage.mean(dim=-1, keepdim=True)

    @torch.jit.export
    def act(self, state: Tensor, chance: float) -> int:
        self.steps += 1
        if chance < 1.0 / (1.0 + self.steps):
            return self.steps % self.advantage.out_features
        return int(self.forward(state).argmax())


class Flow(nn.Module):
    """A differential equation that a network describes, solved by the method of Runge and Kutta."""

    def __init__(self) -> None:
        super().__init__()
        self.field = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))

    def slope(self, t: float, x: Tensor) -> Tensor:
        return self.field(torch.cat([x, torch.full([x.size(0), 1], t)], dim=1))

    def forward(self, x: Tensor, end: float, steps: int = 4) -> Tensor:
        t, h = 0.0, end / steps
        for _ in range(steps):
            a = self.slope(t, x)
            b = self.slope(t + h / 2, x + h / 2 * a)
            c = self.slope(t + h / 2, x + h / 2 * b)
            d = self.slope(t + h, x + h * c)
            x = x + h / 6 * (a + 2 * b + 2 * c + d)
            t += h
        return x


class Capsules(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 3, 5, 2))

    def forward(self, x: Tensor, rounds: int = 3) -> Tensor:
        votes = torch.einsum("bid,iokd->biok", x, self.weight)
        logits = torch.zeros(votes.shape[:3])
        out = torch.zeros(votes.size(0), votes.size(2), votes.size(3))
        for _ in range(rounds):
            share = logits.softmax(dim=2)
            total = (share.unsqueeze(-1) * votes).sum(dim=1)
            norm = total.norm(2, dim=-1, keepdim=True)
            out = total * norm / (1 + norm**2)
            logits = logits + (votes * out.unsqueeze(1)).sum(dim=-1)
        return out


class Twins(nn.Module):
    """One network applied to two inputs, and the distance of what it makes of them."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 6), nn.PReLU(), nn.Linear(6, 3))
        self.loss = nn.TripletMarginLoss(margin=0.5)
        self.likeness = nn.CosineSimilarity(dim=1)

    def forward(
        self, a: Tensor, b: Tensor, c: Tensor | None = None
    ) -> tuple[Tensor, Tensor | None]:
        first, second = self.body(a), self.body(b)
        loss: Tensor | None = None
        if c is not None:
            loss = self.loss(first, second, self.body(c))
        return self.likeness(first, second), loss


class Highway(nn.Module):
    def __init__(self, width: int = 4, layers: int = 2) -> None:
        super().__init__()
        self.plain = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])
        self.gates = nn.ModuleList([nn.Linear(width, width) for _ in range(layers)])

    def forward(self, x: Tensor) -> Tensor:
        for plain, gate in zip(self.plain, self.gates):
            share = torch.sigmoid(gate(x))
            x = torch.lerp(x, F.softplus(plain(x)), share)
        return x


class Experts(nn.Module):
    """A mixture of experts: each row goes to the two that its gate scores best."""

    def __init__(self, width: int = 4, count: int = 3) -> None:
        super().__init__()
        self.gate = nn.Linear(width, count, bias=False)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(count)])

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.gate(x).topk(2, dim=-1)
        weights = weights.softmax(dim=-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, slots = torch.where(chosen == number)
            if rows.numel() > 0:
                out[rows] += weights[rows, slots].unsqueeze(1) * expert(x[rows])
        return out


class Rotary(nn.Module):
    """Attention with rotary positions, shared keys, and a cache of what was seen."""

    def __init__(self, width: int = 8, heads: int = 2) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.q = nn.Linear(width, width, bias=False)
        self.kv = nn.Linear(width, 2 * self.size, bias=False)
        self.norm = nn.RMSNorm(width)
        rates = 1.0 / (10000.0 ** (torch.arange(0, self.size, 2).float() / self.size))
        self.register_buffer("rates", rates)

    def turned(self, x: Tensor, start: int) -> Tensor:
        angles = torch.outer(torch.arange(start, start + x.size(-2)).float(), self.rates)
        wave = torch.polar(torch.ones_like(angles), angles)
        pairs = torch.view_as_complex(x.reshape(x.shape[:-1] + (-1, 2)).contiguous())  # noqa: RUF005  as above
        return torch.view_as_real(pairs * wave).flatten(-2)

    def forward(
        self, x: Tensor, cache: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        batch, length, _ = x.shape
        start = 0 if cache is None else cache[0].size(2)
        q = self.q(self.norm(x)).view(batch, length, self.heads, self.size).transpose(1, 2)
        k, v = self.kv(x).view(batch, length, 1, 2 * self.size).transpose(1, 2).chunk(2, dim=-1)
        q, k = self.turned(q, start), self.turned(k, start)
        if cache is not None:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        mask = torch.ones(length, k.size(2), dtype=torch.bool).tril(start)
        keys, values = k.expand(-1, self.heads, -1, -1), v.expand(-1, self.heads, -1, -1)
        out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        return x + out.transpose(1, 2).reshape(batch, length, -1), (k, v)
