"""Work as a number that does not depend on the machine: how many calls an action makes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls_made(action: Callable[[], object]) -> int:
    """The number of calls, of Python and of C functions, that `action` makes."""
    count = 0

    def on_event(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(on_event)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


whole_size = False
"""Whether growth and hostile cases have their whole size: under ``-m slow``, which the conftest sees."""


def sized(whole: int) -> int:
    """The size of a case that is marked `slow`: a quarter of the whole one, unless ``-m slow`` asks for that."""
    return whole if whole_size else max(whole // 4, 1)
