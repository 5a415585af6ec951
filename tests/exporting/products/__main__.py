"""``python -m tests.exporting.products [NAME …]``: what becomes of each method, beside torch.jit and in PyTorch."""

from __future__ import annotations

import copy
import io
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import torch

import tsc
from tests.exporting.products import speech_and_text, vision_and_control
from tests.exporting.products.case import Case
from tests.oracle.answers import SINGLE, plain, same_value
from tests.oracle.ours import tensor
from tests.oracle.pytorch import tensor as torch_tensor

CASES = {**speech_and_text.CASES, **vision_and_control.CASES}
EQUAL = "equal"


def outcomes(case: Case) -> Iterator[tuple[str, str]]:
    """For each method what came of it: its calls one after the other, of which the first one is the example."""
    content = io.BytesIO()
    torch.jit.save(case.archive(), content)
    for method, calls in case.methods.items():
        yield method, _outcome(content.getvalue(), method, calls)


def _outcome(content: bytes, method: str, calls: list[tuple[Any, ...]]) -> str:
    script = torch.jit.load(io.BytesIO(content))
    wanted = [plain(getattr(script, method)(*copy.deepcopy(each)), torch_tensor) for each in calls]
    try:
        program = tsc.export(tsc.load(io.BytesIO(content)), calls[0], method=method)
    except tsc.Error as error:
        return f"refused: {error}"
    saved = io.BytesIO()
    tsc.save_exported(program, saved)
    theirs = torch.export.load(io.BytesIO(saved.getvalue())).module()
    ours = tsc.load_exported(saved.getvalue()).module()
    for told, run, convert in (("here", ours, tensor), ("in PyTorch", theirs, torch_tensor)):
        found = [plain(run(*copy.deepcopy(each)), convert) for each in calls]
        if not same_value(found, wanted, SINGLE):
            return f"differs {told}: {found} instead of {wanted}"
    return EQUAL


def main(names: list[str]) -> None:
    """Print a line for each method, and the count."""
    warnings.simplefilter("ignore")
    results: list[str] = []
    for name, case in CASES.items():
        if names and name not in names:
            continue
        for method, found in outcomes(case):
            results.append(found)
            print(f"{name}.{method}: {found}")
    print(f"{results.count(EQUAL)} of {len(results)} methods are equal")


if __name__ == "__main__":
    main(sys.argv[1:])
