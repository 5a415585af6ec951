"""Record PyTorch's answers: ``python -m tests.oracle.expressions.record [TABLE...]``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.oracle.expressions.pytorch import their_answer
from tests.oracle.expressions.tables import tables

RECORDED = Path(__file__).parent / "recorded"


def main(wanted: list[str]) -> None:
    RECORDED.mkdir(exist_ok=True)
    for name, expressions in tables().items():
        if wanted and name not in wanted:
            continue
        lines = [f"{json.dumps(e.key)}: {json.dumps(their_answer(e))}" for e in expressions]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (RECORDED / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {len(lines)} expressions")


if __name__ == "__main__":
    main(sys.argv[1:])
