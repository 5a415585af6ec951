"""Groups of differentiable nodes, and their gradients as graphs, beside PyTorch's of the same graphs."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch

import tsc
from tests.oracle.answers import normalize_graph
from tests.oracle.apart import apart
from tests.oracle.programs import all_programs
from tsc.compiler.ir import Node
from tsc.compiler.passes.create_autodiff_subgraphs import create_autodiff_subgraphs
from tsc.runtime.execution.differentiable_nodes import is_differentiable

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

EVERY = 6
"""One of so many programs is compared."""
REQUIRED = 0.98
"""The share of graphs that must be equal. PyTorch moves what may fail past what warns, and keeps equal lists apart."""
CELL = Path(__file__).parent.parent / "passes/cases/create_autodiff_subgraphs/lstm_cell.txt"


def graphs() -> list[tuple[str, str]]:
    """The texts of graphs of the corpus, before and after PyTorch's pass."""
    from tests.oracle.pytorch import imported

    found = []
    for program in [each for each in all_programs() if each.calls][::EVERY]:
        with imported(program) as module:
            for name in program.functions:
                try:
                    graph = torch.jit.script(getattr(module, name)).inlined_graph
                except Exception:  # noqa: BLE001  an extension of ours
                    continue
                torch._C._jit_pass_cse(graph)  # it has a comparison of its own
                torch._C._jit_pass_dce_graph(graph)
                before = str(graph)
                torch._C._jit_pass_create_autodiff_subgraphs(graph, 2)
                found.append((before, str(graph)))
    return found


def test_groups_of_the_corpus_are_pytorchs() -> None:
    found = apart(graphs)
    forms = _forms_in_groups([after for _, after in found])
    compared = equal = 0
    for before, after in found:
        graph = _parsed(before)
        if graph is None:
            continue
        create_autodiff_subgraphs(
            graph, is_differentiable=lambda node: _form(node) in forms and is_differentiable(node)
        )
        compared += 1
        equal += _comparable(str(graph)) == _comparable(after)
    assert compared > len(found) / 2
    assert equal >= REQUIRED * compared, f"{equal} of {compared}"


def _forms_in_groups(texts: list[str]) -> set[tuple[str, int]]:
    """The kinds of nodes that are in groups, and how many inputs they have: `max` of one tensor is in none."""
    groups = [part for text in texts for part in text.split("\nwith prim::Differentiable")[1:]]
    nodes = re.findall(r"= ((?:aten|prim)::\w+)(?:\[.*?\])?\((.*?)\) #", "\n".join(groups))
    return {(kind, len(re.findall("%", inputs))) for kind, inputs in nodes} - {
        ("prim::Constant", 0)
    }


def _comparable(text: str) -> str:
    """Without constants that nothing uses, which PyTorch leaves in groups."""
    return normalize_graph("\nwith ".join(map(_without_unused_constants, text.split("\nwith "))))


def _without_unused_constants(graph: str) -> str:
    made = re.compile(r"\s+(%[\w.]+) : [\w\[\]?]+ = prim::Constant\b")
    uses = Counter(re.findall(r"%[\w.]+", graph))
    matches = [(line, made.match(line)) for line in graph.split("\n")]
    return "\n".join(line for line, match in matches if match is None or uses[match[1]] > 1)


def _form(node: Node) -> tuple[str, int]:
    return node.kind, len(node.inputs)


def _parsed(text: str) -> Any:
    try:
        return tsc.parse_ir(text)
    except tsc.Error:
        return None


OTHERWISE = {
    *("aten::_autocast_to_full_precision", "aten::_autocast_to_reduced_precision"),
    *("aten::_slow_conv2d_forward", "aten::_dim_arange", "aten::index"),
}
"""What PyTorch makes of other operators where it traces or prepares its own formulas; programs have none of it."""


def one_node(schema: Any, number: str) -> str | None:
    """The text of a graph with one node of an operator, behind one that is differentiable; None without tensors."""
    types = [_type_text(str(each.type), number) for each in schema.arguments]
    gives = [_type_text(str(each.type), number) for each in schema.returns]
    if "Tensor" not in types or not gives:
        return None
    place = types.index("Tensor")
    inputs = ", ".join(f"%a{k} : {type}" for k, type in enumerate(types))
    given = ", ".join("%p" if k == place else f"%a{k}" for k in range(len(types)))
    made = ", ".join(f"%r{k} : {type}" for k, type in enumerate(gives))
    lines = [f"%p : Tensor = aten::tanh(%a{place})", f"{made} = {schema.name}({given})"]
    if gives == ["Tensor"]:
        lines.append("%q : Tensor = aten::tanh(%r0)")
    body = "".join(f"  {line}\n" for line in lines)
    return f"graph({inputs}):\n{body}  return (%{'q' if gives == ['Tensor'] else 'r0'})\n"


def _type_text(annotation: str, number: str) -> str:
    """A type as graphs have it, from how Python has it."""
    outer, _, inner = annotation.removesuffix("]").partition("[")
    if outer in ("List", "Optional"):
        return _type_text(inner, number) + ("[]" if outer == "List" else "?")
    return number if annotation == "number" else annotation


def test_operators_that_pytorch_groups_are_grouped() -> None:
    schemas = [each for each in torch._C._jit_get_all_schemas() if not each.is_mutable]
    missing: set[str] = set()
    compared = 0
    for schema, number in product(schemas, ("int", "float")):
        text = one_node(schema, number) if schema.name.startswith("aten::") else None
        if (
            text is None
            or not _is_grouped_by_pytorch(text, schema.name)
            or schema.name in OTHERWISE
        ):
            continue
        compared += 1
        graph = tsc.parse_ir(text)
        if not all(is_differentiable(node) for node in graph.find_all_nodes(schema.name)):
            missing.add(schema.name)
    assert compared > 120
    assert not missing


def _is_grouped_by_pytorch(text: str, kind: str) -> bool:
    try:
        graph = torch._C.parse_ir(text)
        torch._C._jit_pass_create_autodiff_subgraphs(graph, 1)
    except RuntimeError:
        return False
    groups = str(graph).partition("\nwith prim::Differentiable")[2]
    return f"= {kind}(" in groups


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
