"""How much of the modules of the archives' tests runs in ONNX Runtime: each is captured, exported, run and compared.

.venv-oracle/bin/python -m tests.onnx.coverage [NAME …]
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import onnxruntime
import torch

import tsc
from tests.oracle.archives.answers import argument, described
from tests.oracle.archives.table import SAMPLES, Call, Sample
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.runtime.onnx.refusals import OnnxExportError


class Verdict(Enum):
    EQUAL = "equal"
    NOT_CAPTURED = "not captured"
    NOT_CONVERTED = "not converted"
    NOT_RUN = "not run"
    DIFFERENT = "different"


@dataclass(frozen=True)
class Outcome:
    """Of one call of a module."""

    name: str
    method: str
    verdict: Verdict
    reason: str = ""

    def __str__(self) -> str:
        reason = f": {self.reason}" if self.reason else ""
        return f"{self.verdict.value:14} {self.name}.{self.method}{reason}"


def outcomes(sample: Sample) -> Iterator[Outcome]:
    """Of each call, made on the module as the calls before have left it."""
    content = io.BytesIO()
    script = sample.make()
    torch.jit.save(script, content)
    module = tsc.load(io.BytesIO(content.getvalue()))
    for call in sample.calls:
        found = _outcome(module, call)
        given = [argument(described(each)) for each in call.arguments]
        reference, wanted = _called(module, call.method, given), None
        with torch.no_grad():
            wanted = _leaves(_called(script, call.method, call.arguments))
        assert reference is not None or not wanted
        if isinstance(found, list):
            same = _equal(found, wanted)
            found = (Verdict.EQUAL, "") if same is None else (Verdict.DIFFERENT, same)
        yield Outcome(sample.name, call.method, *found)


def _outcome(module: Any, call: Call) -> list[np.ndarray] | tuple[Verdict, str]:
    """What ONNX Runtime computes, or where the way ended."""
    given = tuple(argument(described(each)) for each in call.arguments)
    try:
        program = tsc.export(module, given, method=call.method)
    except tsc.Error as error:
        return Verdict.NOT_CAPTURED, _first(error)
    content = io.BytesIO()
    try:
        tsc.export_onnx(program, content)
    except OnnxExportError as error:
        return Verdict.NOT_CONVERTED, "; ".join(map(str, error.refusals)) or _first(error)
    try:
        return run(content.getvalue(), tree_flatten((given, {}))[0])
    except Exception as error:  # noqa: BLE001  of ONNX Runtime, which has no class of its own for all
        return Verdict.NOT_RUN, _first(error)


def _first(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def run(content: bytes, leaves: list[Any]) -> list[np.ndarray]:
    """The results of a model for the arguments that are tensors of it."""
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    tensors = [each.numpy() for each in leaves if isinstance(each, tsc.Tensor)]
    names = [each.name for each in session.get_inputs()]
    return session.run(None, dict(zip(names, tensors, strict=True)))


def _called(module: Any, method: str, arguments: Any) -> Any:
    return module(*arguments) if method == "forward" else getattr(module, method)(*arguments)


def _leaves(value: Any) -> list[Any]:
    """Tensors and numbers of a result of PyTorch, in order; strings and None are no results of models."""
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list | tuple):
        return [leaf for each in value for leaf in _leaves(each)]
    return [] if value is None or isinstance(value, str) else [value]


def _equal(found: list[np.ndarray], wanted: list[Any]) -> str | None:
    """What differs first; what a model writes to buffers follows its results, and is not compared."""
    if len(found) < len(wanted):
        return f"{len(found)} results in the place of {len(wanted)}"
    for place, (ours, theirs) in enumerate(zip(found, wanted)):
        expected = theirs.detach().numpy() if isinstance(theirs, torch.Tensor) else np.array(theirs)
        if (ours.dtype, ours.shape) != (expected.dtype, expected.shape):
            return (
                f"result {place} is {ours.dtype}{ours.shape}, not {expected.dtype}{expected.shape}"
            )
        if not np.allclose(ours, expected, rtol=1e-4, atol=1e-4, equal_nan=True):
            return f"result {place} differs by {np.abs(ours - expected).max()}"
    return None


def main(names: list[str]) -> None:
    """Print each outcome that is not equal, and the shares."""
    onnxruntime.set_default_logger_severity(3)
    chosen = [each for each in SAMPLES if not names or each.name in names]
    found = {each.name: list(outcomes(each)) for each in chosen}
    of_calls = [each for calls in found.values() for each in calls]
    for each in of_calls:
        if each.verdict is not Verdict.EQUAL:
            print(each)
    for verdict, count in Counter(each.verdict for each in of_calls).items():
        print(f"{verdict.value}: {count} of {len(of_calls)} calls")
    whole = sum(all(e.verdict is Verdict.EQUAL for e in calls) for calls in found.values())
    print(f"{whole} of {len(found)} modules, {whole / len(found):.1%}")


if __name__ == "__main__":
    main(sys.argv[1:])
