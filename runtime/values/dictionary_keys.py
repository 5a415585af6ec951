"""Keys of dictionaries that Python would take for others: a float that is NaN equals no key, not even
itself. (A complex number equals itself, in PyTorch too.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def apart(key: Any) -> Any:
    """A NaN as an object of its own, for Python finds the very object; other keys as they are."""
    return float("nan") if isinstance(key, float) and key != key else key


def from_pairs(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """The dictionary of these items, each NaN an item of its own."""
    return {apart(key): value for key, value in pairs}
