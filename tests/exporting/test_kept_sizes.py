"""Operators without a shape rule keep sizes that may change: their kernels tell what they give at others."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.symbols.shapes.rules import RULES

pytest.importorskip("sympy")

CALLS = {
    "torch.kron(x, y)": (5, 3, 2, 4),
    "torch.pdist(x)": (5, 3, 2, 4),
    "torch.tensordot(x, y, 0)": (5, 3, 2, 4),
    "torch.linalg.svd(x)": (5, 3, 2, 4),
    "torch.linalg.qr(x)": (3, 5, 2, 4),
    "torch.block_diag([x, y])": (5, 3, 2, 4),
    "torch.cartesian_prod([x[0], y[0]])": (5, 3, 2, 4),
    "torch.combinations(x[:, 0], 2)": (5, 3, 2, 4),
    "torch.trapz(x)": (5, 3, 2, 4),
    "torch.diff(x, dim=0)": (5, 3, 2, 4),
    "torch.linalg.pinv(x)": (5, 3, 2, 4),
    "torch.triangular_solve(x, y)": (4, 3, 4, 4),
    "torch.diag_embed(x)": (5, 3, 2, 4),
    "torch.column_stack([x, x])": (5, 3, 2, 4),
    "x.exponential_()": (5, 3, 2, 4),
    "torch.tril_indices(x.size(0), x.size(0))": (5, 3, 2, 4),
}


def at(size: Any, values: dict[str, int]) -> int:
    return size.value(values) if isinstance(size, SymbolicExpression) else size


@pytest.mark.parametrize("call", CALLS)
def test_sizes_are_those_of_kernels(call: str) -> None:
    a, b, c, d = CALLS[call]
    unit = tsc.CompilationUnit(f"def f(x: Tensor, y: Tensor):\n    return {call}\n")
    automatic = [{0: tsc.Dim.AUTO, 1: tsc.Dim.AUTO}] * 2
    program = tsc.export(unit.f, (tsc.rand(a, b), tsc.rand(c, d)), dynamic_shapes=automatic)
    assert program.range_constraints
    sizes = [each.meta["val"].size for each in program.graph.placeholders]
    returned = [each.meta["val"] for each in program.graph.returned]
    known = [each for each in returned if isinstance(each, FakeTensor)]
    for number in (1, 4, 17):
        names = sorted(program.range_constraints)
        shift = -1 if number == 4 else 1
        values = {name: 20 + shift * number * (place + 1) for place, name in enumerate(names)}
        given = [tsc.rand(*[at(each, values) for each in shape]) for shape in sizes]
        results = [e for e in tree_flatten(unit.f(*given))[0] if isinstance(e, tsc.Tensor)]
        told = [[at(size, values) for size in each.size] for each in known]
        assert told == [list(each.shape) for each in results], values


def test_some_of_these_have_no_rule() -> None:
    assert "aten::kron" not in RULES
    assert "aten::linalg_svd" not in RULES


def test_an_operator_that_fixes_a_size_is_named_with_its_line() -> None:
    unit = tsc.CompilationUnit(
        "def f(x: Tensor) -> Tensor:\n    y = x * 2\n    return torch.tril_indices(y.size(0), 7)\n"
    )
    told = r"for 5 only \(for Eq\(s77, 5\), which aten::tril_indices fixes, at <string>:3"
    with pytest.raises(tsc.ConstraintViolationError, match=told):
        tsc.export(unit.f, (tsc.rand(5),), dynamic_shapes=[{0: tsc.Dim("n")}])
    program = tsc.export(unit.f, (tsc.rand(5),), dynamic_shapes=[{0: tsc.Dim.AUTO}])
    with pytest.raises(tsc.ScriptError, match=r"x.size.*== 5"):
        program.module()(tsc.rand(6))
