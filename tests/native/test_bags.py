"""Bags of embeddings in groups, as native code and by bytecode: the same sums, means and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.native.fusion.group_launch import GroupLaunch

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory
from .test_product_groups import check, launches

pytestmark = pytest.mark.usefixtures("code_at_once")

SOURCE = """import torch.nn.functional as F
def f(x: Tensor, i: Tensor, o: Tensor):
    return torch.relu({}) * 2.0 + 1.0
"""
FORMS = {
    "sums": "F.embedding_bag(i, x, o, mode='sum')",
    "means": "F.embedding_bag(i, x, o)",
    "means of rows": "F.embedding_bag(i.view(4, -1), x)",
    "the last offset": "F.embedding_bag(i, x, o, mode='sum', include_last_offset=True)",
    "a computed table": "F.embedding_bag(i, x * 0.5, o, mode='sum')",
    "maxima": "F.embedding_bag(i, x, o, mode='max')",
    "padding": "F.embedding_bag(i, x, o, padding_idx=3)",
}
WITHOUT_CODE = ("maxima", "padding")


def _given(random: Any, dtype: str, index: str) -> list[Any]:
    """A table of 9 rows, 12 names of them, and bags of which two are empty."""
    table = random.standard_normal((9, 37)).astype(dtype)
    names = random.integers(0, 9, 12).astype(index)
    starts = np.array([0, 5, 5, 7, 12], index)
    return [tsc.from_numpy(each) for each in (table, names, starts)]


@pytest.mark.parametrize("index", ["int64", "int32"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str, dtype: str, index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = launches(monkeypatch)
    check(SOURCE.format(FORMS[form]), _given(np.random.default_rng(0), dtype, index))
    assert (True in found) == (form not in WITHOUT_CODE)


@pytest.mark.parametrize("seed", range(20))
def test_random_bags(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, columns, names, bags = (int(each) for each in random.integers(1, (40, 80, 60, 12)))
    table = random.standard_normal((columns, rows) if seed % 3 == 0 else (rows, columns))
    table = table.T if seed % 3 == 0 else table
    starts = np.sort(random.integers(0, names + 1, bags))
    starts[0] = 0
    given = [tsc.from_numpy(each) for each in (table, random.integers(0, rows, names), starts)]
    for form in ("sums", "means"):
        check(SOURCE.format(FORMS[form]), given)


FAILING = {
    "a name that is too large": ([3, 9], [0, 1]),
    "a name below zero": ([-1, 3], [0, 1]),
    "a bag that goes back": ([1, 2, 3, 4], [0, 3, 1]),
    "a first bag that begins late": ([1, 2, 3], [1, 2]),
    "a bag beyond the end": ([1, 2], [0, 3]),
}


@pytest.mark.parametrize("form", ["sums", "means", "the last offset"])
@pytest.mark.parametrize("name", FAILING)
def test_errors_are_those_of_the_operator(name: str, form: str) -> None:
    """After calls by native code for arguments of the same kind."""
    names, starts = FAILING[name]
    executor = executor_of(tsc.CompilationUnit(SOURCE.format(FORMS[form])).f.function)
    native, plain = executor.plan(PlanKey("native")), executor.plan(PlanKey("bytecode"))
    table = tsc.ones(9, 4)
    for _ in range(4):
        native.run([table, tsc.tensor([1] * len(names)), tsc.tensor([0] * len(starts))])
    said = [
        _outcome(plan, [table, tsc.tensor(names), tsc.tensor(starts)]) for plan in (native, plain)
    ]
    assert said[0] == said[1]
    assert form == "the last offset" or said[0].startswith("The following operation failed")


def _outcome(plan: Any, given: list[Any]) -> str:
    try:
        return str(plan.run(given))
    except ScriptError as error:
        return str(error)


@pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")
@pytest.mark.parametrize("end", [False, True])
def test_nothing_is_touched_beyond_arrays(end: bool) -> None:
    def judge(_: int, guard: GuardedMemory) -> None:
        with guard.guarding(at_begin=not end):
            for form in ("sums", "means", "the last offset"):
                given = _given(np.random.default_rng(1), "float32", "int64")
                check(SOURCE.format(FORMS[form]), given)

    assert said(judge) is None


def test_a_small_part_of_a_large_table_is_a_small_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not go through the table, so it is no work for several threads."""
    large: list[bool] = []
    made = GroupLaunch.__init__

    def noted(self: Any, *given: Any, **named: Any) -> None:
        made(self, *given, **named)
        large.append(self.is_large)

    monkeypatch.setattr(GroupLaunch, "__init__", noted)
    source = "def f(x: Tensor, i: Tensor):\n    return torch.embedding(x, i) * 2.0 + 1.0\n"
    table = tsc.from_numpy(np.random.default_rng(2).standard_normal((5000, 16)))
    check(source, [table, tsc.tensor([1, 4999, 7])])
    assert large == [False]
