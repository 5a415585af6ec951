"""Transposed convolutions by native code, as convolutions: one for each phase of the strides.

The results at every so many places, a *phase*, see every so many elements of the kernel, in reverse. All of them
together are an ordinary convolution of the input, so nothing is summed up in memory.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tsc.runtime.context.native_hooks import native_planes
from tsc.runtime.numerics.neural.convolving import convolve

_MOST_PHASES: Final = 4
"""Of rows that native code puts between each other."""
_PLACES_WORTH_ORDER: Final = 256
"""For so many, the weights of an output are put side by side first: they are read several times."""


@dataclass(frozen=True, slots=True)
class _Phase:
    """Of one axis: the results, the elements of the kernel that they see, and where the first one's window begins."""

    results: slice
    count: int
    elements: slice
    size: int
    dilation: int
    begin: int

    def is_apart(self, extent: int) -> bool:
        """Whether no result sees an element of the input through one of the kernel."""
        before, after = self.margins(extent)
        return self.size == 0 or max(0, -before) >= extent - max(0, -after)

    def margins(self, extent: int) -> tuple[int, int]:
        """Elements before and after the input that windows reach over; less than zero are left out of it."""
        end = self.begin + self.count + (self.size - 1) * self.dilation
        return -self.begin, end - extent


def convolve_by_phases(
    a: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    counts: Sequence[int],
) -> np.ndarray:
    """(batch, channels, *extents) with (channels, outputs / groups, *kernel), to `counts` results, plus a number for
    each output.
    """
    outputs = weight.shape[1] * groups
    kernel = weight.shape[2:]
    grouped = weight.reshape(groups, -1, *weight.shape[1:]).swapaxes(1, 2)
    turned = grouped.reshape(outputs, -1, *kernel)
    if a.size // a.shape[1] >= _PLACES_WORTH_ORDER:
        turned = np.ascontiguousarray(turned)
    result = np.empty((len(a), outputs, *counts), a.dtype)
    axes = [
        list(_phases(*each)) for each in zip(kernel, stride, padding, dilation, counts, strict=True)
    ]
    for outer in itertools.product(*axes[:-1]):
        parts = [_part(a, turned, bias, (*outer, each), groups) for each in axes[-1]]
        rows = result[(..., *(each.results for each in outer), slice(None))]
        if 1 < len(parts) <= _MOST_PHASES:
            native_planes().put_between(parts, rows)
            continue
        for phase, part in zip(axes[-1], parts):
            rows[..., phase.results] = part
    return result


def _part(
    a: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    phases: Sequence[_Phase],
    groups: int,
) -> np.ndarray:
    """The results of one phase of each axis."""
    if any(each.is_apart(extent) for each, extent in zip(phases, a.shape[2:])):
        part = np.zeros((len(a), len(weight), *(each.count for each in phases)), a.dtype)
        return part if bias is None else part + bias.reshape(-1, *(1,) * len(phases))
    seen = weight[(..., *(each.elements for each in phases))]
    turned = np.flip(seen, tuple(range(2, seen.ndim)))
    return _convolved(a, turned, bias, phases, groups)


def _phases(size: int, stride: int, padding: int, dilation: int, count: int) -> Iterator[_Phase]:
    """The phases of an axis that have results."""
    common = math.gcd(stride, dilation)
    for residue in range(min(stride, count)):
        place = residue + padding
        turn = place % stride
        found = [k for k in range(size) if k * dilation % stride == turn]
        step = stride // common
        first = found[0] if found else 0
        reach = (len(found) - 1) * (dilation // common)
        yield _Phase(
            slice(residue, None, stride),
            len(range(residue, count, stride)),
            slice(first, None, step),
            len(found),
            dilation // common,
            place // stride - (first * dilation - turn) // stride - reach,
        )


def _convolved(
    a: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    phases: Sequence[_Phase],
    groups: int,
) -> np.ndarray:
    extents = a.shape[2:]
    margins = [each.margins(extent) for each, extent in zip(phases, extents)]
    inner = tuple(
        slice(max(0, -before), extent - max(0, -after))
        for (before, after), extent in zip(margins, extents)
    )
    around = [(max(0, before), max(0, after)) for before, after in margins]
    ones, dilation = [1] * len(phases), [each.dilation for each in phases]
    return convolve(a[(..., *inner)], weight, ones, around, dilation, groups, bias)
