"""Recursion without Python's stack: functions that yield the calls they would make."""

from __future__ import annotations

from collections.abc import Generator

Steps = Generator["Steps", None, None]
"""What a function written this way returns; it yields one of these for each nested call."""


def run(steps: Steps) -> None:
    """Carry out a call and all calls nested in it, however deep they go."""
    pending = [steps]
    while pending:
        nested = next(pending[-1], None)
        if nested is None:
            pending.pop()
        else:
            pending.append(nested)
