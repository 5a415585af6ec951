"""Tensors as PyTorch's C++ side writes them, which is what ``print`` in a program shows: rows in
columns.

1  1 1  1 [ CPUFloatType{2,2} ]
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from tsc.runtime.values.tensor import Tensor

_LINE_WIDTH = 80

Write = Callable[[float], str]


def format_columns(tensor: Tensor) -> str:
    """The text of a tensor, its type and sizes in the last line."""
    values = tensor.array
    sizes = ",".join(map(str, values.shape))
    return f"{''.join(_lines(values))}[ CPU{tensor.dtype.scalar_name}Type{{{sizes}}} ]"


def _lines(values: np.ndarray) -> Iterator[str]:
    if values.size == 0:
        return
    if values.ndim == 0:
        yield f"{_plain(values.item())}\n"
    elif values.ndim == 1:
        scale, write = _format(values)
        if scale != 1:
            yield f"{scale:.15g} *\n"
        yield from (f"{write(value / scale)}\n" for value in _floats(values))
    elif values.ndim == 2:
        yield from _matrix(values, "")
    else:
        yield from _slices(values)


def _slices(values: np.ndarray) -> Iterator[str]:
    """The matrices of a larger tensor, the first index moving fastest."""
    outer = [range(size) for size in reversed(values.shape[:-2])]
    for number, reversed_index in enumerate(itertools.product(*outer)):
        index = tuple(reversed(reversed_index))
        if number:
            yield "\n"
        yield f"({''.join(f'{position + 1},' for position in index)}.,.) = \n"
        yield from _matrix(values[index], " ")


def _matrix(values: np.ndarray, indent: str) -> Iterator[str]:
    """Rows; as many columns at a time as fit on a line."""
    scale, write = _format(values)
    width = len(write(1.0))
    rows = [[write(value / scale) for value in _floats(row)] for row in values]
    count = max((_LINE_WIDTH - len(indent)) // (width + 1), 1)
    columns = values.shape[1]
    between_rows = f"\n{indent}" if scale == 1 else f"\n{indent} "
    for first in range(0, columns, count):
        last = min(first + count, columns)
        if count < columns:
            newline = "\n" if first else ""
            yield f"{newline}Columns {first + 1} to {last}{indent}"
        if scale != 1:
            yield f"{scale:.15g} *\n{indent}"
        yield between_rows.join(" ".join(row[first:last]) for row in rows) + "\n"


def _floats(values: np.ndarray) -> Iterator[float]:
    return (complex(value).real for value in values)


def _plain(value: complex) -> str:
    """A single number as a float64 in its shortest form. Imaginary parts are left out, as PyTorch does."""
    number = complex(value).real
    if number != number:
        return "-nan" if math.copysign(1.0, number) < 0 else "nan"
    return repr(number).removesuffix(".0")


def _format(values: np.ndarray) -> tuple[float, Write]:
    """What all values are divided by, and how they are written in columns of one width."""
    numbers = [complex(value).real for value in values.ravel()]
    finite = [abs(number) for number in numbers if math.isfinite(number)]
    largest, smallest = _exponent(max(finite, default=10.0)), _exponent(min(finite, default=10.0))
    if all(number == math.ceil(number) for number in numbers if math.isfinite(number)):
        if largest > 9:
            return 1.0, _scientific(11)
        return 1.0, _general(largest + 1)
    if largest - smallest > 4:
        return 1.0, _scientific(12 if max(abs(largest), abs(smallest)) > 99 else 11)
    if largest > 5 or largest < 0:
        return 10.0 ** (largest - 1), _fixed(7)
    return 1.0, _fixed(7 if largest == 0 else largest + 6)


def _exponent(value: float) -> int:
    """The number of digits in front of the point."""
    return math.floor(math.log10(value)) + 1 if value else 1


def _scientific(width: int) -> Write:
    return lambda value: f"{value:.4e}".rjust(width)


def _fixed(width: int) -> Write:
    return lambda value: f"{value:.4f}".rjust(width)


def _general(width: int) -> Write:
    return lambda value: f"{value:g}".rjust(width)
