"""What is frozen here runs in PyTorch, and gives what the module gave that was not frozen."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import tsc

from . import freezable
from .answers import argument, described, is_close
from .table import SAMPLES, Call, Sample, _random

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

_CHECKS_OF_RANKS = frozenset(
    ("aten::dim", "aten::ne", "aten::format", "prim::If", "prim::RaiseException")
)
"""PyTorch takes the results of convolutions for batches without looking; here it is looked at."""


def hard(name: str, make: Callable[[], nn.Module], *arguments: Any) -> Sample:
    def scripted() -> torch.jit.ScriptModule:
        torch.manual_seed(0)
        module = make()
        for each in module.modules():
            if isinstance(each, nn.BatchNorm1d | nn.BatchNorm2d):
                nn.init.uniform_(each.weight)
                nn.init.uniform_(each.bias)
                each.running_mean.uniform_(-1, 1)
                each.running_var.uniform_(0.5, 2)
        return torch.jit.script(module.eval())

    return Sample(name, scripted, (Call("forward", arguments), Call("forward", arguments)))


HARD = (
    hard("chain", freezable.Chain, _random(2, 3, 7)),
    hard("counter", freezable.Counter, _random(2, 3)),
    hard("nested", freezable.Nested, _random(2, 3)),
    hard("seen", freezable.Seen, _random(2, 3, 6, 6), _random(5, 4)),
    hard("attention", freezable.Attention, _random(2, 5, 8)),
)
ALL = (*SAMPLES, *HARD)
PRESERVED = {"counter": ["other", "names"], "nested": ["second", "first.items"]}


def results(module: Any, sample: Sample, of: Callable[[Any], Any] = copy.deepcopy) -> list[Any]:
    found: list[Any] = []
    for each in sample.calls:
        method = module if each.method == "forward" else getattr(module, each.method)
        found.append(described(method(*[of(given) for given in each.arguments])))
    return found


@pytest.mark.parametrize("sample", ALL, ids=lambda sample: sample.name)
def test_what_is_frozen_here_runs_in_pytorch(sample: Sample, tmp_path: Path) -> None:
    first, second = tmp_path / "first.pt", tmp_path / "second.pt"
    sample.make().save(first)
    kept = [*(each.method for each in sample.calls), *PRESERVED.get(sample.name, ())]
    frozen = tsc.freeze(tsc.load(first).eval(), kept)
    tsc.save(frozen, second)
    with torch.no_grad():
        expected = results(torch.jit.load(first).eval(), sample)
        assert is_close(results(torch.jit.load(second), sample), expected)
    ours = results(tsc.load(second), sample, lambda given: argument(described(given)))
    assert is_close(ours, expected)


def kinds(block: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in block.nodes():
        found[node.kind()] += 1
        for inner in node.blocks():
            found += kinds(inner)
    return found


def test_graphs_have_the_operators_of_pytorchs(tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    path = tmp_path / "module.pt"
    for sample in SAMPLES:
        sample.make().save(path)
        if any(each.method != "forward" for each in sample.calls):
            continue
        try:
            theirs = kinds(torch.jit.freeze(torch.jit.load(path).eval()).graph)
        except RuntimeError:  # PyTorch refuses the module
            continue
        ours = Counter(node.kind for node in tsc.freeze(tsc.load(path).eval()).graph.all_nodes())
        for kind in (*_CHECKS_OF_RANKS, "prim::Constant"):
            del ours[kind], theirs[kind]
        verdicts["equal" if ours == theirs else "more" if ours - theirs else "fewer"] += 1
    assert verdicts["equal"] >= 0.75 * verdicts.total(), verdicts
    assert verdicts["more"] <= 0.1 * verdicts.total(), verdicts


class Layers(nn.Module):
    """Linear layers with and without a bias."""

    def __init__(self) -> None:
        super().__init__()
        self.wide, self.narrow = nn.Linear(3, 4), nn.Linear(4, 2, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.narrow(torch.relu(self.wide(x)))


def test_weights_are_transposed_as_pytorch_does(tmp_path: Path) -> None:
    path = tmp_path / "layers.pt"
    torch.jit.script(Layers().eval()).save(path)
    theirs = torch.jit.freeze(torch.jit.load(path)).graph
    ours = tsc.freeze(tsc.load(path)).graph
    expected = tsc.freeze(tsc.load(path))(tsc.ones(2, 3)).tolist()
    assert torch._C._jit_pass_transpose_frozen_linear(theirs)
    assert tsc.run_pass("transpose_frozen_linear", ours)
    assert [node.kind for node in ours.all_nodes() if node.kind != "prim::Constant"] == [
        node.kind() for node in theirs.nodes() if node.kind() != "prim::Constant"
    ]
    ours.lint()
    while len(ours.inputs) > 1:
        ours.erase_input(0)
    assert is_close(tsc.script(ours)(tsc.ones(2, 3)).tolist(), expected)
