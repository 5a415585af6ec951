"""``python -m tests.exporting.sweep [NAME …]``: archives that PyTorch saves, exported, in PyTorch.

Every method that the archive tests call is exported with the arguments of the call; `torch.export.load` has to give
what `torch.jit` gives. Prints what became of each, and how many are equal. `tests.onnx.coverage` does it for ONNX.
"""

from __future__ import annotations

import copy
import io
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import torch

import tsc
from tests.oracle.answers import SINGLE, plain, same_value
from tests.oracle.archives.table import SAMPLES, Call, Sample
from tests.oracle.ours import tensor
from tests.oracle.pytorch import tensor as torch_tensor

EQUAL = "equal"
REFUSED = "refused: "
BEYOND = {
    "enums": "a text is returned, which PyTorch does not load",
    "attributes": "a text is returned, and lists of the module get longer",
    "constants": "a text is returned",
    "texts": "a text is returned",
    "speech_recognizer": "texts of what data tells are returned",
    "class_attributes": "a list of the module gets longer with each call, and there are always as many buffers",
    "speech_detector": "tensors of the module change their sizes, and buffers keep theirs",
}
"""Samples that do what PyTorch's own programs have no form for."""


def outcomes(sample: Sample) -> Iterator[tuple[str, str]]:
    """For each call: its name, and what it came to."""
    content = io.BytesIO()
    torch.jit.save(sample.make(), content)
    for number, call in enumerate(sample.calls):
        yield f"{sample.name}.{call.method}[{number}]", _outcome(content.getvalue(), call)


def _outcome(content: bytes, call: Call) -> str:
    script = torch.jit.load(io.BytesIO(content))
    try:
        callee = script if call.method == "forward" else getattr(script, call.method)
        expected = callee(*copy.deepcopy(call.arguments))
    except Exception:  # noqa: BLE001  whatever it is, it is PyTorch's
        return "raises in PyTorch"
    module = tsc.load(io.BytesIO(content))
    try:
        program = tsc.export(module, copy.deepcopy(call.arguments), method=call.method)
    except tsc.Error as error:
        return f"{REFUSED}{str(error).splitlines()[0]}"
    return _in_pytorch(program, call, expected)


def _in_pytorch(program: Any, call: Call, expected: Any) -> str:
    wanted = plain(expected, torch_tensor)
    content = io.BytesIO()
    try:
        tsc.save_exported(program, content)
        loaded = torch.export.load(io.BytesIO(content.getvalue())).module()
        with (
            torch.no_grad()
        ):  # for gradients its while_loop stacks what is carried, which keeps no sizes
            found = plain(loaded(*copy.deepcopy(call.arguments)), torch_tensor)
    except Exception as error:  # noqa: BLE001  one line of the table
        return (
            f"PyTorch: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        )
    own = plain(program.module()(*copy.deepcopy(call.arguments)), tensor)
    if not same_value(own, wanted, SINGLE):  # numbers come out of tensors of float32
        return "differs here"
    return EQUAL if same_value(found, wanted, SINGLE) else "differs in PyTorch"


def main(wanted: list[str]) -> None:
    """Print a line for each call, and the counts."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    counts: Counter[str] = Counter()
    for sample in SAMPLES:
        if wanted and sample.name not in wanted:
            continue
        for name, pt2 in outcomes(sample):
            counts["calls"] += pt2 != "raises in PyTorch"
            counts["pt2"] += pt2 == EQUAL
            counts["beyond"] += pt2 != EQUAL and sample.name in BEYOND
            print(f"{name}: {pt2}")
    allowed = counts["calls"] - counts["beyond"]
    print(
        f"{counts['calls']} calls: {counts['pt2']} equal as .pt2, of {allowed} that PyTorch has a form for"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
