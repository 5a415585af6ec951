"""Programs whose sizes may change, in the dialects: exported once, and the same at five sizes."""

from __future__ import annotations

from typing import Any

import pytest

import tsc

from ..dynamic_programs import PROGRAMS

pytest.importorskip("sympy")


def arguments(name: str, size: int) -> tuple[Any, ...]:
    tsc.manual_seed(size)
    return tuple(tsc.rand(*each) for each in PROGRAMS[name].shapes(size))


def same(found: Any, expected: Any) -> bool:
    if isinstance(found, tuple):
        return all(map(same, found, expected))
    if isinstance(found, tsc.Tensor):
        return found.shape == expected.shape and bool(
            tsc.allclose(found.double(), expected.double())
        )
    return bool(found == expected)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_at_five_sizes(name: str) -> None:
    case = PROGRAMS[name]
    f = tsc.CompilationUnit(case.text).f
    program = tsc.export(f, arguments(name, case.example), dynamic_shapes=case.declared(tsc.Dim))
    for made in (
        program.run_decompositions(()),
        program.run_decompositions(),
        tsc.to_edge(program),
    ):
        module = made.module()
        for size in case.sizes:
            given = arguments(name, size)
            assert same(module(*given), f(*given)), (made.dialect, size)


def test_operators_that_go_by_a_changing_size_are_kept() -> None:
    f = tsc.CompilationUnit(
        "def f(x: Tensor) -> Tensor:\n    return torch.linspace(0.0, 1.0, x.size(0)) + x\n"
    ).f
    program = tsc.export(f, (tsc.ones(6),), dynamic_shapes={"x": {0: tsc.Dim.AUTO}})
    core = program.run_decompositions()
    assert any("linspace" in str(each.target) for each in core.graph.nodes)
    for size in (2, 9):
        assert tsc.allclose(core.module()(tsc.ones(size)), f(tsc.ones(size)))
