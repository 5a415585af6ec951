"""Records what PyTorch makes of the module programs: ``python -m tests.modules.record``."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from tests.modules.cases import RECORD, Case, cases, summary
from tests.oracle.answers import normalize_code, normalize_graph, plain
from tests.oracle.programs import Program
from tests.oracle.pytorch import imported, tensor


@contextmanager
def scripted(case: Case) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The module as PyTorch scripts it, and the names of its program."""
    warnings.simplefilter("ignore")
    program = Program("modules", case.program, case.source, ())
    with imported(program, anew=False) as module:
        names = vars(module)
        torch.manual_seed(0)
        yield torch.jit.script(eval(f"{case.class_name}({case.init})", names)), names


def arguments(case: Case, names: dict[str, Any]) -> tuple[Any, ...]:
    return eval(f"({case.arguments},)", names)


def answer(case: Case) -> dict[str, Any]:
    """Parameters, graph, code and result of one call of a scripted module."""
    with scripted(case) as (module, names):
        method = getattr(module, case.method)
        state = {
            name: summary(str(value.dtype), list(value.shape), value.reshape(-1).tolist())
            for name, value in module.state_dict().items()
        }
        inputs = arguments(case, names)
        torch.manual_seed(1)
        return {
            "state": state,
            "graph": normalize_graph(str(method.graph)),
            "code": normalize_code(method.code),
            "result": plain(method(*inputs), tensor),
        }


if __name__ == "__main__":
    recorded = {case.key: answer(case) for case in cases()}
    text = json.dumps(recorded, indent=0, ensure_ascii=False)
    RECORD.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(recorded)} cases, {RECORD.stat().st_size} bytes")
