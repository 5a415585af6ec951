"""How PyTorch writes plain values in schemas, types and the IR: ``1.``, ``0.10000000000000001``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

_LARGEST_WHOLE = 1e10


def float_text(value: float) -> str:
    """A whole number as ``2.``, any other with the 17 digits that tell it from its neighbours."""
    if math.isfinite(value) and abs(value) < _LARGEST_WHOLE and value.is_integer():
        return f"{value:.0f}."
    return f"{value:.17g}"


def complex_text(value: complex) -> str:
    """Zeros lose their sign in it."""
    sign = "+" if value.imag >= 0 else "-"
    return f"{float_text(value.real or 0.0)}{sign}{float_text(abs(value.imag))}j"


def literal_text(value: object) -> str:
    """A plain value, or a list or tuple of them; strings are not quoted."""
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, complex):
        return complex_text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(literal_text, cast(Sequence[object], value)))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal_text, cast(Sequence[object], value)))})"
    return str(value)
