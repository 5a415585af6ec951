"""Parts of a kernel's first axis on several processors. Which part computes an element makes no difference to it."""

from __future__ import annotations

import functools
import os
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np

from tsc.runtime.arrays.blas_threads import get_num_threads
from tsc.runtime.context.task_threads import TASK_THREADS

_ELEMENTS_OF_THREAD: Final = 1 << 16
"""What keeps a thread busy for longer than it takes to wake it."""


def worthwhile_parts(extent: int, elements: int) -> int:
    """How many threads to take for so many elements; forked tasks share the processors."""
    wanted = min(extent, elements // _ELEMENTS_OF_THREAD)
    if wanted < 2:
        return 1
    return max(1, min(wanted, get_num_threads() // max(TASK_THREADS.busy, 1)))


def run_in_parts(
    kernel: Any, pointers: int, layout: int, extent: int, numbers: int, parts: int
) -> None:
    """Calls a kernel, on as many threads as there are parts."""
    ends = [extent * k // parts for k in range(parts + 1)]
    others: list[Future[None]] = [
        _pool(os.getpid()).submit(kernel, pointers, layout, begin, end, numbers)
        for begin, end in pairwise(ends[1:])
    ]
    kernel(pointers, layout, ends[0], ends[1], numbers)
    for each in others:
        each.result()


def with_scratch(kernel: Any, size: int) -> Any:
    """A kernel with memory of its own for each part, of so many bytes."""

    def with_scratch(pointers: int, layout: int, begin: int, end: int, _: int) -> None:
        memory = np.empty(size, np.uint8)
        kernel(pointers, layout, begin, end, memory.ctypes.data)

    return with_scratch


@functools.cache
def _pool(_process: int) -> ThreadPoolExecutor:
    """Threads of a process; a child that was forked has none of its parent's."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="tsc kernel")
