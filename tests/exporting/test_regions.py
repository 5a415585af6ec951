"""Regions without gradients: graphs of their own, with the results and the gradients of the program."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.node import Op

from .regional_programs import ARGUMENTS, PROGRAMS
from .test_branches import numbers


def exported(name: str) -> tuple[Any, Any]:
    f = tsc.CompilationUnit(PROGRAMS[name]).f
    return f, tsc.export(f, (tsc.tensor(ARGUMENTS[0]),))


def with_gradient(f: Any, elements: list[float]) -> Any:
    """Results, and the gradient of the sum of the first one; None where it has none."""
    x = tsc.tensor(elements, requires_grad=True)
    result = f(x)
    first = result[0] if isinstance(result, tuple) else result
    if not first.requires_grad:
        return numbers(result), None
    first.sum().backward()
    return numbers(result), x.grad.tolist()


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_and_gradients_are_the_programs(name: str) -> None:
    f, program = exported(name)
    file = io.BytesIO()
    tsc.save_exported(program, file)
    for module in (program.module(), tsc.load_exported(file.getvalue()).module()):
        for each in ARGUMENTS:
            assert with_gradient(module, each) == with_gradient(f, each)
    assert tsc.is_grad_enabled()


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_found_in_them(name: str) -> None:
    (explanation,) = tsc.explain_export(tsc.CompilationUnit(PROGRAMS[name]))
    assert not explanation.findings


def test_what_stands_in_a_region_is_a_graph() -> None:
    _, program = exported("two results")
    body = program.graph_module.modules["submod_1"].graph
    assert [each.name for each in body.nodes] == ["x", "mul", "add", "output"]
    called = [str(n.target) for n in program.graph.find_nodes(Op.CALL_FUNCTION)]
    assert called == [
        "torch.ops.higher_order.wrap_with_set_grad_enabled",
        *("operator.getitem", "operator.getitem"),
        *("torch.ops.aten.mul.Tensor", "torch.ops.aten.add.Tensor"),
    ]


def test_a_region_that_fails_is_left() -> None:
    f = tsc.CompilationUnit(
        "def f(x: Tensor) -> Tensor:\n    with torch.no_grad():\n        y = x.view(7)\n    return y\n"
    ).f
    with pytest.raises(tsc.Error):
        tsc.export(f, (tsc.ones(3),))
    assert tsc.is_grad_enabled()
