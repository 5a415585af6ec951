"""Groups of differentiable nodes, and their gradients as graphs, beside PyTorch's of the same graphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import tsc
from tests.oracle.answers import normalize_graph
from tests.oracle.programs import all_programs
from tsc.compiler.ir import Node
from tsc.compiler.passes.create_autodiff_subgraphs import create_autodiff_subgraphs
from tsc.compiler.types import TensorType
from tsc.runtime.execution.differentiation import is_differentiable

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

EVERY = 6
"""One of so many programs is compared."""
REQUIRED = 0.97
"""The share of graphs that must be equal: known differences are those of what is computed twice."""
CELL = Path(__file__).parent.parent / "passes/cases/create_autodiff_subgraphs/lstm_cell.txt"


def graphs() -> Iterator[tuple[str, str]]:
    """The texts of graphs of the corpus, before and after PyTorch's pass."""
    from tests.oracle.pytorch import imported

    for program in [each for each in all_programs() if each.calls][::EVERY]:
        with imported(program) as module:
            for name in program.functions:
                try:
                    graph = torch.jit.script(getattr(module, name)).inlined_graph
                except Exception:  # noqa: BLE001  an extension of ours
                    continue
                torch._C._jit_pass_cse(graph)  # it has a comparison of its own
                before = str(graph)
                torch._C._jit_pass_create_autodiff_subgraphs(graph, 2)
                yield before, str(graph)


def test_groups_of_the_corpus_are_pytorchs() -> None:
    found = list(graphs())
    kinds = _kinds_in_groups([after for _, after in found])
    compared = equal = 0
    for before, after in found:
        graph = _parsed(before)
        if graph is None or any(_is_theirs_alone(node, kinds) for node in graph.all_nodes()):
            continue
        create_autodiff_subgraphs(
            graph, is_differentiable=lambda node: node.kind in kinds and is_differentiable(node)
        )
        compared += 1
        equal += normalize_graph(str(graph)) == normalize_graph(after)
    assert compared > len(found) / 2
    assert equal >= REQUIRED * compared, f"{equal} of {compared}"


def _kinds_in_groups(texts: list[str]) -> set[str]:
    groups = [part for text in texts for part in text.split("\nwith prim::Differentiable")[1:]]
    kinds = {kind for group in groups for kind in re.findall(r"= ((?:aten|prim)::\w+)", group)}
    return kinds - {"prim::Constant"}


def _parsed(text: str) -> Any:
    try:
        return tsc.parse_ir(text)
    except tsc.Error:
        return None


def _is_theirs_alone(node: Node, kinds: set[str]) -> bool:
    """Whether PyTorch may group a node that we do not: comparisons, and what has no formula of its own."""
    gives_tensors = any(isinstance(each.type, TensorType) for each in node.outputs)
    return gives_tensors and node.kind in kinds and not is_differentiable(node)


def cell() -> str:
    text = CELL.read_text(encoding="utf-8")
    text = text[text.index("graph(") : text.index("# expect")]
    lines = [line for line in text.splitlines() if "TupleConstruct" not in line]
    return "\n".join(lines).replace("return (%30)", "return (%hy, %cy)") + "\n"


GRAPHS = {
    "an LSTM cell": cell(),
    "several uses": """graph(%a : Tensor, %b : Tensor):
  %c : Tensor = aten::mul(%a, %b)
  %d : Tensor = aten::tanh(%c)
  %e : Tensor = aten::mul(%c, %d)
  %f : Tensor = aten::sigmoid(%e)
  return (%f, %d)
""",
    "chunks": """graph(%a : Tensor):
  %b : Tensor = aten::exp(%a)
  %c : Tensor, %d : Tensor = prim::ConstantChunk[chunks=2, dim=1](%b)
  %e : Tensor = aten::mul(%c, %d)
  %f : Tensor = aten::t(%e)
  return (%f)
""",
}


@pytest.mark.parametrize("name", GRAPHS)
def test_gradients_have_pytorchs_form(name: str) -> None:
    theirs = torch._C._jit_differentiate(torch._C.parse_ir(GRAPHS[name]))
    assert _told(tsc.differentiate(tsc.parse_ir(GRAPHS[name]))) == _told(theirs)


def _told(gradient: Any) -> Any:
    """The nodes with gradients in their order, and which outputs and inputs have some."""
    kinds = re.findall(r'prim::GradOf\[name="([^"]+)"', str(gradient.df))
    return kinds, gradient.f_real_outputs, gradient.df_output_vjps


def _with_a_tuple(text: str) -> str:
    """The graph with one output, which PyTorch wants of functions."""
    found = re.search(r"return \((%\w+), (%\w+)\)", text)
    if found is None:
        return text
    both = f"%both : (Tensor, Tensor) = prim::TupleConstruct({found[1]}, {found[2]})"
    return text.replace(found[0], f"{both}\n  return (%both)")


@pytest.mark.parametrize("name", GRAPHS)
def test_groups_give_pytorchs_gradients(name: str) -> None:
    sizes = [(3, 4), (3, 2), (3, 2), (8, 4), (8, 2), (8,), (8,)] if name == "an LSTM cell" else []
    count = GRAPHS[name].split("):", maxsplit=1)[0].count("%")
    torch.manual_seed(0)
    theirs = [torch.randn(*size, requires_grad=True) for size in sizes or [(2, 4)] * count]
    mine = [tsc.from_numpy(each.detach().numpy().copy()).requires_grad_() for each in theirs]
    function = torch._C._create_function_from_graph(
        "f", torch._C.parse_ir(_with_a_tuple(GRAPHS[name]))
    )
    graph = tsc.parse_ir(GRAPHS[name])
    assert tsc.run_pass("create_autodiff_subgraphs", graph)
    for results in (function(*theirs), tsc.script(graph)(*mine)):
        parts = results if isinstance(results, tuple) else [results]
        sum((part * part).sum() for part in parts).backward()
    for right, got in zip(theirs, mine, strict=True):
        assert got.grad is not None
        torch.testing.assert_close(torch.from_numpy(got.grad.numpy()), right.grad)
