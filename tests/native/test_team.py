"""A team of threads: each part of a kernel is computed once, whoever comes late, sleeps, or leads meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tsc.runtime.native.code import parallel_rows
from tsc.runtime.native.code import team as team_module
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts
from tsc.runtime.native.code.team import Team, present_team

_COUNTING = """
define void @count(ptr %counts, ptr %layout, i64 %begin, i64 %end, ptr %numbers) {
entry:
  br label %turn
turn:
  %i = phi i64 [ %begin, %entry ], [ %next, %turn ]
  %at = getelementptr i64, ptr %counts, i64 %i
  %before = load i64, ptr %at
  %after = add i64 %before, 1
  store i64 %after, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %turn, label %done
done:
  ret void
}

define void @mark(ptr %places, ptr %layout, i64 %begin, i64 %end, ptr %memory) {
  store i64 1, ptr %memory
  %at = getelementptr i64, ptr %places, i64 %begin
  %place = ptrtoint ptr %memory to i64
  store i64 %place, ptr %at
  ret void
}
"""
EXTENT = 1000


@pytest.fixture
def team(monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    """One of four threads, on a machine of however many processors."""
    made = Team(4)
    monkeypatch.setattr(parallel_rows, "present_team", lambda: made)
    yield made
    made.end()


def counted(counts: np.ndarray, threads: int, cuts: int) -> None:
    kernel = function_of(_COUNTING, "count")
    run_in_parts(kernel, counts.ctypes.data, 0, len(counts), 0, threads, cuts)


@pytest.mark.parametrize("threads", [1, 2, 3, 4, 9])
def test_each_part_is_computed_once(team: Team, threads: int) -> None:
    counts = np.zeros(EXTENT, np.int64)
    for turn in range(300):
        counted(counts, threads, 1 + turn % 7)
        if turn % 100 == 0:
            time.sleep(0.003)  # they fall asleep
    assert (counts == 300).all()


def test_whoever_leads_while_another_does_works_alone(team: Team) -> None:
    all_counts = [np.zeros(EXTENT, np.int64) for _ in range(4)]

    def lead(counts: np.ndarray) -> None:
        for _ in range(200):
            counted(counts, 4, 2)

    leaders = [threading.Thread(target=lead, args=(each,)) for each in all_counts]
    for each in leaders:
        each.start()
    for each in leaders:
        each.join()
    assert all((each == 200).all() for each in all_counts)


def test_each_thread_has_memory_of_its_own(team: Team) -> None:
    places = np.zeros(8, np.int64)
    kernel = WithScratch(function_of(_COUNTING, "mark"), 8)
    run_in_parts(kernel, places.ctypes.data, 0, 8, 0, 4, 2)
    assert (places != 0).all()
    assert len(set(places.tolist())) <= 4
    assert not any((places - places.min()) % 64)


def test_threads_fall_asleep_and_are_woken(team: Team) -> None:
    counted(np.zeros(EXTENT, np.int64), 4, 1)
    end = time.monotonic() + 30
    while team.is_awake() and time.monotonic() < end:
        time.sleep(0.001)
    assert not team.is_awake()
    counts = np.zeros(EXTENT, np.int64)
    counted(counts, 4, 1)
    assert (counts == 1).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.parametrize("is_late", [False, True])
def test_what_a_signal_raises_waits_for_all_parts(team: Team, is_late: bool) -> None:
    """Arrays would be let go of while others write to them."""
    functions, waited = team._functions, []

    def lead(address: int, looks: int) -> bool:
        functions.lead(address, 0)
        if not is_late:
            raise KeyboardInterrupt
        return False

    def wait(address: int, looks: int) -> bool:
        waited.append(looks)
        if len(waited) == 1:
            raise KeyboardInterrupt
        return bool(functions.wait(address, looks))

    team._functions = SimpleNamespace(lead=lead, wait=wait, looks=functions.looks)  # type: ignore[assignment]
    counts = np.zeros(20 * EXTENT, np.int64)
    with pytest.raises(KeyboardInterrupt):
        run_in_parts(function_of(_COUNTING, "count"), counts.ctypes.data, 0, len(counts), 0, 4, 5)
    assert (counts == 1).all() and len(waited) == 2
    team._functions = functions
    counted(counts, 4, 5)
    assert (counts == 2).all()


def test_a_child_has_a_team_of_its_own() -> None:
    program = f"""
import os, numpy as np
from tests.native.test_team import counted
from tsc.runtime.native.code import team
team._threads_of_process = lambda: 3
counts = np.zeros({EXTENT}, np.int64)
counted(counts, 3, 2)
child = os.fork()
counted(counts, 3, 2)
good = bool((counts == 2).all())
if not child:
    os._exit(0 if good else 1)
assert good and os.waitpid(child, 0)[1] == 0
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=120).returncode == 0


def test_there_is_no_team_for_one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    assert present_team() is present_team()
    monkeypatch.setattr(team_module, "_threads_of_process", lambda: 1)
    monkeypatch.setattr(team_module._PRESENT, "_team", None)
    assert present_team() is None
    counts = np.zeros(EXTENT, np.int64)
    counted(counts, 4, 2)
    assert (counts == 1).all()
