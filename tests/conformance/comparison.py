"""Results of two implementations, described alike and compared: dtype, shape, values, structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RELATIVE = 1e-4
ABSOLUTE = 1e-5


@dataclass(frozen=True, eq=False)
class Described:
    """A tensor: the name of its dtype, and its values as an array (half kinds as float32)."""

    dtype: str
    values: np.ndarray

    def __str__(self) -> str:
        text = np.array2string(self.values, threshold=30, precision=6)
        return f"{self.dtype}{list(self.values.shape)} {text}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a script returned, and its tensor arguments afterwards."""

    result: Any
    arguments: list[Any]


def difference(expected: Any, got: Any, compare_values: bool = True) -> str | None:
    """What differs, or None. Tuples of any class equal tuples; a list is no tuple."""
    if isinstance(expected, Described) and isinstance(got, Described):
        return _tensor_difference(expected, got, compare_values)
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        return _sequence_difference(expected, got, compare_values)
    if type(expected) is not type(got):
        return f"a {_kind(got)} instead of a {_kind(expected)}"
    if not compare_values or _same_scalar(expected, got):
        return None
    return f"{got!r} instead of {expected!r}"


def _kind(value: Any) -> str:
    return "tensor" if isinstance(value, Described) else type(value).__name__


def _tensor_difference(expected: Described, got: Described, compare_values: bool) -> str | None:
    if expected.dtype != got.dtype:
        return f"dtype {got.dtype} instead of {expected.dtype}"
    if expected.values.shape != got.values.shape:
        return f"shape {list(got.values.shape)} instead of {list(expected.values.shape)}"
    if not compare_values:
        return None
    return _value_difference(expected.values, got.values)


def _value_difference(expected: np.ndarray, got: np.ndarray) -> str | None:
    if expected.dtype.kind in "fc":
        absolute = max(ABSOLUTE, _rounding(expected))
        same = np.isclose(got, expected, RELATIVE, absolute, equal_nan=True)
    else:
        same = np.asarray(got == expected)
    if same.all():
        return None
    place = tuple(int(index[0]) for index in np.nonzero(np.atleast_1d(~same)))
    wrong, right = np.atleast_1d(got)[place], np.atleast_1d(expected)[place]
    share = f"{int((~same).sum())} of {same.size} values"
    return f"{share} differ, first at {list(place)}: {wrong!r} instead of {right!r}"


def _rounding(expected: np.ndarray) -> float:
    """What the largest number may be off by its rounding alone.

    Small numbers beside it are what was left of sums of such.
    """
    magnitudes = np.abs(expected[np.isfinite(expected)])
    return float(np.finfo(expected.dtype).eps * magnitudes.max(initial=0))


def _sequence_difference(expected: Any, got: Any, compare_values: bool) -> str | None:
    if isinstance(expected, list) != isinstance(got, list):
        return f"a {_kind(got)} instead of a {_kind(expected)}"
    if len(expected) != len(got):
        return f"{len(got)} values instead of {len(expected)}"
    for index, (right, ours) in enumerate(zip(expected, got)):
        found = difference(right, ours, compare_values)
        if found is not None:
            return f"part {index}: {found}"
    return None


def _same_scalar(expected: Any, got: Any) -> bool:
    if isinstance(expected, (float, complex)):
        return bool(np.isclose(got, expected, RELATIVE, ABSOLUTE, equal_nan=True))
    return expected == got
