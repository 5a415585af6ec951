# ruff: noqa: UP006, UP035  PyTorch compiles this, and has these spellings
"""Detection, segmentation, physics, robots and recommendations."""

from typing import Dict, List, Tuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.exporting.products.case import Case, random


def overlaps(boxes: Tensor, box: Tensor) -> Tensor:
    low = torch.maximum(boxes[:, :2], box[:2])
    high = torch.minimum(boxes[:, 2:], box[2:])
    inner = (high - low).clamp(min=0).prod(1)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    return inner / (areas + (box[2:] - box[:2]).prod() - inner)


class Suppression(nn.Module):
    """Boxes that overlap less than others, by a mask of those that are kept."""

    def forward(self, boxes: Tensor, scores: Tensor, limit: float = 0.5) -> Tuple[Tensor, Tensor]:
        order = scores.argsort(descending=True)
        kept = torch.ones(boxes.size(0), dtype=torch.bool)
        for i in range(boxes.size(0)):
            if bool(kept[i]):
                near = overlaps(boxes[order], boxes[order[i]]) > limit
                near[: i + 1] = False
                kept = kept & ~near
        found = order[kept]
        return boxes[found], scores[found]


class SuppressionByTurns(nn.Module):
    """The same with a loop that ends when nothing is left."""

    def forward(self, boxes: Tensor, scores: Tensor) -> Tensor:
        left = scores.clone()
        found = torch.zeros_like(scores)
        turn = 0
        while bool((left > 0).any()):
            best = int(left.argmax())
            found[best] = turn + 1
            left = torch.where(overlaps(boxes, boxes[best]) > 0.5, torch.zeros_like(left), left)
            left[best] = 0
            turn += 1
        return found


class Segmenter(nn.Module):
    """Masks of what scores high, each as large as the image."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 3, 1))

    def forward(self, image: Tensor, limit: float = 0.0) -> Dict[str, Tensor]:
        scores = self.body(image)
        best, labels = scores.max(1)
        masks = labels == torch.arange(3).view(-1, 1, 1)
        return {
            "labels": labels,
            "masks": masks & (best > limit),
            "areas": masks.sum((1, 2)),
            "best": best[best > limit],
        }


class Pyramid(nn.Module):
    """Features of several sizes, the coarse ones added to the fine ones."""

    def __init__(self):
        super().__init__()
        self.steps = nn.ModuleList([nn.Conv2d(2, 2, 3, stride=2, padding=1) for _ in range(3)])
        self.sides = nn.ModuleList([nn.Conv2d(2, 2, 1) for _ in range(3)])

    def forward(self, x: Tensor) -> List[Tensor]:
        levels: List[Tensor] = []
        for step, side in zip(self.steps, self.sides):
            x = F.relu(step(x))
            levels.append(side(x))
        for i in range(len(levels) - 1, 0, -1):
            levels[i - 1] = levels[i - 1] + F.interpolate(levels[i], size=levels[i - 1].shape[-2:])
        return levels


class Molecule(nn.Module):
    """Energies of pairs within a distance, and forces by a formula."""

    def __init__(self):
        super().__init__()
        self.depth = nn.Parameter(torch.tensor(0.7))
        self.embed = nn.Embedding(3, 2)

    def forward(self, places: Tensor, kinds: Tensor) -> Tuple[Tensor, Tensor]:
        ways = places[:, None] - places[None]
        distances = (ways.pow(2).sum(-1) + torch.eye(places.size(0))).sqrt()
        near = (distances < 2.5) & ~torch.eye(places.size(0), dtype=torch.bool)
        charge = self.embed(kinds).sum(-1)
        pairs = charge[:, None] * charge[None] * self.depth
        energy = torch.where(near, pairs / distances, torch.zeros_like(distances)).sum() / 2
        slope = torch.where(near, pairs / distances**3, torch.zeros_like(distances))
        return energy, (slope.unsqueeze(-1) * ways).sum(1)


class Relaxation(nn.Module):
    """Steps along a slope until it is flat, or enough were made."""

    def forward(self, x: Tensor, steps: int = 50) -> Tuple[Tensor, int]:
        made = 0
        for _ in range(steps):
            slope = 2 * (x - 1)
            if bool(slope.abs().max() < 0.1):
                break
            x = x - 0.3 * slope
            made += 1
        return x, made


class RobotPolicy(nn.Module):
    """Normalizes what it sees by what it has seen, and stops when it saw too much."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 8), nn.ELU(), nn.Linear(8, 2))
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("square", torch.ones(3))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))
        self.last = torch.zeros(2)
        self.stopped = False

    def forward(self, x: Tensor) -> Tensor:
        self.count += 1
        rate = 1.0 / float(self.count)
        self.mean += (x - self.mean) * rate
        self.square += (x * x - self.square) * rate
        seen = (x - self.mean) / (self.square - self.mean * self.mean).clamp(min=1e-2).sqrt()
        action = self.body(seen)
        if bool(x.abs().max() > 5):
            self.stopped = True
        if self.stopped:
            action = torch.zeros_like(action)
        change = (action - self.last).clamp(-0.5, 0.5)
        self.last = self.last + change
        return self.last.clone()

    @torch.jit.export
    def restart(self, seed: Tensor) -> Tensor:
        self.stopped = False
        self.last = seed * 1
        return self.last + 0


