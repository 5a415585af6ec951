"""Settings of the process: raised while threads need it, then as they were."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection


@pytest.fixture
def thresholds() -> Iterator[tuple[int, int, int]]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield (700, 10, 10)
    gc.set_threshold(*before)


def test_collections_are_rare_until_the_last_of_several_users_leaves(
    thresholds: tuple[int, int, int],
) -> None:
    """Threads leave in any order; the first one to come need not be the last one to go."""
    first, second = ExitStack(), ExitStack()
    first.enter_context(rare_garbage_collection())
    second.enter_context(rare_garbage_collection())
    first.close()
    assert gc.get_threshold()[0] > 10_000
    assert gc.get_threshold()[1:] == thresholds[1:]
    second.close()
    assert gc.get_threshold() == thresholds


def test_who_wants_no_collections_gets_none(thresholds: tuple[int, int, int]) -> None:
    gc.set_threshold(0, *thresholds[1:])
    with rare_garbage_collection():
        assert gc.get_threshold()[0] == 0
    assert gc.get_threshold()[0] == 0


def test_a_higher_recursion_limit_is_kept() -> None:
    before = sys.getrecursionlimit()
    with deep_recursion(before + 100), deep_recursion(before + 50):
        assert sys.getrecursionlimit() == before + 100
    assert sys.getrecursionlimit() == before


def test_the_command_line_does_not_collect_when_it_ends() -> None:
    program = """
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count() > 0))  # called last
from tsc.cli import main
main(["ops", "aten::relu"])
"""
    run = [sys.executable, "-c", program]
    done = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.endswith("True\n")
