"""A value's memory is free as soon as no later instruction needs it: told by weak references, by every plan."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tsc
from tests.runtime.plans import each_plan, script
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

_watched: dict[str, weakref.ref[Tensor]] = {}
_seen: dict[str, list[str]] = {}


def watch(x: Tensor, name: str) -> Tensor:
    """A fresh tensor that is known by a name."""
    result = Tensor(x.array.copy())
    _watched[name] = weakref.ref(result)
    return result


def look(when: str) -> None:
    """Note which watched tensors are alive."""
    _seen[when] = sorted(name for name, reference in _watched.items() if reference() is not None)


@pytest.fixture(autouse=True, scope="module")
def _operators() -> Iterator[None]:
    """Operators for these tests alone: the table is left as it was."""
    tsc.register_operator("memory_test::watch(Tensor x, str name) -> Tensor", watch)
    tsc.register_operator("memory_test::look(str when) -> ()", look)
    yield
    declared = load()._operators
    for name in [name for name in declared if name.startswith("memory_test::")]:
        del declared[name]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    _watched.clear()
    _seen.clear()
    yield
    _watched.clear()


def alive(run: Any, source: str, *rest: Any) -> dict[str, list[str]]:
    """What was alive whenever the program looked."""
    source = source.replace("watch(", "torch.ops.memory_test.watch(")
    source = source.replace("look(", "torch.ops.memory_test.look(")
    run(script(source), [Tensor(np.ones(2, np.float32)), *rest])
    return _seen


@each_plan
def test_straight_line(run: Any) -> None:
    seen = alive(
        run,
        """
def f(x):
    a = watch(x, "a")
    b = watch(a, "b")
    look("both needed")
    c = a + b
    look("none needed")
    return c
""",
    )
    assert seen == {"both needed": ["a", "b"], "none needed": []}


@each_plan
def test_result_that_nobody_wants(run: Any) -> None:
    seen = alive(
        run,
        """
def f(x):
    watch(x, "dropped")
    look("after")
    return x
""",
    )
    assert seen == {"after": []}


@each_plan
@pytest.mark.parametrize("choice", [True, False])
def test_branch_decides(run: Any, choice: bool) -> None:
    seen = alive(
        run,
        """
def f(x, choice: bool):
    a = watch(x, "a")
    b = watch(x, "b")
    if choice:
        look("then")
        y = a + 1
        look("then, later")
    else:
        look("else")
        y = b + 1
        look("else, later")
    look("after")
    return y
""",
        choice,
    )
    branch, needed = ("then", "a") if choice else ("else", "b")
    assert seen == {branch: [needed], f"{branch}, later": [], "after": []}


@each_plan
def test_loop_carries_one_at_a_time(run: Any) -> None:
    seen = alive(
        run,
        """
def f(x, n: int):
    kept = watch(x, "kept")
    y = watch(x, "before")
    for i in range(n):
        look("turn " + str(i))
        y = watch(y + kept, "turn " + str(i))
    look("after")
    z = y + 1
    look("end")
    return z
""",
        3,
    )
    assert seen == {
        "turn 0": ["before", "kept"],
        "turn 1": ["kept", "turn 0"],
        "turn 2": ["kept", "turn 1"],
        "after": ["turn 2"],
        "end": [],
    }


@each_plan
def test_loop_variable_that_dies_early_in_a_turn(run: Any) -> None:
    seen = alive(
        run,
        """
def f(x, n: int):
    y = watch(x, "start")
    i = 0
    while i < n:
        total = y + 1
        look("middle")
        y = watch(total, "next")
        i += 1
    return y
""",
        1,
    )
    assert seen == {"middle": []}


@each_plan
def test_swapped_variables(run: Any) -> None:
    seen = alive(
        run,
        """
def f(x, n: int):
    a = watch(x, "a")
    b = watch(x, "b")
    for i in range(n):
        a, b = b, a
        look(str(i))
    c = a + 1
    look("a was used")
    return c + b
""",
        3,
    )
    assert seen == {"0": ["a", "b"], "1": ["a", "b"], "2": ["a", "b"], "a was used": ["a"]}


@each_plan
def test_callee_owns_its_last_argument(run: Any) -> None:
    seen = alive(
        run,
        """
def g(y):
    look("callee")
    z = y + 1
    look("callee, later")
    return z

def f(x):
    return g(watch(x, "argument"))
""",
    )
    assert seen == {"callee": ["argument"], "callee, later": []}


@each_plan
def test_lists_release_what_they_hold(run: Any) -> None:
    seen = alive(
        run,
        """
def f(x):
    xs = [watch(x, "a"), watch(x, "b")]
    look("in the list")
    xs.append(x)
    xs.pop(0)
    look("popped")
    n = len(xs)
    look("list not needed")
    return n
""",
    )
    assert seen == {"in the list": ["a", "b"], "popped": ["b"], "list not needed": []}


@each_plan
def test_peak_memory_of_a_long_loop(run: Any) -> None:
    """A loop that makes a tensor a turn never holds more than a few of them."""
    made = 0
    most = 0

    class Counted(np.ndarray):
        __hash__ = object.__hash__

    def fresh(x: Tensor) -> Tensor:
        nonlocal made, most
        made += 1
        array = np.zeros(1).view(Counted)
        live.add(array)
        most = max(most, len(live))
        return Tensor(array)

    live: weakref.WeakSet[Any] = weakref.WeakSet()
    name = f"fresh_{run.__name__}"
    tsc.register_operator(f"memory_test::{name}(Tensor x) -> Tensor", fresh)
    function = script(f"""
def f(x, n: int):
    y = x
    for i in range(n):
        if i % 3 == 0:
            y = torch.ops.memory_test.{name}(y)
        else:
            t = torch.ops.memory_test.{name}(y)
            y = torch.ops.memory_test.{name}(t)
    return y
""")
    run(function, [Tensor(np.zeros(1)), 300])
    assert made == 500
    assert most <= 3
