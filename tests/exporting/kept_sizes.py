"""``python -m tests.exporting.kept_sizes [NAME …]``: operators of PyTorch's database, with sizes that may change.

Of each operator that takes tensors, samples are exported with all sizes automatic. It keeps sizes if a symbol is left
in one of these programs; and what the program tells of its results has to be what the kernels give at other sizes.
Prints the operators that fix all sizes, those that tell wrong ones, and how many keep them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tsc
from tests.conformance import pytorch
from tests.conformance.scripts import Script, scripts
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression

_MOST_SAMPLES = 4
_STEPS = ((1, 2, 3, 5, 7), (3, 1, 5, 2, 4))


@dataclass
class Kept:
    """What became of the samples of an operator."""

    kept: int = 0
    fixed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    checked: int = 0


def outcome(name: str) -> Kept | None:
    """Of an operator of the database; None if tsc compiles no sample with a size of at least 2."""
    found, tried = Kept(), 0
    for script in _scripts(name):
        if tried == _MOST_SAMPLES:
            break
        tensors = [tsc.from_numpy(pytorch.array_of(each).copy()) for each in script.tensors]
        try:
            function = tsc.CompilationUnit(script.text).f
            function(*tensors)
        except tsc.Error:
            continue
        tried += 1
        _try(function, script.text, tensors, found)
    return found if tried else None


def _scripts(name: str) -> Iterator[Script]:
    for sample in pytorch.samples(name):
        for script in scripts(sample, pytorch.is_tensor):
            has_sizes = any(size > 1 for each in script.tensors for size in each.shape)
            if has_sizes and all(str(each.layout) == "torch.strided" for each in script.tensors):
                yield script
            break


def _try(function: Any, text: str, tensors: list[Any], found: Kept) -> None:
    automatic = [dict.fromkeys(range(each.dim()), tsc.Dim.AUTO) for each in tensors]
    try:
        program = tsc.export(function, tuple(tensors), dynamic_shapes=automatic)
    except tsc.Error as error:
        found.refused.append(f"{text.splitlines()[1].strip()}: {str(error).splitlines()[0]}")
        return
    if not program.range_constraints:
        found.fixed.append(f"{text.splitlines()[1].strip()}: {_reason(function, tensors)}")
        return
    found.kept += 1
    for steps in _STEPS:
        told = _wrong(function, program, tensors, steps)
        found.checked += told is not None
        if told:
            found.wrong.append(f"{text.splitlines()[1].strip()}: {told}")


def _reason(function: Any, tensors: list[Any]) -> str:
    """What an error about a declared size says."""
    first, dim = next(
        (number, dim)
        for number, each in enumerate(tensors)
        for dim, size in enumerate(each.shape)
        if size > 1
    )
    declared: list[Any] = [None] * len(tensors)
    declared[first] = {dim: tsc.Dim.DYNAMIC}
    try:
        tsc.export(function, tuple(tensors), dynamic_shapes=declared)
    except tsc.Error as error:
        return str(error).splitlines()[-1].strip(" -")
    return "one size at a time may change"


def _wrong(function: Any, program: Any, tensors: list[Any], steps: Any) -> str | None:
    """What differs at other sizes; nothing where all is as told, None where the kernel refuses them."""
    hints = _hints(program, tensors)
    names = sorted(hints)
    values = {name: hints[name] + steps[place % len(steps)] for place, name in enumerate(names)}
    given = []
    for node, each in zip(program.graph.placeholders[-len(tensors) :], tensors, strict=True):
        known: FakeTensor = node.meta["val"]
        shape = [_value(size, values) for size in known.size]
        given.append(tsc.from_numpy(np.resize(each.numpy(), shape)))
    try:
        program.module().check_arguments(*given)
        results = [e for e in tree_flatten(function(*given))[0] if isinstance(e, tsc.Tensor)]
    except (tsc.Error, ValueError):
        return None
    returned = [e.meta["val"] for e in program.graph.returned if hasattr(e, "meta")]
    told = [e for e in returned if isinstance(e, FakeTensor)]
    shapes = [[_value(size, values) for size in each.size] for each in told]
    if None in [size for shape in shapes for size in shape]:
        return None
    there = [list(each.shape) for each in results]
    return "" if shapes == there else f"tells {shapes} for {values}, and the kernel gives {there}"


def _hints(program: Any, tensors: list[Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for node, each in zip(program.graph.placeholders[-len(tensors) :], tensors, strict=True):
        for size, hint in zip(node.meta["val"].size, each.shape, strict=True):
            if isinstance(size, SymbolicExpression) and size.symbol is not None:
                found[size.symbol] = hint
    return found


def _value(size: Any, values: dict[str, int]) -> int | None:
    if not isinstance(size, SymbolicExpression):
        return size
    try:
        return size.value(values)
    except tsc.Error:
        return None


def main(wanted: list[str]) -> None:
    """Print what is fixed or wrong, and the counts."""
    total = kept = checked = wrong = 0
    for name in pytorch.entries():
        if wanted and name not in wanted:
            continue
        found = outcome(name)
        if found is None:
            continue
        for each in found.wrong:
            print(f"{name}: WRONG {each}", flush=True)
        wrong += bool(found.wrong)
        checked += bool(found.checked)
        if not found.kept and not found.fixed:
            print(f"{name}: refused {found.refused[0]}", flush=True)
            continue
        total += 1
        kept += bool(found.kept)
        if not found.kept:
            print(f"{name}: {found.fixed[0]}", flush=True)
    print(
        f"{kept} of {total} operators keep sizes ({kept / max(total, 1):.1%}); {checked} were run at other sizes, "
        f"{wrong} tell wrong ones"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
