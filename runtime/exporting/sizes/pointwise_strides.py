"""Strides of what pointwise operators give, where dimensions of one element leave them open.

As PyTorch finds them (``TensorIterator``, PyTorch 2.13): dimensions are ordered by how those of the operands lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.sym_values import hint_of
from tsc.runtime.arrays.memory_layout import order_of_dimensions


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
        order = order_of_dimensions(tuple(hints), [_of_this_run(each) for each in operands])
    found: list[Any] = [1] * len(sizes)
    for inner, outer in pairwise(order):
        found[outer] = found[inner] * sizes[inner]
    there = zip(hints, map(hint_of, found), map(hint_of, result.stride))
    return tuple(found) if all(own == lies for size, own, lies in there if size != 1) else None


def _of_this_run(known: FakeTensor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(map(hint_of, known.size)), tuple(map(hint_of, known.stride or ()))


def _is_contiguous(known: FakeTensor) -> bool:
    expected = 1
    for size, stride in zip(reversed(known.size), reversed(known.stride or ())):
        if hint_of(size) != 1 and hint_of(stride) != expected:
            return False
        expected *= hint_of(size)
    return True
