"""``run_decompositions``: the operators that PyTorch decomposes into, in their order, and the same results."""

from __future__ import annotations

import gzip
import io
import json
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.compiler.exir.node import Op
from tsc.compiler.exir.pytrees import tree_flatten

from .expressions import FOLDER, Expression, expressions

NOT_COMPILED = "is not TorchScript, or has no form in exported programs"
OTHERWISE = {
    "F.rrelu(x)": "PyTorch has an operator with noise, which TorchScript has not",
    "F.multilabel_soft_margin_loss(x, y)": "TorchScript has a negation and a sum",
    "1 - x": "TorchScript has a negation and a sum",
    "F.one_hot(torch.tensor([0, 2]), 3)": "computed when it is exported",
    **dict.fromkeys(
        (
            "F.multilabel_margin_loss(x, torch.zeros(3, 4, dtype=torch.long))",
            'F.multilabel_margin_loss(x, i % 4, reduction="none")',
            'F.multilabel_margin_loss(x, i % 4 - 1, reduction="sum")',
            "F.multilabel_margin_loss(x[0], i[0] % 4)",
        ),
        "PyTorch's decomposition counts labels behind the first -1, and gives other results than the operator",
    ),
    "torch.matmul(w[0, :3], x.transpose(1, 2))": "the slice is kept",
    "F.multi_margin_loss(x, torch.tensor([0, 1, 2]))": "TorchScript has a negation and a sum",
}
ALL = {each.name: each for each in expressions()}
WRITES = re.compile(r"[a-z0-9]_\.")
RANDOM = ("gumbel", "rrelu")


@cache
def recorded() -> dict[str, Any]:
    return json.loads(gzip.decompress((FOLDER / "recorded.json.gz").read_bytes()))


@cache
def exported(name: str) -> Any:
    """The program of an expression; None where that is not TorchScript, or not exported."""
    expression: Expression = ALL[name]
    parameters = ", ".join(f"{each}: Tensor" for each, *_ in expression.parameters)
    text = f"import torch\nimport torch.nn.functional as F\ndef f({parameters}):\n    return {expression.text}\n"
    try:
        function = tsc.CompilationUnit(text).f
        return tsc.export(function, tuple(map(tsc.from_numpy, expression.arguments())))
    except tsc.Error:
        return None


def targets(program: Any) -> list[str]:
    calls = program.graph.find_nodes(Op.CALL_FUNCTION)
    found = [
        str(each.target).removeprefix("torch.ops.").removeprefix("operator.") for each in calls
    ]
    return [each for each in found if not each.startswith("aten._assert_tensor_metadata")]


def ordered(calls: list[str]) -> list[str]:
    """Copies of constants go first: here they stand where the constants are first read."""
    return sorted(calls, key=lambda each: each != "aten.clone.default")


def results(program: Any, expression: Expression) -> list[Any]:
    given = [tsc.from_numpy(each.copy()) for each in expression.arguments()]
    found = program.module()(*given)
    return [*tree_flatten(found)[0], *given]


def same(found: Any, wanted: Any) -> bool:
    if not hasattr(wanted, "numpy"):
        return bool(found == wanted)
    first, second = np.asarray(found), np.asarray(wanted)
    alike = first.dtype == second.dtype and first.shape == second.shape
    return alike and np.allclose(first, second, rtol=1e-5, atol=1e-6, equal_nan=True)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dialect", ["core", "aten"])
def test_has_the_operators_of_pytorch_and_gives_the_same(name: str, dialect: str) -> None:
    program, expression = exported(name), ALL[name]
    if program is None:
        pytest.skip(NOT_COMPILED)
    if expression.text == "x.t_()":
        with pytest.raises(tsc.ExportError, match="changes the sizes of an input"):
            program.run_decompositions()
        return
    found = program.run_decompositions(None if dialect == "core" else ())
    if not any(each in name for each in RANDOM):
        wanted = results(program, expression)
        assert all(map(same, results(found, expression), wanted))
    assert not any(WRITES.search(each) for each in targets(found))
    answer = recorded()[name]
    if dialect == "core" and answer is not None and expression.text not in OTHERWISE:
        kept = [e for e in answer[dialect] if not e.startswith("aten._assert_tensor_metadata")]
        assert ordered(targets(found)) == ordered(kept)


@pytest.mark.parametrize("name", [*ALL][::9])
def test_is_read_back(name: str) -> None:
    program = exported(name)
    if program is None:
        pytest.skip(NOT_COMPILED)
    found, content = program.run_decompositions(), io.BytesIO()
    tsc.save_exported(found, content)
    again = tsc.load_exported(io.BytesIO(content.getvalue()))
    assert [e for e in targets(again) if e != "getitem"] == [
        e for e in targets(found) if e != "getitem"
    ]
    if not any(each in name for each in RANDOM):
        assert all(map(same, results(again, ALL[name]), results(found, ALL[name])))


def test_most_expressions_are_exported() -> None:
    assert sum(exported(name) is not None for name in ALL) >= 400


WRITTEN = {
    "operators that write to out": (
        "c = torch.zeros(3)\n    d = c[1:]\n    torch.add(a, b, out=c)\n"
        "    torch.cumsum(a, 0, out=b)\n    return c, d, b"
    ),
    "grids by columns": "return torch.meshgrid([a, b[:2]], indexing='xy')",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_results_stay(name: str) -> None:
    f = tsc.CompilationUnit(f"import torch\ndef f(a, b):\n    {WRITTEN[name]}\n").f
    a, b = tsc.tensor([1.0, 2.0, 4.0]), tsc.tensor([0.5, 8.0, 3.0])
    program = tsc.export(f, (a, b)).run_decompositions()
    found = program.module()(a.clone(), b.clone())
    for ours, wanted in zip(found, f(a.clone(), b.clone()), strict=True):
        assert ours.tolist() == wanted.tolist()


def test_another_size_of_out_is_refused() -> None:
    f = tsc.CompilationUnit("def f(a):\n    torch.add(a, 1, out=a[:0])\n    return a\n").f
    program = tsc.export(f, (tsc.ones(3),))
    with pytest.raises(tsc.ExportError, match=r"gives \[3\] to a tensor of \[0\]"):
        program.run_decompositions()
