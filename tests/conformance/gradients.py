"""Gradients over the samples of PyTorch's operator database, first and second order, against PyTorch's.

python -m tests.conformance.gradients [PATTERN ...] [--second] [--verbose]
"""

from __future__ import annotations

import argparse
import fnmatch
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

import tsc

from . import ours, pytorch
from .comparison import Described, difference
from .report import shortened
from .scripts import Sample, Script, scripts
from .verdicts import time_limit

SECONDS = 30
REQUIRED = 0.95
"""The share of the samples that must agree."""
PROCESSES = 2


@dataclass
class GradientVerdict:
    """What became of an operator's samples: how many were compared, and what differed."""

    name: str
    counted: int = 0
    differences: list[tuple[str, str]] = field(default_factory=list)


class NoGradients(Exception):
    """PyTorch gives none for a sample."""


def samples(name: str) -> Iterator[Sample]:
    """The samples of an operator in float64, those of which PyTorch has a gradient."""
    for entry in pytorch.entries()[name]:
        if not entry.supports_autograd or not entry.supports_dtype(torch.float64, "cpu"):
            continue
        operator = pytorch.described_operator(entry)
        torch.manual_seed(pytorch.SEED)
        np.random.seed(pytorch.SEED)
        drawn = entry.sample_inputs("cpu", torch.float64, requires_grad=True)
        while True:
            try:
                sample = next(drawn, None)
            except Exception:  # noqa: BLE001  a generator of samples may itself need an absent library
                break
            if sample is None:
                break
            yield Sample(operator, "torch.float64", sample.input, sample.args, sample.kwargs)


def _gradients(library: Any, function: Any, tensors: list[Any], second: bool) -> list[Any]:
    """Which results require gradients, and the gradients by the arguments; None for what is not used."""
    inputs = [tensor for tensor in tensors if tensor.requires_grad]
    results = [each for each in _tensors(function(*tensors)) if each.requires_grad]
    if not results:
        return [False]
    weights = [_weights(library, each) for each in results]
    found = library.autograd.grad(results, inputs, weights, create_graph=second, allow_unused=True)
    told = [True, *found]
    if second:
        firsts = [each for each in found if each is not None and each.requires_grad]
        weights = [_weights(library, each) for each in firsts]
        told += (
            library.autograd.grad(firsts, inputs, weights, allow_unused=True)
            if firsts
            else [None] * len(inputs)
        )
    return told


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [each for part in value for each in _tensors(part)]
    return [value] if hasattr(value, "requires_grad") else []


def _weights(library: Any, result: Any) -> Any:
    """Numbers that tell the elements of a result apart."""
    shape = tuple(result.shape)
    count = int(np.prod(shape))
    values = np.cos(np.arange(count, dtype=np.float64) * 0.7 + 0.3).reshape(shape)
    if "complex" in str(result.dtype):
        values = values + 1j * np.sin(np.arange(count) * 0.4 + 0.2).reshape(shape)
    array = values.astype(str(result.dtype).removeprefix("torch."))
    return library.from_numpy(np.ascontiguousarray(array).reshape(shape))


def _reference(script: Script, flags: Sequence[bool], second: bool) -> list[Any]:
    names: dict[str, Any] = dict(vars(pytorch))
    exec(script.text, names)
    tensors = [pytorch.copied(each.detach()) for each in script.tensors]
    for tensor, flag in zip(tensors, flags):
        tensor.requires_grad_(flag)
    torch.manual_seed(pytorch.SEED)
    try:
        found = _gradients(torch, names["f"], tensors, second)
    except Exception as error:  # noqa: BLE001  any failure of the reference is a refusal
        raise NoGradients(str(error)) from None
    if not found[0]:
        raise NoGradients("no result requires a gradient")
    return [pytorch.described(_dense_tensor(each)) for each in found]


def _dense_tensor(value: Any) -> Any:
    """Zeros that PyTorch keeps without memory, as usual ones."""
    if isinstance(value, torch.Tensor) and value._is_zerotensor():
        return torch.zeros(value.shape, dtype=value.dtype)
    return value


