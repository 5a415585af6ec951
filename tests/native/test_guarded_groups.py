"""Fusion groups without code: the program runs their operators itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import pytest

import tsc
from tsc.compiler.ir import prim
from tsc.runtime.execution.node_kernels import kernel_of
from tsc.runtime.execution.run_pass import run_pass
from tsc.runtime.native.code import object_cache
from tsc.runtime.native.code.background import BACKGROUND, Background
from tsc.runtime.native.fusion import fusion_groups

SOURCE = """
def several(x, y):
    a = x * 2 + y
    return a, a.tanh() * y

def one(x, y):
    a = x * 2
    b = a + y
    return b * 3
"""


@pytest.fixture
def never_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Background, "add", lambda self, making: None)


@pytest.mark.usefixtures("never_made")
@pytest.mark.parametrize("name", ["several", "one"])
def test_results_are_those_of_the_operators(name: str) -> None:
    x, y = tsc.randn(4, 5), tsc.randn(5)
    fused, expected = tsc.CompilationUnit(SOURCE), tsc.CompilationUnit(SOURCE)
    with tsc.optimized_execution(False):
        right = getattr(expected, name)(x, y)
    for _ in range(200):
        found = getattr(fused, name)(x, y)
    pairs = zip(found, right) if name == "several" else [(found, right)]
    assert all(mine.equal(theirs) for mine, theirs in pairs)


@pytest.mark.usefixtures("never_made")
def test_an_error_tells_its_place() -> None:
    unit = tsc.CompilationUnit(SOURCE)
    for _ in range(2):
        with pytest.raises(tsc.ScriptError, match=r"(?s)line 8.*b = a \+ y"):
            unit.one(tsc.ones(2), tsc.ones(3))


def _bare_group() -> Any:
    graph = tsc.CompilationUnit(SOURCE).several.graph.copy()
    run_pass("fuse_graph", graph)
    return graph


def test_a_group_that_is_not_guarded_always_gives_something() -> None:
    x = tsc.ones(3)
    found = tsc.script(_bare_group())(x, x)
    assert [each.tolist() for each in found[:1]] == [[3.0] * 3]


@pytest.fixture
def as_in_another_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Lets groups know nothing of those that were made before."""
    return lambda: monkeypatch.setattr(fusion_groups, "_SPENDINGS", WeakValueDictionary())


@pytest.mark.usefixtures("never_made")
def test_while_there_is_no_code_most_calls_ask_for_nothing(
    monkeypatch: pytest.MonkeyPatch, as_in_another_process: Callable[[], None]
) -> None:
    monkeypatch.setenv(object_cache.VARIABLE, "off")
    as_in_another_process()
    run: Any = _guarded_group()
    group = run.__self__
    looks: list[object] = []
    otherwise = type(group)._otherwise
    monkeypatch.setattr(
        type(group), "_otherwise", lambda *given: (looks.append(1), otherwise(*given))[1]
    )
    x = tsc.ones(3)
    assert all(run(x, x) == (None, None) for _ in range(1000))
    assert len(looks) < 50


def _guarded_group() -> Callable[..., Any]:
    graph = _bare_group()
    run_pass("guard_fusion_groups", graph)
    return kernel_of(graph.find_node(prim.FusionGroup))


def _first_call_by_code(run: Callable[..., Any]) -> int:
    x, y = tsc.randn(3, 4), tsc.randn(3, 4)
    return next(number for number in range(1, 10_000) if run(x, y)[0] is not None)


def test_a_later_process_has_code_at_the_second_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_in_another_process: Callable[[], None]
) -> None:
    monkeypatch.setattr(BACKGROUND, "is_immediate", True)
    calls: list[int] = []
    for folder in ("kept", "kept", "other"):
        as_in_another_process()
        monkeypatch.setenv(object_cache.VARIABLE, str(tmp_path / folder))
        calls.append(_first_call_by_code(_guarded_group()))
    assert calls[0] > 100
    assert calls[1] == 2
    assert calls[2] > 100


def test_groups_that_are_alike_pay_for_code_together(
    monkeypatch: pytest.MonkeyPatch, as_in_another_process: Callable[[], None]
) -> None:
    """As those of the layers of a network."""
    monkeypatch.setenv(object_cache.VARIABLE, "off")
    monkeypatch.setattr(BACKGROUND, "is_immediate", True)
    as_in_another_process()
    first, second = _guarded_group(), _guarded_group()
    alone = _first_call_by_code(first)
    assert _first_call_by_code(second) < alone / 2
