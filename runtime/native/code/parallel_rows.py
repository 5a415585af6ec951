"""Parts of a kernel's first axis on several processors. Which part computes an element makes no difference to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tsc.runtime.arrays.blas_threads import get_num_kernel_threads
from tsc.runtime.context.task_threads import TASK_THREADS
from tsc.runtime.native.code.team import present_team

_ELEMENTS_OF_THREAD: Final = 1 << 16
"""What keeps a thread busy for longer than it takes to wake it."""
_LINE: Final = 64
_ELEMENTS_OF_AWAKE: Final = 1 << 13
"""What keeps one busy that need not be woken for longer than it takes to tell it."""


@dataclass(frozen=True, slots=True)
class WithScratch:
    """A kernel with memory of its own for each thread, of so many bytes, in the place of numbers."""

    kernel: Any
    bytes: int


def worthwhile_parts(extent: int, elements: int) -> int:
    """How many threads to take for so many elements; forked tasks share the processors."""
    wanted = min(extent, elements // _ELEMENTS_OF_AWAKE)
    if wanted < 2:
        return 1
    wanted = min(wanted, get_num_kernel_threads() // max(TASK_THREADS.busy, 1))
    if wanted < 2:
        return 1
    team = present_team()
    if team is None:
        return 1
    if not team.is_awake():
        wanted = min(wanted, elements // _ELEMENTS_OF_THREAD)
    return max(1, wanted)


def run_in_parts(
    kernel: Any,
    pointers: int,
    layout: int,
    extent: int,
    numbers: int,
    parts: int,
    cuts: int = 1,
) -> None:
    """Calls a kernel, on as many threads as there are parts; each part is cut so often that threads that are late take
    less of them.
    """
    function, scratch = kernel, 0
    if isinstance(kernel, WithScratch):
        function, scratch = kernel.kernel, -(-kernel.bytes // _LINE) * _LINE
    team = present_team() if parts > 1 else None
    if team is not None:
        threads = min(parts, team.size)
        memory = np.empty(scratch * threads, np.uint8) if scratch else None
        given = numbers if memory is None else memory.ctypes.data
        task = (pointers, layout, extent, min(parts * cuts, extent), given, scratch)
        if threads > 1 and team.run(function, task, threads):
            return
    memory = np.empty(scratch, np.uint8) if scratch else None
    function(pointers, layout, 0, extent, numbers if memory is None else memory.ctypes.data)
