"""Whole modules as ``torch.save`` and ``torch.package`` write them: objects of Python with tensors in them."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn
from torch.package import PackageExporter


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(2)
        self.register_buffer("passing", torch.arange(2), persistent=False)
        self.register_buffer("nothing", None)
        self.plain = torch.ones(2)


class Whole(nn.Module):
    """Tied weights, modules that are there twice, parameters of a kind, what is not saved."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.decoder = nn.Embedding(3, 2), nn.Linear(2, 3, bias=False)
        self.decoder.weight = self.embedding.weight
        self.block = self.again = Block()
        self.lstm = nn.LSTM(2, 2, bidirectional=True)
        self.scales = nn.ParameterList([torch.ones(1), torch.zeros(2)])
        self.by_name = nn.ModuleDict({"a": nn.Conv1d(1, 2, 1), "b": nn.Identity()})
        self.narrow = nn.Parameter(torch.ones(2, dtype=torch.bfloat16), requires_grad=False)
        self.narrow.note = "a parameter with an attribute"
        self.buffer = nn.Buffer(torch.arange(3.0)[1:])
        self.turned = nn.Parameter(torch.arange(6.0).view(2, 3).t())
        self.settings = Namespace(rate=0.5, activation=torch.relu)


def _package(path: Path, **objects: object) -> None:
    with PackageExporter(path) as exporter:
        exporter.extern("**")
        for name, value in objects.items():
            exporter.save_pickle(name, f"{name}.pkl", value)
        exporter.save_text("notes", "notes.txt", "hello")


def _save_legacy(path: Path, value: object) -> None:
    """The old format holds the source text of classes, of which a line does here."""
    known = torch.serialization.get_source_lines_and_file
    torch.serialization.get_source_lines_and_file = lambda each: ([f"class {each.__name__}"], 1, "")
    try:
        torch.save(value, path, _use_new_zipfile_serialization=False)
    finally:
        torch.serialization.get_source_lines_and_file = known


def _checkpoint() -> dict[str, object]:
    model = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    return {"epoch": 3, "model": model, "optimizer": optimizer, "losses": [torch.ones(1)]}


WHOLE = Whole()
OBJECTS: dict[str, Callable[[Path], None]] = {
    "objects.pth": lambda path: torch.save(WHOLE, path),
    "objects_legacy.pth": lambda path: _save_legacy(path, WHOLE),
    "objects_package.pt": lambda path: _package(path, model=WHOLE),
    "objects_state.pth": lambda path: torch.save(WHOLE.state_dict(), path),
    "objects_checkpoint.pth": lambda path: torch.save(_checkpoint(), path),
    "objects_two.pt": lambda path: _package(path, model=nn.Linear(1, 1), data=[torch.ones(2)]),
}
"""How each archive of objects in the folder ``archives`` was written; ``objects_state.pth`` is what they hold."""
