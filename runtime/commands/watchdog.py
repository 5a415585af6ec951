"""The end of a process whose program is stuck within one operator.

Between operators the interpreter looks at its limits, and Python at its signals. NumPy looks at
neither while it computes, so a thread does: it leaves what should stop a moment to do so, then ends
the process.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from tsc.runtime.commands.invocation import INTERRUPTED

_GRACE = 0.5  # seconds
_FAILED = 1  # the exit status of a program that was stopped


@contextmanager
def watchdog(max_seconds: float | None) -> Iterator[None]:
    """End the process when the ``with`` statement outlasts `max_seconds`, or an interruption.

    Signals reach the main thread only, so elsewhere this watches nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    previous = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=_watch, args=(receiver, max_seconds), daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(previous)
        sender.close()
        thread.join()
        receiver.close()


def _watch(receiver: socket.socket, max_seconds: float | None) -> None:
    """Read the numbers of the signals that arrive, until the other side is closed."""
    receiver.settimeout(None if max_seconds is None else max_seconds + _GRACE)
    reason, status = (f"stopped after {max_seconds:g} seconds" if max_seconds else ""), _FAILED
    try:
        while received := receiver.recv(1):
            if received[0] == signal.SIGINT:
                receiver.settimeout(_GRACE)
                reason, status = "Interrupted.", INTERRUPTED
    except TimeoutError:
        _end(reason, status)


def _end(reason: str, status: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.write(f"{reason}\n")
    sys.stderr.flush()
    os._exit(status)
