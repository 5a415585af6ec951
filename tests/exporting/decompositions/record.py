"""``python -m tests.exporting.decompositions.record``: which operators PyTorch decomposes each expression into."""

from __future__ import annotations

import gzip
import json
import logging
import warnings
from typing import Any

import torch
import torch.nn.functional as F

from .expressions import FOLDER, Expression, expressions

RECORDED = FOLDER / "recorded.json.gz"


def operators(expression: Expression) -> dict[str, Any] | None:
    """By dialect, the operators in their order; None where PyTorch does not export it."""
    space: dict[str, Any] = {"torch": torch, "F": F}
    names = ", ".join(name for name, *_ in expression.parameters)
    exec(f"def forward(self, {names}):\n    return {expression.text}\n", space)
    module = type("Module", (torch.nn.Module,), {"forward": space["forward"]})()
    arguments = tuple(torch.from_numpy(each) for each in expression.arguments())
    try:
        program = torch.export.export(module, arguments)
        return {
            "core": targets(program.run_decompositions()),
            "aten": targets(program.run_decompositions({})),
        }
    except Exception:  # noqa: BLE001  whatever it is, PyTorch does not export it
        return None


def targets(program: Any) -> list[str]:
    """What the nodes of a program call."""
    calls = [node for node in program.graph.nodes if node.op == "call_function"]
    return [
        str(node.target).removeprefix("<built-in function ").removesuffix(">") for node in calls
    ]


def main() -> None:
    """Record all."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    found = {each.name: operators(each) for each in expressions()}
    text = json.dumps(found, indent=0)
    RECORDED.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
