"""Record what PyTorch's layers are and answer: ``python -m tests.nn.record``."""

from __future__ import annotations

import gzip
import json
import re
import warnings
from pathlib import Path
from typing import Any

from .cases import Case, cases, initializations
from .summary import summary

RECORD = Path(__file__).parent / "recorded.json"
CODE = Path(__file__).parent / "recorded_code.json.gz"
_MANGLED = re.compile(r"___torch_mangle_\d+\.")


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
    code = {case.name: found for case in cases() if (found := code_of(case))}
    CODE.write_bytes(gzip.compress(json.dumps(code, indent=1).encode(), mtime=0))
    print(", ".join(f"{len(found)} {kind}" for kind, found in answers.items()))


def constructed(case: Case) -> Any:
    import torch

    torch.manual_seed(0)
    layer = eval(case.layer, {"torch": torch, "ones": torch.ones, **vars(torch.nn)})
    return layer.train(case.training)


def code_of(case: Case) -> dict[str, str]:
    """The printed code of each method; empty for what PyTorch cannot script."""
    import torch
    from torch.jit.frontend import NotSupportedError

    layer = constructed(case)
    try:
        scripted = torch.jit.script(layer)._c
    except (RuntimeError, AssertionError, NotSupportedError) as error:
        print(f"not scripted: {case.name}: {type(error).__name__}")
        return {}
    return {name: unmangled(scripted._get_method(name).code) for name in scripted._method_names()}


def unmangled(code: str) -> str:
    """Code without the numbers that tell types of one class apart: they count what else was compiled."""
    return _MANGLED.sub("", code)


def answer(case: Case) -> dict[str, Any]:
    """The text of a layer, its parameters and buffers, its output, and the buffers that have changed then."""
    import torch

    layer = constructed(case)
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
