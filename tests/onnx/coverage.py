"""How much of what can be exported runs in ONNX Runtime with equal results.

.venv-oracle/bin/python -m tests.onnx.coverage [CORPUS …]     (archives, recorded, texts, changing_sizes, programs)

Prints every program that is not equal, with what refused it, and the shares: by corpus, of calls, and of modules, which
count if all of their programs that can be exported are equal.
"""

from __future__ import annotations

import copy
import io
import logging
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import onnxruntime

import tsc
from tests.onnx.corpus import CORPORA, Exported
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.signature import InputKind
from tsc.runtime.onnx.refusals import OnnxExportError


class Verdict(Enum):
    EQUAL = "equal"
    NOT_CAPTURED = "not captured"
    NOT_CONVERTED = "not converted"
    FAILED = "failed"
    NOT_RUN = "not run"
    DIFFERENT = "different"
    RANDOM = "random"
    """Other numbers than PyTorch's, and other ones each time."""


@dataclass(frozen=True)
class Outcome:
    """Of one program."""

    exported: Exported
    verdict: Verdict
    reason: str = ""

    def __str__(self) -> str:
        what = self.exported
        reason = f": {self.reason}" if self.reason else ""
        return f"{self.verdict.value:14} {what.corpus}/{what.module}.{what.name}{reason}"


def outcome(exported: Exported) -> Outcome:
    """Converted, run on all arguments, and compared."""
    if exported.program is None:
        return Outcome(exported, Verdict.NOT_CAPTURED, exported.refusal)
    content = io.BytesIO()
    try:
        tsc.export_onnx(exported.program, content)
    except OnnxExportError as error:
        reasons = "; ".join(map(str, error.refusals)) or first_line(error)
        return Outcome(exported, Verdict.NOT_CONVERTED, reasons)
    except Exception as error:  # noqa: BLE001  a line of the table, which is looked into
        return Outcome(exported, Verdict.FAILED, first_line(error))
    try:
        model = Model(content.getvalue(), exported.program)
        for arguments, expected in exported.runs:
            different = difference(
                model.run(arguments), leaves_of(expected), tolerance(exported.program)
            )
            if different is not None:
                verdict = Verdict.RANDOM if is_random(exported) else Verdict.DIFFERENT
                return Outcome(exported, verdict, different)
    except Exception as error:  # noqa: BLE001  of ONNX Runtime, which has no class of its own for all
        return Outcome(exported, Verdict.NOT_RUN, f"{type(error).__name__}: {first_line(error)}")
    return Outcome(exported, Verdict.EQUAL)


def is_random(exported: Exported) -> bool:
    """Whether the program gives other results each time."""
    arguments, _ = exported.runs[0]
    first, *others = [
        leaves_of(exported.program.module()(*copy.deepcopy(tuple(arguments)))) for _ in range(4)
    ]
    return any(difference([array(e) for e in first], each) is not None for each in others)


def first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0][:300]


class Model:
    """A model in ONNX Runtime, which takes what the program takes."""

    def __init__(self, content: bytes, program: Any) -> None:
        providers = ["CPUExecutionProvider"]
        self._session = onnxruntime.InferenceSession(content, providers=providers)
        specs = [e for e in program.graph_signature.input_specs if e.kind is InputKind.USER_INPUT]
        self._is_input = [each.constant is None for each in specs]

    def run(self, arguments: Sequence[Any]) -> list[np.ndarray]:
        """The results for the leaves of the arguments that are no constants of the program."""
        leaves = tree_flatten(tuple(arguments))[0]
        given = [array(e) for e, is_input in zip(leaves, self._is_input, strict=True) if is_input]
        names = [each.name for each in self._session.get_inputs()]
        return self._session.run(None, dict(zip(names, given, strict=True)))


def array(value: Any) -> np.ndarray:
    """A tensor of either implementation, or a number."""
    return value.detach().numpy() if hasattr(value, "detach") else np.asarray(value)


def leaves_of(value: Any) -> list[Any]:
    """Tensors and numbers of a result, in order; None is no result of a model."""
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves_of(each)]
    if isinstance(value, list | tuple):
        return [leaf for each in value for leaf in leaves_of(each)]
    return [] if value is None else [value]


def tolerance(program: Any) -> float:
    """How far results may be off, relatively or near zero absolutely: float16 has eleven bits."""
    return 2e-3 if ': "f16[' in str(program) else 1e-4


def difference(
    found: Sequence[np.ndarray], wanted: Sequence[Any], within: float = 1e-4
) -> str | None:
    """What differs first; what a model writes to buffers follows its results, and is not compared."""
    if len(found) < len(wanted):
        return f"{len(found)} results in the place of {len(wanted)}"
    for place, (ours, theirs) in enumerate(zip(found, wanted)):
        expected = array(theirs)
        if (ours.dtype, ours.shape) != (expected.dtype, expected.shape):
            return (
                f"result {place} is {ours.dtype}{ours.shape}, not {expected.dtype}{expected.shape}"
            )
        if not np.allclose(ours, expected, rtol=within, atol=within, equal_nan=True):
            return f"result {place} differs: {ours.ravel()[:4]}, not {expected.ravel()[:4]}"
    return None


def outcomes(corpora: Sequence[str] = ()) -> Iterator[Outcome]:
    """Of each program of the corpora with these names, or of all."""
    for corpus in CORPORA:
        if not corpora or corpus.__name__ in corpora:
            yield from map(outcome, corpus())


def shares(found: Sequence[Outcome]) -> Iterator[str]:
    """A line for each corpus, and for all: programs and modules that are equal."""
    left_out = (Verdict.NOT_CAPTURED, Verdict.RANDOM)
    exportable = [each for each in found if each.verdict not in left_out]
    corpora = dict.fromkeys(each.exported.corpus for each in found)
    for corpus in (*corpora, None):
        chosen = [each for each in exportable if corpus in (None, each.exported.corpus)]
        modules: dict[tuple[str, str], bool] = {}
        for each in chosen:
            key = (each.exported.corpus, each.exported.module)
            modules[key] = modules.get(key, True) and each.verdict is Verdict.EQUAL
        equal = sum(each.verdict is Verdict.EQUAL for each in chosen)
        whole, count = sum(modules.values()), max(len(modules), 1)
        of_modules = f"{whole} of {len(modules)} modules ({whole / count:.1%})"
        yield f"{corpus or 'all'}: {of_modules}, {equal} of {len(chosen)} programs"
    for verdict in left_out:
        yield f"{sum(each.verdict is verdict for each in found)} programs: {verdict.value}"


def main(corpora: list[str]) -> None:
    """Print each outcome that is not equal, and the shares."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    onnxruntime.set_default_logger_severity(4)
    found: list[Outcome] = []
    for each in outcomes(corpora):
        found.append(each)
        if each.verdict is not Verdict.EQUAL:
            print(each, flush=True)
    print(*shares(found), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
