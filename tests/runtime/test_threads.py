"""Limits and the grad mode belong to the thread that sets them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import tsc
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.context.limits import Limits, current_limits, limits

T = TypeVar("T")

COUNTING = """
def count(n: int) -> int:
    total = 0
    for i in range(n):
        total += 1
    return total
"""
GRAD_MODE = """
def modes() -> Tuple[bool, bool, bool]:
    before = torch.is_grad_enabled()
    with torch.no_grad():
        inside = torch.is_grad_enabled()
    return before, inside, torch.is_grad_enabled()
"""


def in_another_thread(action: Callable[[], T]) -> T:
    results: list[T] = []
    thread = threading.Thread(target=lambda: results.append(action()))
    thread.start()
    thread.join()
    return results[0]


def test_a_limit_does_not_hold_other_threads() -> None:
    count = tsc.CompilationUnit(COUNTING).count
    with limits(max_steps=10):
        assert in_another_thread(lambda: count(1000)) == 1000
        assert in_another_thread(current_limits) == Limits()


def test_a_limit_of_another_thread_is_not_ours() -> None:
    limited, finished = threading.Event(), threading.Event()

    def hold_limit() -> None:
        with limits(max_steps=10):
            limited.set()
            finished.wait()

    thread = threading.Thread(target=hold_limit)
    thread.start()
    limited.wait()
    try:
        assert tsc.CompilationUnit(COUNTING).count(1000) == 1000
    finally:
        finished.set()
        thread.join()


def test_inner_limits_end_with_their_statement_even_when_the_program_is_stopped() -> None:
    count = tsc.CompilationUnit(COUNTING).count
    with limits(max_steps=5000):
        stopped = False
        try:
            with limits(max_steps=10):
                count(1000)
        except ScriptError:
            stopped = True
        assert stopped
        assert current_limits().max_steps == 5000
        assert count(1000) == 1000


def test_no_grad_does_not_reach_other_threads() -> None:
    modes = tsc.CompilationUnit(GRAD_MODE).modes
    with tsc.no_grad():
        assert modes() == (False, False, False)
        assert in_another_thread(modes) == (True, False, True)
        assert in_another_thread(is_grad_enabled)
    assert is_grad_enabled()


def test_one_no_grad_object_may_be_entered_by_two_threads() -> None:
    no_grad = tsc.no_grad()

    def enter_and_leave() -> tuple[bool, bool]:
        with no_grad:
            inside = is_grad_enabled()
        return inside, is_grad_enabled()

    with no_grad:
        assert in_another_thread(enter_and_leave) == (False, True)
        assert not is_grad_enabled()
        with no_grad:
            assert not is_grad_enabled()
        assert not is_grad_enabled()
    assert is_grad_enabled()
