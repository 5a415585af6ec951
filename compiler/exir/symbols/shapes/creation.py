"""Operators that make tensors of sizes that they are given."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.shapes.rules import Call, Size, Sizes, rule


@rule(
    "zeros", "ones", "empty", "full", "rand", "randn", "randint", "new_zeros", "new_ones", "new_empty", "new_full",
    "empty_strided",
)  # fmt: skip
def _of_size(call: Call) -> Sizes:
    return list(call.get("size"))


@rule("eye")
def _eye(call: Call) -> Sizes:
    rows = call.get("n")
    return [rows, call.get("m", rows)]


@rule("linspace", "logspace")
def _steps(call: Call) -> Sizes:
    return [call.get("steps")]


@rule("scalar_tensor")
def _scalar(call: Call) -> Sizes:
    return []


@rule("randperm")
def _permutation(call: Call) -> Sizes:
    return [call.get("n")]


@rule("arange")
def _arange(call: Call) -> Sizes:
    start, end, step = call.get("start", 0), call.get("end"), call.get("step", 1)
    if isinstance(step, int) and step == 1 and _is_zero(start):
        return [compute("math.ceil", end)]
    return [_count(end - start, step)]


def _is_zero(value: Any) -> bool:
    return isinstance(value, int | float) and value == 0


def _count(length: Size, step: Any) -> Size:
    if isinstance(step, float):
        return compute("math.ceil", compute("operator.truediv", length, step))
    is_one = isinstance(step, int) and step == 1
    return compute("math.ceil", length) if is_one else -((-length) // step)


@rule("multinomial")
def _drawn(call: Call) -> Sizes:
    return [*call.sizes("self")[:-1], call.get("num_samples")]
