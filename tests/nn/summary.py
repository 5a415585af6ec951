"""Values in short, as they are recorded: of a tensor its dtype, shape, a few elements and a weighted sum."""

from __future__ import annotations

import math
from typing import Any

SHOWN = 6
TOLERANCE = 2e-5


def summary(value: Any) -> Any:
    """`value` is of PyTorch or of tsc: both have tensors with the same methods."""
    if hasattr(value, "dtype"):
        flat = [float(each) for each in value.detach().reshape(-1).tolist()]
        weighted = sum(each * (1 + place % 7) for place, each in enumerate(flat))
        kind = str(value.dtype).removeprefix("torch.")
        return {
            kind: list(value.shape),
            "values": _rounded(flat[:SHOWN]),
            "sum": _rounded([weighted])[0],
        }
    if isinstance(value, list | tuple):
        return [summary(each) for each in value]
    return value


def _rounded(numbers: list[float]) -> list[float | str]:
    return [float(f"{each:.6g}") if math.isfinite(each) else str(each) for each in numbers]


def close(got: Any, expected: Any) -> bool:
    """Whether summaries are of the same values, up to rounding."""
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(
            close(got[each], expected[each]) for each in got
        )
    if isinstance(got, list) and isinstance(expected, list):
        return len(got) == len(expected) and all(map(close, got, expected))
    if isinstance(got, float | int) and isinstance(expected, float | int):
        return math.isclose(got, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return got == expected