def _subject(script: Script, flags: Sequence[bool], second: bool, unit: ours.Subject) -> list[Any]:
    function = unit._function(script.text)
    if isinstance(function, ours.Failed):
        raise function
    tensors = [tsc.from_numpy(pytorch.array_of(each.detach())) for each in script.tensors]
    for tensor, flag in zip(tensors, flags):
        tensor.requires_grad = flag
    tsc.manual_seed(pytorch.SEED)
    return [ours.described(each) for each in _gradients(tsc, function, tensors, second)]


def verdict(arguments: tuple[str, bool]) -> GradientVerdict:
    """Compare all samples of an operator."""
    name, second = arguments
    made = GradientVerdict(name)
    unit = ours.Subject()
    for sample in samples(name):
        script = next(iter(scripts(sample, pytorch.is_tensor)), None)
        if script is None:
            continue
        flags = [bool(each.requires_grad) for each in script.tensors]
        try:
            expected = _reference(script, flags, second)
        except (NoGradients, pytorch.Refused):
            continue
        reason = _difference(script, flags, expected, second, unit)
        if reason == _NOT_COMPILED:
            continue
        made.counted += 1
        if reason is not None:
            made.differences.append((script.text, reason))
    return made


_NOT_COMPILED = "not compiled"


def _difference(
    script: Script, flags: Sequence[bool], expected: list[Any], second: bool, unit: ours.Subject
) -> str | None:
    try:
        with time_limit(SECONDS):
            got = _subject(script, flags, second, unit)
    except ours.Failed:
        return _NOT_COMPILED
    except TimeoutError:
        return f"not done in {SECONDS} s"
    except Exception as error:  # noqa: BLE001  a bug of tsc is a finding, not the end of the run
        return f"{type(error).__name__}: {ours.last_line(str(error))}"
    if len(expected) != len(got):
        return f"{len(got)} values instead of {len(expected)}"
    for index, (right, mine) in enumerate(zip(expected, got)):
        found = difference(_dense(right, mine), _dense(mine, right))
        if found is not None:
            return f"part {index}: {found}"
    return None


def _dense(value: Any, other: Any) -> Any:
    """Zeros for a gradient that is not there, where the other side has zeros."""
    if value is None and isinstance(other, Described) and not other.values.any():
        return other
    return value


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance.gradients", description=__doc__
    )
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--second", action="store_true", help="gradients of gradients, too")
    parser.add_argument("--verbose", action="store_true", help="show the scripts that differ")
    options = parser.parse_args()
    names = [
        name
        for name in pytorch.entries()
        if not options.patterns or any(fnmatch.fnmatchcase(name, p) for p in options.patterns)
    ]
    tasks = [(name, options.second) for name in names]
    found: list[GradientVerdict] = []
    for each in _verdicts(tasks):
        found.append(each)
        if each.differences:
            _tell(each, options.verbose)
    counted = sum(each.counted for each in found)
    differing = sum(len(each.differences) for each in found)
    print(f"{counted - differing} of {counted} samples agree")
    return 0 if differing <= (1 - REQUIRED) * counted else 1


def _verdicts(tasks: list[tuple[str, bool]]) -> Iterator[GradientVerdict]:
    """One for each operator, as soon as it is there."""
    if len(tasks) < 2 * PROCESSES:
        yield from map(verdict, tasks)
        return
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        yield from pool.imap(verdict, tasks, chunksize=4)


def _tell(found: GradientVerdict, verbose: bool) -> None:
    script, reason = found.differences[0]
    where = script.splitlines()[-1].strip().removeprefix("return ")
    share = f"{len(found.differences)}/{found.counted}"
    print(f"{found.name:36} {share:>9}  {shortened(where, 80)}: {shortened(reason)}", flush=True)
    if verbose:
        for text, why in found.differences:
            print(f"    {why}\n{text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
