"""Families of hostile files: what makes one of a value, and the values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Families = Mapping[str, tuple[Callable[[Any], bytes], Sequence[Any]]]
Case = tuple[str, Callable[[], bytes | str]]
"""The name of a file and what makes it."""


def cases_of(families: Families) -> Iterator[Case]:
    """The files of each family, one after another."""
    for family, (make, values) in families.items():
        for number, value in enumerate(values):
            yield f"{family} {number}", lambda make=make, value=value: make(value)
