"""The layers with inputs that the tests of this folder try, from ``layers.txt``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
LAYERS = FOLDER / "layers.txt"
INITIALIZATIONS = FOLDER / "initializations.txt"


@dataclass(frozen=True)
class Case:
    layer: str
    inputs: str
    training: bool

    @property
    def name(self) -> str:
        return f"{'' if self.training else 'eval: '}{self.layer} | {self.inputs}"


def cases() -> list[Case]:
    found = []
    for line in LAYERS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            layer, _, inputs = line.removeprefix("eval: ").partition(" | ")
            found.append(Case(layer, inputs, not line.startswith("eval: ")))
    return found


def initializations() -> list[str]:
    """Calls of functions of ``torch.nn.init``."""
    text = INITIALIZATIONS.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
