"""What a pointwise operator computes of single elements, as data: kernels are made from it, and so can
fused kernels, native code and gradients be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any


class Promotion(Enum):
    """The dtype in which elements are computed."""

    MEETING = "meeting"
    """The one in which the operands meet, which is that of the result, too."""
    FLOATING = "floating"
    """The same, but integers are taken to the default dtype first."""
    TRUTH = "truth"
    """They are computed in the dtype in which they meet; the result is a truth value."""
    NUMBERS = "numbers"
    """They are no tensors, but values of Python: ints are exact first, and wrap around to 64 bits."""


@dataclass(frozen=True, slots=True)
class ScalarExpression:
    """One function of the operands, or a text of several.

    ``function`` takes whole arrays as well as it takes elements; it means nothing to the compiler.
    ``text`` is TorchScript over the names of the schema's arguments, in terms of other pointwise
    operators: ``self * sigmoid(self)``. At least one of them is there.
    """

    promotion: Promotion
    function: Callable[..., Any] | None = None
    text: str | None = None
