"""The expressions of ``calls.txt``: parameters stand on lines that begin with ``==``, expressions below them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
_PARAMETER = re.compile(r"(\w+): (f32|i64)\[([\d, ]*)\]")


@dataclass(frozen=True)
class Expression:
    """What a function of tensors returns; `parameters` are names, dtypes and sizes."""

    text: str
    parameters: tuple[tuple[str, str, tuple[int, ...]], ...]

    @property
    def name(self) -> str:
        """Unique: the same expression stands below several parameters."""
        told = ", ".join(f"{name}: {dtype}{list(sizes)}" for name, dtype, sizes in self.parameters)
        return f"{self.text}  of {told}"

    @property
    def body(self) -> str:
        """The function as TorchScript has it, without ``def``'s annotations."""
        names = ", ".join(name for name, *_ in self.parameters)
        return f"({names}):\n    return {self.text}\n"

    def arguments(self) -> list[np.ndarray]:
        """Always the same ones."""
        random = np.random.default_rng(0)
        return [
            random.random(sizes).astype(np.float32)
            if dtype == "f32"
            else random.integers(1, 9, sizes)
            for _, dtype, sizes in self.parameters
        ]


def expressions() -> list[Expression]:
    """All of them."""
    found: list[Expression] = []
    parameters: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    for line in (FOLDER / "calls.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("=="):
            parameters = tuple(
                (name, dtype, tuple(map(int, sizes.split(","))))
                for name, dtype, sizes in _PARAMETER.findall(line)
            )
        elif line:
            found.append(Expression(line, parameters))
    return found
