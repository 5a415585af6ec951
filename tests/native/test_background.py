"""Code that is made while the program goes on, and processes that end or fork meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.well_known_programs import PRIMES
from tsc.runtime.native.code.background import Background, Making

ROOT = Path(__file__).parents[2]


def _waited_for(making: Making[int]) -> int | None:
    end = time.monotonic() + 30
    while not making.is_over and time.monotonic() < end:
        time.sleep(0.001)
    return making.made


def test_what_is_wanted_is_made_in_another_thread() -> None:
    background = Background()
    making = background.begin(threading.get_ident)
    assert _waited_for(making) not in (None, threading.get_ident())


def test_at_once_it_is_made_by_whoever_wants_it() -> None:
    background = Background()
    assert background.begin(threading.get_ident, at_once=True).made == threading.get_ident()
    background.is_immediate = True
    assert background.begin(threading.get_ident).made == threading.get_ident()


def test_until_then_there_is_nothing_and_errors_come_to_who_asks() -> None:
    background, going_on = Background(), threading.Event()

    def fail() -> int:
        going_on.wait(30)
        raise LookupError("nothing to make it of")

    failing = background.begin(fail)
    assert failing.made is None
    assert not failing.is_over
    following = background.begin(lambda: 3)
    going_on.set()
    with pytest.raises(LookupError):
        _waited_for(failing)
    assert _waited_for(following) == 3


PROGRAM = f"""
import os, sys, time
import tsc
unit = tsc.CompilationUnit('''{PRIMES}''')
def busy(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        assert unit.primes(3000) == 430
"""


def _ran(program: str) -> str:
    pytest.importorskip("llvmlite")
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "build"), TSC_NATIVE_CACHE="off")
    command = [sys.executable, "-c", PROGRAM + program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("seconds", [0.03, 0.08, 0.15, 0.3])
def test_a_process_may_end_while_code_is_made(seconds: float) -> None:
    assert _ran(f"busy({seconds}); print('done')") == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("seconds", [0.03, 0.1, 0.3])
def test_a_child_makes_its_own(seconds: float) -> None:
    program = f"""
busy({seconds})
child = os.fork()
if child == 0:
    busy(0.5)
    print('child')
    sys.exit()
assert os.waitpid(child, 0)[1] == 0
busy(0.1)
print('parent')
"""
    assert sorted(_ran(program).split()) == ["child", "parent"]


def test_a_loop_is_handed_over_while_it_runs() -> None:
    program = """
found = unit.primes(4_000_000)
print(found)
from tsc.runtime.native.regions import regions
print('tsc.runtime.native.code.engine' in sys.modules)
"""
    assert _ran(program).split() == ["283146", "True"]
