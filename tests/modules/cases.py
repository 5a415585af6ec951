"""The module programs of ``models.txt``.

A file holds them one after another: ``=== name``, a source text, and lines ``>>> Class(...) : arguments`` or
``>>> Class(...).method : arguments``. Constructors run after ``torch.manual_seed(0)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORD = HERE / "recorded.json.gz"
PRELUDE = (
    "import math\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
    "from torch import Tensor\nfrom typing import *\n"
)
_CALL = re.compile(r"(\w+)\((.*)\)(?:\.(\w+))? : (.*)")


@dataclass(frozen=True, slots=True)
class Case:
    """One module of a program, and one call of it."""

    program: str
    number: int
    source: str
    class_name: str
    init: str
    method: str
    arguments: str

    @property
    def key(self) -> str:
        return f"{self.program}/{self.number}"


def cases() -> Iterator[Case]:
    text = (HERE / "models.txt").read_text(encoding="utf-8")
    for chunk in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        name, _, body = chunk.partition("\n")
        source, *calls = re.split(r"^>>> ", body, flags=re.MULTILINE)
        for number, call in enumerate(calls):
            match = _CALL.fullmatch(call.strip())
            assert match is not None, call
            class_name, init, method, arguments = match.groups()
            yield Case(
                name, number, PRELUDE + source, class_name, init, method or "forward", arguments
            )


def summary(dtype: str, shape: list[int], values: list[Any]) -> dict[str, Any]:
    """What a record keeps of a parameter or buffer: the first values, and the sum of all."""
    return {"dtype": dtype, "shape": shape, "first": values[:6], "sum": float(sum(values))}
