"""Files that PyTorch wrote, kept with the tests, and what PyTorch computes of the arguments in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "programs_of_pytorch"
ANSWERS = FOLDER / "answers.json.gz"


def recorded_answers() -> dict[str, Any]:
    """By the names of the programs."""
    return json.loads(gzip.decompress(ANSWERS.read_bytes()))


def recorded_path(name: str) -> Path:
    return FOLDER / f"{name}.pt2"
