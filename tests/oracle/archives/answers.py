"""Values of either implementation as JSON holds them, and their comparison."""

from __future__ import annotations

import math
from typing import Any

import tsc

_TOLERANCE = 1e-4


def described(value: Any) -> Any:
    """A value of PyTorch's or of tsc's, which differ in nothing that is asked for here."""
    if hasattr(value, "tolist"):
        numbers = value.detach().tolist() if hasattr(value, "detach") else value.tolist()
        return {"dtype": str(value.dtype), "sizes": list(value.shape), "values": plain(numbers)}
    if isinstance(value, dict):
        return {"dict": [[described(each) for each in item] for item in value.items()]}
    if isinstance(value, list | tuple):
        return [described(each) for each in value]
    return plain(value)


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if isinstance(value, int | float | str | None) else repr(value)


def argument(description: Any) -> Any:
    """The value for tsc that a description stands for."""
    if isinstance(description, list):
        return [argument(each) for each in description]
    if not isinstance(description, dict):
        return description
    if "dict" in description:
        return {argument(key): argument(value) for key, value in description["dict"]}
    dtype = getattr(tsc, description["dtype"].removeprefix("torch."))
    return tsc.tensor(description["values"], dtype=dtype)


def is_close(ours: Any, theirs: Any) -> bool:
    """Whether two descriptions are the same up to the rounding of floats."""
    if isinstance(theirs, float) and isinstance(ours, float):
        return math.isclose(ours, theirs, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(is_close, ours, theirs))
    if isinstance(theirs, dict) and isinstance(ours, dict):
        same = ours.keys() == theirs.keys()
        return same and all(is_close(ours[key], theirs[key]) for key in theirs)
    return type(ours) is type(theirs) and ours == theirs
