"""Record what PyTorch's layers are and answer: ``python -m tests.nn.record``."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from .cases import Case, cases, initializations
from .summary import summary

RECORD = Path(__file__).parent / "recorded.json"


def main() -> None:
    import torch

    warnings.simplefilter("ignore")
    answers = {
        "layers": {case.name: answer(case) for case in cases()},
        "initializations": {},
    }
    for call in initializations():
        torch.manual_seed(0)
        answers["initializations"][call] = summary(
            eval(f"torch.nn.init.{call}", {**vars(torch), "torch": torch})
        )
    lines = [
        f" {json.dumps(kind)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
        + "\n }"
        for kind, found in answers.items()
    ]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(", ".join(f"{len(found)} {kind}" for kind, found in answers.items()))


def answer(case: Case) -> dict[str, Any]:
    """The text of a layer, its parameters and buffers, its output, and the buffers that have changed then."""
    import torch

    torch.manual_seed(0)
    layer = eval(case.layer, {"torch": torch, "ones": torch.ones, **vars(torch.nn)})
    layer.train(case.training)
    made = {name: summary(value) for name, value in layer.state_dict().items()}
    found = {
        "text": str(layer),
        "state": made,
        "trained": [name for name, value in layer.named_parameters() if value.requires_grad],
    }
    torch.manual_seed(1)
    inputs = eval(f"[{case.inputs}]", vars(torch).copy())
    torch.manual_seed(2)
    with torch.set_grad_enabled(case.training):
        found["output"] = summary(layer(*inputs))
    after = {name: summary(value) for name, value in layer.state_dict().items()}
    found["changed"] = {name: value for name, value in after.items() if value != made[name]}
    return found


if __name__ == "__main__":
    main()
