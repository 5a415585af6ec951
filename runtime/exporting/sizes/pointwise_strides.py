"""Strides of what pointwise operators give, where dimensions of one element leave them open.

As PyTorch finds them (``TensorIterator``, PyTorch 2.13): dimensions are ordered by how those of the operands lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.sym_values import hint_of


def pointwise_strides(operands: Sequence[FakeTensor], result: FakeTensor) -> tuple[Any, ...] | None:
    """The strides, in elements, of a new tensor; None where they do not fit how it lies in this run."""
    sizes = result.size
    hints = list(map(hint_of, sizes))
    if result.stride is None or 1 not in hints or 0 in hints:
        return None
    if any(each.stride is None for each in operands):
        return None
    if all(list(map(hint_of, e.size)) == hints and _is_contiguous(e) for e in operands):
        order = list(reversed(range(len(sizes))))
    else:
        order = _order([_aligned(each, sizes) for each in operands], hints)
    found: list[Any] = [1] * len(sizes)
    for inner, outer in pairwise(order):
        found[outer] = found[inner] * sizes[inner]
    there = zip(hints, map(hint_of, found), map(hint_of, result.stride))
    return tuple(found) if all(own == lies for size, own, lies in there if size != 1) else None


def _is_contiguous(known: FakeTensor) -> bool:
    expected = 1
    for size, stride in zip(reversed(known.size), reversed(known.stride or ())):
        if hint_of(size) != 1 and hint_of(stride) != expected:
            return False
        expected *= hint_of(size)
    return True


def _aligned(known: FakeTensor, sizes: Sequence[Any]) -> list[int]:
    """The strides of an operand for the dimensions of the result: 0 for those that are repeated."""
    missing = len(sizes) - len(known.size)
    own = zip(known.size, known.stride or (), sizes[missing:])
    repeated = [
        0 if hint_of(size) == 1 and hint_of(whole) != 1 else hint_of(stride)
        for size, stride, whole in own
    ]
    return [0] * missing + repeated


def _order(strides: Sequence[Sequence[int]], sizes: Sequence[int]) -> list[int]:
    """The dimensions from the innermost one: sorted by insertion, as some cannot be compared."""
    order = list(reversed(range(len(sizes))))
    for start in range(1, len(order)):
        place = start
        for before in reversed(range(start)):
            compared = _compared(strides, sizes, order[before], order[place])
            if compared > 0:
                order[before], order[place] = order[place], order[before]
                place = before
            elif compared < 0:
                break
    return order


def _compared(
    strides: Sequence[Sequence[int]], sizes: Sequence[int], first: int, second: int
) -> int:
    """Positive where the first dimension is the outer one, negative where it is the inner one."""
    for each in strides:
        if 0 in (each[first], each[second]):
            continue
        if each[first] != each[second]:
            return each[first] - each[second]
        if sizes[first] > sizes[second]:
            return 1
    return 0
