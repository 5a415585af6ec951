"""Forked tasks: they run beside each other, wait without holding a thread, and give their errors to who waits."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Generator

import pytest

import tsc
from tsc.runtime.context.task_threads import TASK_THREADS, TaskThreads

PROGRAM = """
from typing import List, Tuple
import torch
from torch import Tensor


def spin(x: int) -> int:
    while True:
        x += 1
    return x


def doubled(x: Tensor) -> Tensor:
    return x * 2


def refused(x: int) -> int:
    if x > 1:
        raise ValueError("too many")
    return x


def leaf(n: int) -> int:
    return n


def pair(n: int) -> int:
    left = torch.jit.fork(leaf, n)
    right = torch.jit.fork(leaf, n + 1)
    return torch.jit.wait(left) + torch.jit.wait(right)


def four(n: int) -> int:
    left = torch.jit.fork(pair, n)
    right = torch.jit.fork(pair, n + 2)
    total = 0
    with torch.no_grad():
        total += torch.jit.wait(left) + torch.jit.wait(right)
    return total


def many(n: int) -> int:
    futures = torch.jit.annotate(List[torch.jit.Future[int]], [])
    for i in range(n):
        futures.append(torch.jit.fork(four, i))
    total = 0
    for future in futures:
        total += torch.jit.wait(future)
    return total


def failing(x: int) -> int:
    return torch.jit.wait(torch.jit.fork(refused, x))


def waits_twice(future: torch.jit.Future[int]) -> Tuple[int, int]:
    return torch.jit.wait(future), torch.jit.wait(future)


def begun(x: Tensor) -> torch.jit.Future[Tensor]:
    return torch.jit.fork(doubled, x)


def endless(x: int) -> int:
    return torch.jit.wait(torch.jit.fork(spin, x))


def tripled(future: torch.jit.Future[Tensor]) -> Tensor:
    return torch.jit.wait(future) * 3
"""


@pytest.fixture(scope="module")
def unit() -> tsc.CompilationUnit:
    return tsc.CompilationUnit(PROGRAM)


@pytest.fixture(params=[1, 2, 5])
def threads(request: pytest.FixtureRequest) -> Generator[int]:
    before = tsc.get_num_interop_threads()
    tsc.set_num_interop_threads(request.param)
    yield request.param
    tsc.set_num_interop_threads(before)


@pytest.mark.usefixtures("threads")
def test_tasks_that_wait_for_tasks_need_no_more_threads_than_there_are(
    unit: tsc.CompilationUnit,
) -> None:
    count = 400
    assert unit.many(count) == sum(4 * n + 6 for n in range(count))


def test_threads_stay_as_few_as_wanted() -> None:
    pool = TaskThreads(3)
    most, running, ended = [0], [0], threading.Event()
    lock = threading.Lock()

    def work() -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.002)
        with lock:
            running[0] -= 1

    for _ in range(50):
        pool.submit(work)
    pool.submit(ended.set)
    assert ended.wait(20)
    assert most[0] <= 3


def test_thread_that_stands_still_is_stood_in_for() -> None:
    pool = TaskThreads(1)
    first, second = threading.Event(), threading.Event()

    def waits() -> None:
        with pool.standing_still():
            first.wait(20)
        second.set()

    pool.submit(waits)
    pool.submit(first.set)
    assert second.wait(20)


def test_error_arrives_at_each_wait_with_both_places(unit: tsc.CompilationUnit) -> None:
    assert unit.failing(1) == 1
    for _ in range(2):
        with pytest.raises(ValueError, match="too many") as caught:
            unit.failing(2)
        functions = [entry.function for entry in caught.value.stack]
        assert functions == ["failing", "<forked function>", "refused"]


def test_futures_come_out_of_programs(unit: tsc.CompilationUnit) -> None:
    future = unit.begun(tsc.tensor([1.0, 2.0]))
    assert isinstance(future, tsc.Future)
    assert future.wait().tolist() == [2.0, 4.0]
    assert future.done()
    assert future.value().tolist() == [2.0, 4.0]
    assert future.then(lambda ended: ended.wait().sum().item()).wait() == 6.0
    assert unit.tripled(future).tolist() == [6.0, 12.0]


def test_program_waits_for_what_python_promises(unit: tsc.CompilationUnit) -> None:
    promised: tsc.Future[int] = tsc.Future()
    threading.Timer(0.05, lambda: promised.set_result(4)).start()
    assert unit.waits_twice(promised) == (4, 4)


def test_result_of_python_has_the_type_that_was_promised(unit: tsc.CompilationUnit) -> None:
    promised: tsc.Future[str] = tsc.Future()
    promised.set_result("four")
    with pytest.raises(tsc.ScriptError, match=r"result of a Future: .*int"):
        unit.waits_twice(promised)
    with pytest.raises(tsc.Error, match="Future\\[int\\]"):
        unit.waits_twice(unit.begun(tsc.tensor([1.0])))
    with pytest.raises(tsc.Error, match="Future\\[int\\]"):
        unit.waits_twice(3)


def test_future_ends_once() -> None:
    future: tsc.Future[int] = tsc.Future()
    heard: list[bool] = []
    future.add_done_callback(lambda ended: heard.append(ended.done()))
    with pytest.raises(RuntimeError, match="not there yet"):
        future.value()
    future.set_result(1)
    future.add_done_callback(lambda ended: heard.append(ended.done()))
    assert (future.wait(), heard) == (1, [True, True])
    with pytest.raises(RuntimeError, match="one result"):
        future.set_result(2)


def test_error_goes_on_to_what_follows() -> None:
    future: tsc.Future[int] = tsc.Future()
    following = future.then(lambda ended: ended.wait() + 1)
    future.set_exception(KeyError("lost"))
    with pytest.raises(KeyError, match="lost"):
        following.wait()


def test_python_runs_what_it_forks_at_once() -> None:
    future = tsc.fork(lambda x: x + 1, 2)
    assert (future.done(), tsc.wait(future)) == (True, 3)
    with pytest.raises(ZeroDivisionError):
        tsc.fork(lambda x: x // 0, 2)


@pytest.mark.parametrize("limit", [{"max_steps": 20_000}, {"max_seconds": 0.2}])
def test_limits_hold_what_is_forked(unit: tsc.CompilationUnit, limit: dict[str, float]) -> None:
    with tsc.limits(**limit), pytest.raises(tsc.ScriptError, match="stopped after"):
        unit.endless(0)


def test_tasks_count_their_steps_together(unit: tsc.CompilationUnit) -> None:
    with tsc.limits(max_steps=100_000):
        assert unit.many(20) == sum(4 * n + 6 for n in range(20))


def test_forked_task_keeps_nothing_alive(unit: tsc.CompilationUnit) -> None:
    x = tsc.tensor([1.0])
    seen = weakref.ref(x)
    unit.begun(x).wait()
    del x
    deadline = time.monotonic() + 5
    while seen() is not None and time.monotonic() < deadline:
        time.sleep(0.01)
        gc.collect()
    assert seen() is None


def test_bytecode_of_forks(unit: tsc.CompilationUnit) -> None:
    lines = unit.begun.bytecode.splitlines()
    assert any("FORK 0 1" in line for line in lines)
    assert any("WAIT 0 0" in line for line in unit.tripled.bytecode.splitlines())


@pytest.mark.parametrize("count", [0, -1])
def test_wrong_numbers_of_threads(count: int) -> None:
    with pytest.raises(ValueError, match="set_num_interop_threads expects"):
        tsc.set_num_interop_threads(count)
    assert TASK_THREADS.count >= 1
