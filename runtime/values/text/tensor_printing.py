"""Tensors as text, the way PyTorch prints them with its default options.

Facts kept: four digits after the point; whole numbers print with a bare point; scientific notation
where the ratio of magnitudes passes 1000, or a number passes 1e8 or falls below 1e-4; tensors of
more than 1000 elements show three items at each edge; lines are 80 characters wide.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import BOOL, COMPLEX_FLOAT, DEFAULT_DTYPE, DTYPE_OF_NUMPY, LONG

PRECISION = 4
THRESHOLD = 1000
EDGE_ITEMS = 3
LINE_WIDTH = 80
SILENT_DTYPES = frozenset({DEFAULT_DTYPE, COMPLEX_FLOAT, LONG, BOOL})
"""Dtypes that a reader may take for granted."""


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How the elements of one tensor are written: `write` each, and pad to `width`."""

    width: int
    write: Callable[[float], str]

    def __call__(self, number: float) -> str:
        return self.write(number).rjust(self.width)


def _write_whole(number: float) -> str:
    text = f"{number:.0f}"
    return f"{text}." if math.isfinite(number) else text


def _write_fixed(number: float) -> str:
    return f"{number:.{PRECISION}f}"


def _write_scientific(number: float) -> str:
    return f"{number:.{PRECISION}e}"


def _number_format(a: np.ndarray) -> NumberFormat:
    """The format that suits all elements of `a`, which is real."""
    if a.dtype.kind != "f":
        return NumberFormat(max((len(str(x)) for x in a.reshape(-1).tolist()), default=1), str)
    numbers = a.astype(np.float64).reshape(-1)
    numbers = numbers[np.isfinite(numbers) & (numbers != 0)]
    if not numbers.size:
        return NumberFormat(1, _write_whole)
    write = _suitable_writer(numbers)
    return NumberFormat(max(len(write(x)) for x in numbers.tolist()), write)


def _suitable_writer(numbers: np.ndarray) -> Callable[[float], str]:
    magnitudes = np.abs(numbers)
    low, high = float(magnitudes.min()), float(magnitudes.max())
    whole = bool((numbers == np.ceil(numbers)).all())
    if high / low > 1000.0 or high > 1.0e8 or (not whole and low < 1.0e-4):
        return _write_scientific
    return _write_whole if whole else _write_fixed


def _summarized(a: Array) -> Array:
    """The elements of `a` that a summary shows."""
    for axis, extent in enumerate(a.shape):
        if extent > 2 * EDGE_ITEMS:
            edges = [*range(EDGE_ITEMS), *range(extent - EDGE_ITEMS, extent)]
            a = a[(slice(None),) * axis + (edges,)]  # np.take would copy all of an expanded one
    return a


def _element_writer(a: Array, summarize: bool) -> tuple[int, Callable[[Any], str]]:
    """The width of an element of `a`, and the function that writes one."""
    shown = _summarized(a) if summarize else a
    if a.dtype.kind != "c":
        number_format = _number_format(shown)
        return number_format.width, number_format
    real, imaginary = _number_format(shown.real), _number_format(shown.imag)

    def write(number: complex) -> str:
        imaginary_text = imaginary(number.imag).lstrip() + "j"
        sign = "" if imaginary_text[0] in "+-" else "+"
        return real(number.real) + sign + imaginary_text

    return real.width + imaginary.width + 1, write


@dataclass(frozen=True, slots=True)
class _Layout:
    """What the nested brackets of one tensor have in common."""

    element_width: int
    write: Callable[[Any], str]
    summarize: bool

    def text(self, a: np.ndarray, indent: int) -> str:
        if a.ndim == 0:
            return self.write(a.item())
        if a.ndim == 1:
            return self._row(a, indent)
        parts = [self.text(part, indent + 1) for part in self._shown(a)]
        if self._shortens(a):
            parts.insert(EDGE_ITEMS, "...")
        separator = "," + "\n" * (a.ndim - 1) + " " * (indent + 1)
        return "[" + separator.join(parts) + "]"

    def _row(self, a: np.ndarray, indent: int) -> str:
        elements = [self.write(number) for number in self._shown(a).tolist()]
        if self._shortens(a):
            elements.insert(EDGE_ITEMS, " ...")
        per_line = max(1, (LINE_WIDTH - indent) // (self.element_width + 2))
        starts = range(0, len(elements), per_line)
        lines = [", ".join(elements[start : start + per_line]) for start in starts]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"

    def _shortens(self, a: np.ndarray) -> bool:
        return self.summarize and len(a) > 2 * EDGE_ITEMS

    def _shown(self, a: np.ndarray) -> np.ndarray:
        if not self._shortens(a):
            return a
        return np.concatenate([a[:EDGE_ITEMS], a[-EDGE_ITEMS:]])


def _contents(a: np.ndarray, indent: int) -> str:
    if a.size == 0:
        return "[]"
    if a.dtype.kind == "V" or a.dtype == np.float16:
        a = a.astype(np.float32)
    summarize = a.size > THRESHOLD
    width, write = _element_writer(a, summarize)
    return _Layout(width, write, summarize).text(a, indent)


def format_tensor(a: np.ndarray, *, requires_grad: bool, grad_fn: str | None = None) -> str:
    """``tensor([1., 2.])``, with what is not taken for granted: dtype, size, requires_grad or the step that gave it."""
    prefix = "tensor("
    suffixes: list[str] = []
    if a.size == 0 and a.ndim != 1:
        suffixes.append(f"size={a.shape}")
    if a.dtype not in SILENT_DTYPES or (a.size == 0 and a.dtype is not DEFAULT_DTYPE):
        suffixes.append(f"dtype={DTYPE_OF_NUMPY[a.dtype]!r}")
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(prefix + _contents(a, len(prefix)), suffixes, len(prefix)) + ")"


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """`text` and its suffixes, each on a new line where the last one is full."""
    column = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if column + len(suffix) + 2 > LINE_WIDTH:
            text += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text
