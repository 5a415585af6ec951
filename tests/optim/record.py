"""Record how PyTorch's optimizers change parameters: ``python -m tests.optim.record``."""

from __future__ import annotations

import json
from pathlib import Path

from .cases import CASES, trajectory

RECORD = Path(__file__).parent / "recorded.json"


def main() -> None:
    import torch

    lines = [f" {json.dumps(case)}: {json.dumps(trajectory(torch, case))}" for case in CASES]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
