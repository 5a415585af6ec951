"""Names of nodes: Python identifiers, each given once, none that Python or generated code means something by."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Final

_WITH_NUMBER: Final = re.compile(r"(.*)_(\d+)")
_NOT_IN_NAMES: Final = re.compile(r"\W+", re.ASCII)
_TAKEN: Final = frozenset(
    {*dir(builtins), *keyword.kwlist, "self", "torch", "device", "inf", "nan", "NoneType"}
    | {"fx_pytree", "pytree"}
)


class Namespace:
    """The names of a graph."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._last_number: dict[str, int] = {}

    def new_name(self, candidate: str) -> str:
        """The candidate, or the candidate with the next number: ``add``, ``add_1``, ``add_2``; ``sum_1`` at once."""
        name = _identifier(candidate)
        match = _WITH_NUMBER.fullmatch(name)
        base, number = (match[1], int(match[2])) if match else (name, 0)
        if name in self._used:
            number = self._last_number.get(base, 0)
        if name in _TAKEN:
            number = self._last_number.get(base, 0) + 1
            name = f"{base}_{number}"
        while name in self._used:
            number += 1
            name = f"{base}_{number}"
        self._used.add(name)
        self._last_number[base] = number
        return name


def _identifier(candidate: str) -> str:
    name = _NOT_IN_NAMES.sub("_", candidate) or "_unnamed"
    return f"_{name}" if name[0].isdigit() else name
