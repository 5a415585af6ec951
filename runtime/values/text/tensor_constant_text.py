"""How graphs show constant tensors: one number in braces, few as PyTorch's C++ prints them, many as ``<Tensor>``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, COMPLEX, DTYPE_OF_NUMPY, FLOATING, scalar_name

_MOST_SHOWN = 10
_LINE = 80
_Cell = Callable[[float], str]


def constant_text(a: np.ndarray) -> str:
    """The text of a constant; lines of a matrix stand behind each other."""
    if a.dtype not in DTYPE_OF_NUMPY or a.size > _MOST_SHOWN:
        return "<Tensor>"
    if a.size == 1:
        return f"{{{_number(a.item(), CATEGORY[a.dtype])}}}"
    if CATEGORY[a.dtype] == COMPLEX:
        return "<Tensor>"
    kind = f"CPU{scalar_name(a.dtype)}Type"
    extents = ",".join(map(str, a.shape))
    lines = _lines(a.astype(np.float64)) if a.size else ()
    return "".join(f"{line} " for line in lines) + f"[ {kind}{{{extents}}} ]"


def _number(value: complex, category: int) -> str:
    if category == COMPLEX:
        number = complex(value)
        return f"({_general(number.real)},{_general(number.imag)})"
    return _general(float(value.real)) if category == FLOATING else str(int(value.real))


def _general(number: float) -> str:
    return f"{number:.6g}"


def _lines(a: np.ndarray) -> Iterator[str]:
    if a.ndim == 1:
        scale, _width, cell = _format(a)
        if scale != 1:
            yield f"{_general(scale)} *"
        yield from (cell(number / scale) for number in a.tolist())
    elif a.ndim == 2:
        yield from _matrix(a, "")
    else:
        outer = [range(extent) for extent in reversed(a.shape[:-2])]
        for number, counters in enumerate(product(*outer)):
            place = tuple(reversed(counters))
            if number:
                yield ""
            yield f"({','.join(str(each + 1) for each in place)},.,.) ="
            yield from _matrix(a[place], " ")


def _matrix(a: np.ndarray, indent: str) -> Iterator[str]:
    """The rows, or groups of their columns where they are too wide for a line."""
    scale, width, cell = _format(a)
    columns = (_LINE - len(indent)) // (width + 1)
    for first in range(0, a.shape[1], columns):
        last = min(first + columns, a.shape[1])
        head = indent if first == 0 else ""
        if columns < a.shape[1]:
            if first:
                yield ""
            head += f"Columns {first + 1} to {last}{indent}"
        if scale != 1:
            yield f"{head}{_general(scale)} *"
            head = indent
        for number, row in enumerate(a[:, first:last].tolist()):
            lead = head if number == 0 else indent + (" " if scale != 1 else "")
            yield lead + " ".join(cell(each / scale) for each in row)


def _format(a: np.ndarray) -> tuple[float, int, _Cell]:
    """What numbers are divided by, how wide they are, and how one is written."""
    finite = a[np.isfinite(a)]
    smallest, largest = _digits(finite, min), _digits(finite, max)
    if (finite == np.ceil(finite)).all():
        if largest > 9:
            return 1, 11, _right(11, ".4e")
        return 1, largest + 1, _right(largest + 1, ".6g")
    if largest - smallest > 4:
        width = 12 if abs(largest) > 99 or abs(smallest) > 99 else 11
        return 1, width, _right(width, ".4e")
    if largest > 5 or largest < 0:
        return 10.0 ** (largest - 1), 7, _right(7, ".4f")
    width = 7 if largest == 0 else largest + 6
    return 1, width, _right(width, ".4f")


def _digits(finite: np.ndarray, choose: Callable[[list[float]], float]) -> int:
    """How many digits the smallest or largest magnitude has before the point."""
    magnitudes: list[float] = np.abs(finite).tolist()
    chosen = choose(magnitudes) if magnitudes else 1.0
    return math.floor(math.log10(chosen)) + 1 if chosen else 1


def _right(width: int, form: str) -> _Cell:
    return lambda number: f"{number:{form}}".rjust(width)
