"""Runaway programs are stopped."""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

import pytest

from tests.runtime.plans import each_plan, optimized, script
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.limits import Limits, Meter, limits
from tsc.runtime.execution.executor_mode import chosen_plan

ENDLESS = {
    "while": "def f(x: int) -> int:\n    while True:\n        x += 1\n    return x\n",
    "compared": "def f(x: int) -> int:\n    while x > 0:\n        x = x + 1 - 1\n    return x\n",
    "for": "def f(x: int) -> int:\n    for i in range(9223372036854775807):\n        x = i\n    return x\n",
    "range": (
        "def f(x: int) -> int:\n    for i in range(2, 9223372036854775807, 3):\n        x = i\n"
        "    return x\n"
    ),
    "break": (
        "def f(x: int) -> int:\n    for i in range(9223372036854775807):\n"
        "        if x < 0:\n            break\n    return x\n"
    ),
}

COUNTING = """
def f(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total
"""

each_loop = pytest.mark.parametrize("source", list(ENDLESS.values()), ids=list(ENDLESS))


@each_loop
def test_steps_of_native_code(source: str) -> None:
    with chosen_plan("native"):
        test_steps(optimized, source)


@each_plan
@each_loop
def test_steps(run: Any, source: str) -> None:
    with limits(max_steps=1000), pytest.raises(ScriptError) as caught:
        run(script(source), [1])
    assert caught.value.message == "stopped after 1000 steps"
    assert caught.value.stack[0].function == "f"


@each_plan
@each_loop
def test_seconds(run: Any, source: str) -> None:
    function = script(source)
    start = time.monotonic()
    with limits(max_seconds=0.2), pytest.raises(ScriptError) as caught:
        run(function, [1])
    assert caught.value.message == "stopped after 0.2 seconds"
    assert time.monotonic() - start < 5


@each_plan
def test_exactly_as_many_steps_as_allowed(run: Any) -> None:
    function = script(COUNTING)
    with limits(max_steps=100):
        assert run(function, [100]) == 4950
    with limits(max_steps=100), pytest.raises(ScriptError):
        run(function, [102])


@each_plan
def test_interrupt_passes_through(run: Any) -> None:
    function = script(ENDLESS["while"])
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs may ignore it
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            run(function, [1])
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


def test_limits_end_with_the_statement() -> None:
    with limits(max_steps=1):
        pass
    function = script(COUNTING)
    from tests.runtime.plans import optimized

    assert optimized(function, [10]) == 45


def test_meter_gives_out_all_steps() -> None:
    meter = Meter(Limits(max_steps=10_000, max_seconds=1000))
    portions = []
    with pytest.raises(ScriptError):
        while True:
            portions.append(meter.portion())
    assert sum(portions) == 10_000