class Controller(nn.Module):
    """One with three gains, which keeps its sum and its last error as numbers."""

    def __init__(self):
        super().__init__()
        self.gains: List[float] = [1.0, 0.25, 0.5]
        self.total = 0.0
        self.before = 0.0

    def forward(self, error: Tensor) -> float:
        e = float(error)
        self.total = max(-1.0, min(1.0, self.total + e))
        slope = e - self.before
        self.before = e
        return self.gains[0] * e + self.gains[1] * self.total + self.gains[2] * slope


class Gait(nn.Module):
    """A table of modes that data moves through."""

    def __init__(self):
        super().__init__()
        self.mode = 0
        self.turns: List[int] = [0, 0, 0]
        self.speeds = [0.1, 0.5, 1.0]

    def forward(self, x: Tensor) -> Tensor:
        if bool(x.sum() > 1):
            self.mode = min(self.mode + 1, 2)
        elif bool(x.sum() < -1):
            self.mode = 0
        self.turns[0] += 1
        return x * self.speeds[self.mode] + self.turns[0]


class Experts(nn.Module):
    """One of several networks, which a gate chooses."""

    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(3, 3)
        self.first, self.second, self.third = nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x: Tensor) -> Tensor:
        chosen = int(self.gate(x).argmax())
        if chosen == 0:
            return self.first(x)
        if chosen == 1:
            return self.second(x)
        return self.third(x)


class Recommender(nn.Module):
    """Bags of categories, crossed and ranked; users that are not known get a mean."""

    def __init__(self):
        super().__init__()
        self.bags = nn.ModuleDict(
            {each: nn.EmbeddingBag(8, 3, mode="mean") for each in ("user", "item")}
        )
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(
        self, inputs: Dict[str, Tensor], offsets: Dict[str, Tensor], top: int = 2
    ) -> Tuple[Tensor, Tensor]:
        rows: List[Tensor] = []
        for name, bag in self.bags.items():
            rows.append(bag(inputs[name], offsets[name]))
        scores = (rows[0] * rows[1]).sum(1) + self.bias
        return scores.topk(top)


class Normalized(nn.Module):
    """A batch normalization that goes on learning its statistics while it is asked for it."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.learn = True

    def forward(self, x: Tensor) -> Tensor:
        return F.batch_norm(x, self.norm.running_mean, self.norm.running_var, training=self.learn)


class Shared(nn.Module):
    """One layer under two names, and a parameter that is a buffer's neighbour."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.again = self.first
        self.pair = nn.ModuleList([self.first, nn.Linear(3, 3)])
        self.pair[1].bias = self.first.bias
        self.offset: Tensor | None = None

    def forward(self, x: Tensor) -> Tensor:
        y = self.pair[1](self.again(self.first(x)))
        if self.offset is not None:
            y = y + self.offset
        return y


class Tasks(nn.Module):
    """Parts that may run at the same time."""

    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x: Tensor) -> Tensor:
        tasks: List[torch.jit.Future[Tensor]] = []
        for part in self.parts:
            tasks.append(torch.jit.fork(part, x))
        found = torch.zeros_like(x)
        for task in tasks:
            found = found + torch.jit.wait(task)
        return found


class Checked(nn.Module):
    """Refuses what is not a distribution."""

    def forward(self, x: Tensor) -> Tensor:
        total = float(x.sum())
        if abs(total - 1) > 0.01:
            raise ValueError(f"the sum is {total}, and not 1")
        assert bool((x >= 0).all()), "negative"
        return -(x * (x + 1e-9).log()).sum()


