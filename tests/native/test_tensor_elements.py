"""Elements of tensors in loops: native code does what bytecode does, to results, memory, and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc
from tests.native.programs_of_elements import arguments, program
from tsc.runtime.execution.executor_mode import chosen_plan

pytest.importorskip("llvmlite")

SOURCE = """
def total(x: Tensor) -> float:
    s = 0.0
    for i in range(x.size(0)):
        for j in range(x.shape[1]):
            s += float(x[i, j]) * x[i][j].item()
    return s

def fill(x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x[i] = i + 0.5
        x[i - 1] += 1
    return x

def whole(x: Tensor, i: int) -> int:
    t = 0
    for k in range(3):
        t += int(x[i])
    return t

def rows(x: Tensor, y: Tensor) -> float:
    for i in range(len(x)):
        x[i] = x[i] * 2 + y[i]
    return float(x.sum())

def shifted(x: Tensor, y: Tensor) -> Tensor:
    for i in range(len(x) - 1):
        x[i + 1] = y[i] + x[i] * 0.1
    return y
"""


def outcome(plan: str, name: str, make: Callable[[], tuple[Any, ...]]) -> Any:
    """What a function gives or raises, and what becomes of the tensors that it is given."""
    given = make()
    with chosen_plan(plan):
        try:
            result = repr(getattr(tsc.CompilationUnit(SOURCE), name)(*given))
        except tsc.ScriptError as error:
            result = f"{type(error).__name__}: {error}"
    return result, repr(given)


def agree(name: str, make: Callable[[], tuple[Any, ...]]) -> Any:
    found = outcome("native", name, make)
    assert found == outcome("bytecode", name, make)
    return found


def numbers(*shape: int, dtype: Any = tsc.float32) -> Any:
    values = np.random.default_rng(0).standard_normal(shape) * 3
    return tsc.from_numpy(values).to(dtype)


DTYPES = (tsc.float32, tsc.float64, tsc.float16, tsc.bfloat16, tsc.int64, tsc.int32, tsc.uint8)


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_of_every_dtype(dtype: Any) -> None:
    agree("total", lambda: (numbers(3, 4, dtype=dtype),))
    agree("fill", lambda: (numbers(4, dtype=dtype), 4))


def test_views_are_read_where_they_lie() -> None:
    agree("total", lambda: (numbers(3, 4).t(),))
    agree("total", lambda: (numbers(6, 8)[1::2, ::3],))
    agree("total", lambda: (numbers(1, 4).expand(3, 4),))
    agree("total", lambda: (numbers(0, 4),))


def test_tensors_that_share_memory() -> None:
    def overlapping() -> tuple[Any, ...]:
        x = numbers(6)
        return x[:5], x[1:]

    agree("shifted", overlapping)


def test_indices_are_checked() -> None:
    found, memory = agree("fill", lambda: (numbers(3), 5))
    assert "index 3 out of range" in found
    assert "2.5" in memory  # the turns before were done


def test_numbers_that_do_not_fit() -> None:
    for number in (float("nan"), float("inf"), 1e30):
        found, _ = agree("whole", lambda number=number: (tsc.tensor([number]), 0))
        assert "without overflow" in found


def test_what_has_no_native_form_runs_all_the_same() -> None:
    agree("total", lambda: (numbers(3, 4).requires_grad_(),))
    agree("total", lambda: (numbers(3, 4, 2),))
    agree("total", lambda: (numbers(3),))
    agree("rows", lambda: (numbers(3, 4), numbers(3, 4)))
    agree("fill", lambda: (numbers(3).requires_grad_(), 3))
    agree("fill", lambda: (tsc.tensor([1 + 2j, 3j]), 2))


def test_memory_that_may_not_be_written() -> None:
    array = np.zeros(3, np.float32)
    array.flags.writeable = False
    agree("fill", lambda: (tsc.from_numpy(array), 2))


def test_the_tensor_that_was_given_is_returned() -> None:
    x = numbers(4)
    with chosen_plan("native"):
        assert tsc.CompilationUnit(SOURCE).fill(x, 2) is x


def test_changes_between_calls_are_seen() -> None:
    function = tsc.CompilationUnit(SOURCE).total
    with chosen_plan("native"):
        for x in (numbers(2, 2), numbers(5, 3), numbers(2, 2, dtype=tsc.int64), numbers(2, 2)):
            expected = float((x * x).to(tsc.float64).sum())
            assert function(x) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_agree(seed: int) -> None:
    source = program(seed)
    found: list[str] = []
    for plan in ("native", "bytecode"):
        function = tsc.CompilationUnit(source).f
        given = arguments(seed)
        with chosen_plan(plan):
            try:
                result = repr(function(*given))
            except tsc.ScriptError as error:
                result = str(error)
        found.append(result + repr([each.tolist() for each in given[:3]]))
    assert found[0] == found[1], source
