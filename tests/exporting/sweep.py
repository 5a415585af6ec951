"""``python -m tests.exporting.sweep [NAME …]``: archives that PyTorch saves, exported, in PyTorch and ONNX Runtime.

Every method that the archive tests call is exported with the arguments of the call; `torch.export.load` and ONNX
Runtime have to give what `torch.jit` gives. Prints what became of each, and how many are equal.
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

import numpy as np
import onnxruntime
import torch

import tsc
from tests.oracle.answers import plain, same_value
from tests.oracle.archives.table import SAMPLES, Call, Sample
from tests.oracle.ours import tensor
from tests.oracle.pytorch import tensor as torch_tensor
from tsc.compiler.exir.pytrees import tree_flatten

EQUAL = "equal"


def outcomes(sample: Sample) -> Iterator[tuple[str, str, str]]:
    """For each call: its name, what `.pt2` came to, and what ONNX came to."""
    content = io.BytesIO()
    torch.jit.save(sample.make(), content)
    for number, call in enumerate(sample.calls):
        pt2, onnx = _outcome(content.getvalue(), call)
        yield f"{sample.name}.{call.method}[{number}]", pt2, onnx


def _outcome(content: bytes, call: Call) -> tuple[str, str]:
    script = torch.jit.load(io.BytesIO(content))
    try:
        callee = script if call.method == "forward" else getattr(script, call.method)
        expected = callee(*copy.deepcopy(call.arguments))
    except Exception:  # noqa: BLE001  whatever it is, it is PyTorch's
        return "raises in PyTorch", "raises in PyTorch"
    module = tsc.load(io.BytesIO(content))
    try:
        program = tsc.export(module, copy.deepcopy(call.arguments), method=call.method)
    except tsc.Error as error:
        refused = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        return refused, refused
    return _in_pytorch(program, call, expected), _in_onnx(program, call, expected)


def _in_pytorch(program: Any, call: Call, expected: Any) -> str:
    wanted = plain(expected, torch_tensor)
    content = io.BytesIO()
    try:
        tsc.save_exported(program, content)
        loaded = torch.export.load(io.BytesIO(content.getvalue())).module()
        found = plain(loaded(*copy.deepcopy(call.arguments)), torch_tensor)
    except Exception as error:  # noqa: BLE001  one line of the table
        return (
            f"PyTorch: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        )
    own = plain(program.module()(*copy.deepcopy(call.arguments)), tensor)
    if not same_value(own, wanted):
        return "differs here"
    return EQUAL if same_value(found, wanted) else "differs in PyTorch"


def _in_onnx(program: Any, call: Call, expected: Any) -> str:
    content = io.BytesIO()
    try:
        tsc.export_onnx(program, content)
        session = onnxruntime.InferenceSession(content.getvalue())
        leaves = [
            each.detach().numpy() if isinstance(each, torch.Tensor) else np.asarray(each)
            for each in tree_flatten((copy.deepcopy(call.arguments), {}))[0]
            if each is not None
        ]
        named = dict(zip([each.name for each in session.get_inputs()], leaves))
        found = session.run(None, named)
    except Exception as error:  # noqa: BLE001  one line of the table
        return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
    wanted = [each for each in tree_flatten(_plain_tuples(expected))[0] if each is not None]
    same = all(map(_close, found, wanted))
    return EQUAL if same else "differs"


def _plain_tuples(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain_tuples, value))
    if isinstance(value, list):
        return list(map(_plain_tuples, value))
    return value


def _close(found: Any, wanted: Any) -> bool:
    array = wanted.detach().numpy() if isinstance(wanted, torch.Tensor) else np.asarray(wanted)
    if array.dtype.kind in "US":
        return True
    return found.shape == array.shape and np.allclose(
        found, array, rtol=1e-3, atol=1e-4, equal_nan=True
    )


def main(wanted: list[str]) -> None:
    """Print a line for each call, and the counts."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    onnxruntime.set_default_logger_severity(3)
    counts: Counter[str] = Counter()
    for sample in SAMPLES:
        if wanted and sample.name not in wanted:
            continue
        for name, pt2, onnx in outcomes(sample):
            counts["calls"] += pt2 != "raises in PyTorch"
            counts["pt2"] += pt2 == EQUAL
            counts["onnx"] += onnx == EQUAL
            print(f"{name}: {pt2}" + ("" if pt2 == onnx else f" | ONNX {onnx}"))
    print(f"{counts['calls']} calls: {counts['pt2']} equal as .pt2, {counts['onnx']} as ONNX")


if __name__ == "__main__":
    main(sys.argv[1:])
