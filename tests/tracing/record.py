"""Record the graphs and code that PyTorch's tracer gives for the functions: ``python -m tests.tracing.record``."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from tests.oracle.answers import normalize_code, normalize_graph
from tests.tracing.functions import CASES
from tests.tracing.samples import samples

RECORDED = Path(__file__).parent / "recorded.json"


def recorded() -> dict[str, Any]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def main() -> None:
    import torch

    warnings.simplefilter("ignore")
    answers: dict[str, Any] = {}
    for name, case in CASES.items():
        examples = samples(case.inputs, torch.from_numpy)
        traced = torch.jit.trace(case.function, examples, strict=case.strict, check_trace=False)
        answers[name] = {
            "graph": normalize_graph(str(traced.graph)).splitlines(),
            "code": normalize_code(traced.code).splitlines(),
        }
    text = json.dumps(answers, indent=1, sort_keys=True)
    RECORDED.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
