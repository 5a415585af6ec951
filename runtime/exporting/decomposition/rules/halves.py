"""float16 and bfloat16 are computed in float32, as PyTorch's decompositions say it."""

from __future__ import annotations

from functools import wraps
from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor
from tsc.runtime.exporting.decomposition.rules.forms import FLOAT32, HALVES
from tsc.runtime.exporting.decomposition.table import Rule


def in_float32(rule: Rule) -> Rule:
    """A rule whose tensors of two bytes are converted before it, and its result behind it."""

    @wraps(rule)
    def converted(call: Calls, x: Any, *values: Any) -> Any:
        if x.code not in HALVES:
            return rule(call, x, *values)
        wide = [_wide(call, each) for each in (x, *values)]
        return call("_to_copy", rule(call, *wide), dtype=x.code)

    return converted


def _wide(call: Calls, value: Any) -> Any:
    if isinstance(value, FunctionalTensor) and value.code in HALVES:
        return call("_to_copy", value, dtype=FLOAT32)
    return value
