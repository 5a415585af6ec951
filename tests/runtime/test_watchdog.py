"""The watchdog ends a process that neither limits nor signals reach."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tsc.runtime.commands.watchdog import watchdog

ROOT = Path(__file__).parent.parent.parent
DEAF = "import signal; signal.signal(signal.SIGINT, lambda *_: None)\n"
STUCK = "import time\nfrom tsc.runtime.commands.watchdog import watchdog\n"


def started(text: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_too_long_ends_the_process() -> None:
    process = started(f"{STUCK}with watchdog(0.1):\n    print('said before')\n    time.sleep(30)")
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (
        1,
        "said before\n",
        "stopped after 0.1 seconds\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way")
def test_an_interruption_that_is_not_heard_ends_the_process() -> None:
    text = f"{DEAF}{STUCK}with watchdog(None):\n    print('ready', flush=True)\n    time.sleep(30)"
    process = started(text)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "Interrupted.\n")


def test_what_ends_in_time_is_left_alone() -> None:
    with watchdog(0.01):
        pass
    with watchdog(0.2):
        time.sleep(0.3)  # the deadline is missed by less than the grace
    before = signal.set_wakeup_fd(-1)
    assert before == -1
