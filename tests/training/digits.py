"""The sample that trains on digits, as a module, and the losses of PyTorch that were recorded for its first steps."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).parent
SAMPLE = FOLDER.parent.parent / "samples" / "training"
RECORD = FOLDER / "recorded_losses.json"
SEED = 7


def loaded(name: str) -> ModuleType:
    """A file of the sample, run as the module that it is."""
    spec = importlib.util.spec_from_file_location(f"digits_{name}", SAMPLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def recorded_losses() -> list[float]:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def pytorch_losses(network: Any, epochs: int) -> list[float]:
    """What PyTorch's losses are, from the seed that made the network on."""
    import torch

    torch.set_num_threads(1)
    sample = loaded("train")
    training, _ = sample.digits(torch)
    return list(sample.losses(torch, network, training, epochs))


def pytorch_network() -> Any:
    import torch

    torch.manual_seed(SEED)
    return loaded("network").Network()


def main() -> None:
    """Record the losses of two epochs: ``python -m tests.training.digits``."""
    losses = pytorch_losses(pytorch_network(), 2)
    RECORD.write_text(json.dumps(losses, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
