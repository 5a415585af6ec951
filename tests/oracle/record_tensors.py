"""Record what PyTorch answers about tensors: ``python -m tests.oracle.record_tensors [TOPIC]``.

The answers let ``make test`` compare operators, printing and random numbers without PyTorch. A
topic is a file of samples of operators; without one, everything is recorded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch

from tests.oracle import tensor_operators, tensor_printing, tensor_random
from tests.runtime import tensor_samples
from tests.runtime.printing_samples import PRINTING_SAMPLES
from tests.runtime.random_samples import RANDOM_SAMPLES

RECORDED = Path(__file__).parent.parent / "runtime" / "recorded"


def main(topics: list[str]) -> None:
    (RECORDED / "operators").mkdir(exist_ok=True, parents=True)
    for topic in topics or tensor_samples.topics():
        samples = tensor_samples.samples_of(topic)
        _write(f"operators/{topic}", {sample.text: _answer(sample) for sample in samples})
    if not topics:
        _record_all_else()


def _record_all_else() -> None:
    _write("printing", {text: tensor_printing.answer(text) for text in PRINTING_SAMPLES})
    _write("random", {text: tensor_random.answer(text) for text in RANDOM_SAMPLES})
    schemas = sorted(torch._C._jit_get_all_schemas(), key=lambda schema: schema.name)
    known = [str(each) for each in schemas if each.name.startswith(("aten::", "prim::"))]
    (RECORDED / "schemas.txt").write_text("\n".join(known) + "\n", encoding="utf-8")


def _answer(sample: tensor_samples.Sample) -> Any:
    """PyTorch's answer; memory that nobody wrote to is recorded as zeros, the same each time."""
    answer = tensor_operators.answer(sample)
    if sample.is_uninitialized and "values" in answer.get("result", {}):
        answer["result"]["values"] = [0 for _ in answer["result"]["values"]]
    return answer


def _write(name: str, answers: dict[str, object]) -> None:
    lines = [f"{json.dumps(text)}: {json.dumps(answer)}" for text, answer in answers.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (RECORDED / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
