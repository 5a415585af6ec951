"""Operator families against PyTorch on small, medium and large inputs, in one process, as ratios.

python -m bench operators            all families
python -m bench operators FAMILY...  only these
"""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np

from bench.operator_cases import CASES, SIZE_NAMES, Case
from bench.speed import module_of
from bench.timing import seconds_per_call

LIMIT = 3.0
"""A medium or large measurement above this is explained in docs/performance.md."""

BUDGET = 0.1


def operand(name: str, shape: tuple[int, ...], limit: int) -> Any:
    """A reproducible array for an operand; see `bench.operator_cases` for the first letters."""
    generator = np.random.default_rng(len(name) + sum(shape))
    match name[0]:
        case "x":
            return generator.standard_normal(shape, dtype=np.float32)
        case "p":
            return generator.uniform(0.1, 1.0, shape).astype(np.float32)
        case "i":
            return generator.integers(0, limit, shape)
        case "m":
            return generator.random(shape) < 0.5
        case _:
            return generator.integers(0, 100, shape)


def label(case: Case) -> str:
    """How a measurement is named in the output and in docs/performance.md."""
    return f"{case.family}: {case.expression}"


def arguments(case: Case, size: int) -> list[Any]:
    shapes = [shapes[size] for shapes in case.operands.values()]
    return [operand(name, shape, shapes[0][0]) for name, shape in zip(case.operands, shapes)]


def ratios(case: Case, folder: str) -> list[float]:
    """tsc's time over PyTorch's, for each size."""
    import torch

    import tsc

    scripted = torch.jit.script(module_of(case.source, folder).f)
    ours = tsc.CompilationUnit(case.source).f
    found: list[float] = []
    for size in range(len(SIZE_NAMES)):
        values = arguments(case, size)
        theirs = [torch.from_numpy(value.copy()) for value in values]
        mine = [tsc.from_numpy(value) for value in values]
        for _ in range(3):  # PyTorch's profiling executor settles
            scripted(*theirs)
        reference = seconds_per_call(lambda: scripted(*theirs), BUDGET)  # noqa: B023
        found.append(seconds_per_call(lambda: ours(*mine), BUDGET) / reference)  # noqa: B023
    return found


def main(families: list[str]) -> None:
    import torch

    known = list(dict.fromkeys(case.family for case in CASES))
    if unknown := [family for family in families if family not in known]:
        raise SystemExit(f"no family {', '.join(unknown)}; there are {', '.join(known)}")
    torch.set_num_threads(1)
    slow: list[str] = []
    print(f"{'tsc / torch.jit':76s}" + "".join(f"{name:>9s}" for name in SIZE_NAMES))
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        for case in CASES:
            if families and case.family not in families:
                continue
            found = ratios(case, folder)
            print(f"{label(case):76s}" + "".join(f"{ratio:9.2f}" for ratio in found), flush=True)
            slow += [f"{label(case)} ({n})" for n, r in zip(SIZE_NAMES[1:], found[1:]) if r > LIMIT]
    print(f"\nabove {LIMIT:g} on medium and large inputs: {len(slow)}")
    for line in slow:
        print(f"  {line}")