class Planner(nn.Module):
    """Shortest ways over a grid of costs, found by passing over it until nothing changes."""

    def forward(self, costs: Tensor) -> Tuple[Tensor, int]:
        best = torch.full_like(costs, 1e6)
        best[0] = costs[0]
        passes = 0
        changed = True
        while changed:
            before = best
            ahead = torch.cat([torch.full([1], 1e6), best[:-1]])
            behind = torch.cat([best[1:], torch.full([1], 1e6)])
            best = torch.minimum(best, torch.minimum(ahead, behind) + costs)
            changed = bool((best != before).any())
            passes += 1
        return best, passes


class Kalman(nn.Module):
    """A filter with its state in attributes that are no buffers."""

    def __init__(self):
        super().__init__()
        self.place = torch.zeros(2)
        self.spread = torch.eye(2)
        self.register_buffer("motion", torch.tensor([[1.0, 1.0], [0.0, 1.0]]))

    def forward(self, seen: Tensor) -> Tensor:
        place = self.motion @ self.place
        spread = self.motion @ self.spread @ self.motion.T + 0.1 * torch.eye(2)
        gain = spread[:, :1] / (spread[0, 0] + 0.5)
        self.place = place + (gain * (seen - place[0])).squeeze(1)
        self.spread = spread - gain @ spread[:1]
        return self.place * 1


_boxes = torch.tensor([[0.0, 0, 4, 4], [1, 1, 5, 5], [0, 0, 4, 3.9], [8, 8, 9, 9]])
_scores = [torch.tensor([0.9, 0.8, 0.7, 0.6]), torch.tensor([0.2, 0.8, 0.7, 0.9])]
_bags = {"user": torch.tensor([1, 2, 3, 4]), "item": torch.tensor([0, 0, 7, 5])}
_offsets = {"user": torch.tensor([0, 1, 2]), "item": torch.tensor([0, 2, 3])}
CASES = {
    "suppression": Case(Suppression, {"forward": [(_boxes, each) for each in _scores]}),
    "suppression_by_turns": Case(
        SuppressionByTurns, {"forward": [(_boxes, each) for each in _scores]}
    ),
    "segmenter": Case(Segmenter, {"forward": [(random(1, 1, 4, 4, seed=i),) for i in range(3)]}),
    "pyramid": Case(Pyramid, {"forward": [(random(1, 2, 16, 16, seed=i),) for i in range(2)]}),
    "molecule": Case(
        Molecule,
        {"forward": [(random(4, 3, seed=i), torch.tensor([0, 1, 2, 1])) for i in range(2)]},
    ),
    "relaxation": Case(Relaxation, {"forward": [(random(3, seed=i) * 3**i,) for i in range(4)]}),
    "robot_policy": Case(
        RobotPolicy,
        {"forward": [(random(3, seed=i) * (i + 1),) for i in range(6)], "restart": [(random(2),)]},
    ),
    "controller": Case(Controller, {"forward": [(random(1, seed=i),) for i in range(4)]}),
    "gait": Case(Gait, {"forward": [(random(2, seed=i) * 2,) for i in range(6)]}),
    "experts": Case(Experts, {"forward": [(random(3, seed=i),) for i in range(6)]}),
    "recommender": Case(
        Recommender,
        {"forward": [(_bags, _offsets), ({**_bags, "item": torch.tensor([1, 2, 3, 4])}, _offsets)]},
    ),
    "normalized": Case(Normalized, {"forward": [(random(4, 3, seed=i),) for i in range(3)]}),
    "shared": Case(Shared, {"forward": [(random(2, 3, seed=i),) for i in range(2)]}),
    "tasks": Case(Tasks, {"forward": [(random(2, 2, seed=i),) for i in range(2)]}),
    "checked": Case(
        Checked, {"forward": [(torch.softmax(random(3, seed=i), 0),) for i in range(2)]}
    ),
    "planner": Case(
        Planner,
        {"forward": [(torch.tensor([1.0, 5, 2, 1, 9]),), (torch.tensor([9.0, 1, 1, 1, 1]),)]},
    ),
    "kalman": Case(Kalman, {"forward": [(random(1, seed=i),) for i in range(4)]}),
}
