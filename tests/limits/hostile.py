"""Commands and programs of their own processes, measured: hostile input ends in one clear error, soon and small."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import work

MOST_SECONDS = 5.0
"""Of the processor."""
MOST_MEMORY = 256 << 20
HARD_SECONDS = 8
HARD_MEMORY = (
    3 << 30
)  # of addresses: what asks for more at once is refused by the system, as on a small machine


@dataclass(frozen=True)
class Ended:
    """How a process ended, and what it took."""

    status: int
    output: str
    errors: str
    seconds: float
    memory: int

    def check_clear(self) -> None:
        """It failed with an error of tsc that names no bug, within the bounds."""
        told = f"{self.status} after {self.seconds:.1f} s, {self.memory >> 20} MB\n{self.errors[-2000:]}"
        assert self.status in (1, 2), told
        self.check_calm()
        assert self.errors or self.output, told

    def check_calm(self) -> None:
        """It kept within the bounds and named no bug, whether it failed or not."""
        told = f"{self.status} after {self.seconds:.1f} s, {self.memory >> 20} MB\n{self.errors[-2000:]}"
        assert self.status in (0, 1, 2), told
        assert "this is a bug of tsc" not in self.errors, told
        assert "Traceback (most recent call last)" not in self.errors, told
        assert len(self.errors) < 100_000, told[:500]
        assert self.seconds < MOST_SECONDS, told
        assert self.memory < MOST_MEMORY, told


_MEASURED = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, ({HARD_SECONDS}, {HARD_SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({HARD_MEMORY}, {HARD_MEMORY}))
child = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[2:]], os.environ)
status, usage = os.wait4(child, 0)[1:]
with open(sys.argv[1], "w") as told:
    print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, file=told)
"""
"""Runs Python and tells how it ended. It stands between, because what a process begins with counts as its memory,
and that of the tests is large.
"""


def run(arguments: Sequence[str], stdin: int = subprocess.DEVNULL) -> Ended:
    """Run Python with these arguments, and measure it."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.NamedTemporaryFile() as told:
        process = subprocess.run(
            [sys.executable, "-S", "-c", _MEASURED, told.name, *arguments],
            stdin=stdin,
            capture_output=True,
            env=environment,
            check=True,
        )
        status, seconds, memory = told.read().decode().split()
    texts = (text.decode("utf-8", "replace") for text in (process.stdout, process.stderr))
    return Ended(int(status), *texts, float(seconds), int(memory))


def command(*arguments: str, stdin: int = subprocess.DEVNULL) -> Ended:
    """Run `tsc` with these arguments."""
    return run(["-m", "tsc", *arguments], stdin)


def api(program: str) -> Ended:
    """Run a program that imports tsc; an error of tsc that it raises is told as the command line tells it."""
    told = (
        "import sys, tsc\ntry:\n"
        + "".join(f"    {line}\n" for line in program.splitlines())
        + "except tsc.Error as error:\n    print(str(error), file=sys.stderr)\n    sys.exit(1)\n"
    )
    return run(["-c", told])


def some(cases: Sequence[str]) -> list[str]:
    """Every fifth of the cases, in another order for each list; all of them under ``-m slow``."""
    return list(cases) if work.whole_size else list(cases)[2::5]


def written(folder: Path, name: str, text: str) -> str:
    """A file with a text; its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
