"""Live comparison with PyTorch: archives of either run in the other, with the same results, code and state."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import torch

import tsc
from tsc.compiler.source import Source
from tsc.runtime.programs.source_unit import SourceUnit

from ..answers import normalize_graph
from .answers import argument, described, is_close
from .record import answer, codes
from .table import SAMPLES, Sample
from .test_recorded import call
from .test_recorded import codes as our_codes

pytestmark = pytest.mark.oracle

LEAST_EQUAL_CODE = 0.95

SOURCE = """
import torch
from torch import nn, Tensor
from typing import Dict, List, NamedTuple, Optional, Tuple
import torch.nn.functional as F

class Pair(NamedTuple):
    first: Tensor
    second: int

def doubled(x: Tensor, k: int = 2) -> Tensor:
    return x * k

class Head(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.lin = nn.Linear(width, 2)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.lin(x))

class Model(nn.Module):
    def __init__(self, width: int = 3):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 2, 2), nn.ReLU())
        self.heads = nn.ModuleList([Head(width), Head(width)])
        self.register_buffer("scale", torch.tensor([1.0, 2.0]))
        self.names: Dict[str, int] = {"a": 1}
        self.lstm = nn.LSTM(2, 3)

    def forward(self, x: Tensor, n: int = 1) -> Tuple[Pair, List[str]]:
        for head in self.heads:
            with torch.no_grad():
                y = doubled(head(x)) * self.scale
        z, _ = self.lstm(y.unsqueeze(1))
        w = self.conv(x[:, None]) + torch.tensor([0.5])
        return Pair(y + w.sum() + z.sum(), n), list(self.names.keys())
"""


def made(sample: Sample, folder: Path) -> Path:
    path = folder / f"{sample.name}.pt"
    sample.make().save(path)
    return path


def arguments_of(each: Any) -> list[Any]:
    return [argument(described(given)) for given in each.arguments]


def test_the_table_is_wide_enough() -> None:
    assert len(SAMPLES) >= 60
    assert sum(sample.name.startswith("traced_") for sample in SAMPLES) >= 4


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_what_pytorch_saved_runs_here(sample: Sample, tmp_path: Path) -> None:
    path = made(sample, tmp_path)
    theirs = answer(path, sample)
    module = tsc.load(path)
    assert described(dict(module.state_dict())) == theirs["state"]
    for each, expected in zip(sample.calls, theirs["calls"], strict=True):
        result = described(call(module, each.method, arguments_of(each)))
        assert is_close(result, expected["result"]), each.method
    ours = our_codes(module)
    equal = [name for name, text in theirs["code"].items() if ours.get(name) == text]
    assert len(equal) >= LEAST_EQUAL_CODE * len(theirs["code"])


@pytest.mark.parametrize(
    "sample",
    [each for each in SAMPLES if each.name != "forks"],  # PyTorch hands its constants to them
    ids=lambda sample: sample.name,
)
def test_graphs_of_archives_are_those_of_pytorch(sample: Sample, tmp_path: Path) -> None:
    path = made(sample, tmp_path)
    module = tsc.load(path)
    theirs = torch.jit.load(path)._c
    for name in theirs._method_names():
        expected = normalize_graph(str(theirs._get_method(name).graph))
        assert normalize_graph(str(module._method(name).graph)) == expected, name


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_what_is_saved_here_runs_in_pytorch(sample: Sample, tmp_path: Path) -> None:
    first, second = made(sample, tmp_path), tmp_path / "second.pt"
    tsc.load(first).save(second)
    before, after = torch.jit.load(first), torch.jit.load(second)
    assert codes(after) == codes(before)
    assert described(dict(after.state_dict())) == described(dict(before.state_dict()))
    for each in sample.calls:
        results = [
            described(getattr(m, each.method)(*copy.deepcopy(each.arguments)))
            if each.method != "forward"
            else described(m(*copy.deepcopy(each.arguments)))
            for m in (before, after)
        ]
        assert is_close(*results), each.method


def test_a_module_of_a_source_file_runs_in_pytorch(tmp_path: Path) -> None:
    tsc.manual_seed(0)
    module = SourceUnit.from_source(Source(SOURCE, "model.py")).module("Model").eval()
    path = tmp_path / "model.pt"
    module.save(path)
    theirs, again = torch.jit.load(path), tsc.load(path)
    x = torch.randn(4, 3)
    ours = described(again(argument(described(x))))
    assert is_close(described(module(argument(described(x)))), ours)
    assert is_close(ours, described(theirs(x)))
    assert list(theirs.state_dict()) == list(again.state_dict())
