"""Our own reader of pickles: a loop over opcodes with a budget, which calls nothing that is named in them.

Python's pickle imports and calls whatever the data say. Here data become data: see `records`. Time and memory
are bounded by `Limits`, whatever the bytes are.
"""

from __future__ import annotations

from typing import Any

from tsc.runtime.serialization.errors import DAMAGED, ArchiveError
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_machine import PickleMachine
from tsc.runtime.serialization.pickle_operations import OPERATIONS
from tsc.runtime.serialization.pickle_structure import check_structure


def read_pickle(content: memoryview | bytes, *, limits: Limits = DEFAULT_LIMITS) -> Any:
    """The value of a pickle, which must end where `content` ends.

    Raises:
        ArchiveError: it is damaged, exceeds a limit, or is more than data (`RefusedName`).
    """
    value, end = read_pickle_prefix(content, limits=limits)
    if end != len(content):
        raise ArchiveError(f"{len(content) - end} bytes follow the pickle", hint=DAMAGED)
    return value


def read_pickle_prefix(
    content: memoryview | bytes, start: int = 0, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[Any, int]:
    """The value of the pickle at `start`, and where it ends: files of old have several in a row."""
    machine = _Reader(memoryview(content), start, limits)
    value = machine.run()
    check_structure(value, limits)
    return value, machine.position


class _Reader(PickleMachine):
    __slots__ = ()

    operations = OPERATIONS
