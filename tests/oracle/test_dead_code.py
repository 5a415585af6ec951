"""Dead code, live: what PyTorch takes for dead in graphs that return other values than before."""

from __future__ import annotations

import pytest
import torch

import tsc.compiler.printing
from tsc.compiler.ir import parse_ir
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.schema import Facts, OperatorTable
from tsc.runtime.operators import load

from .ir_graphs import graphs

pytestmark = pytest.mark.oracle

MOST_VARIANTS = 6


@pytest.fixture(scope="module")
def operators() -> OperatorTable:
    table = OperatorTable()
    for schema in torch._C._jit_get_all_schemas():
        if table.find(schema.name, schema.overload_name) is None:
            table.declare(str(schema), **_facts(schema.name, schema.overload_name))
    return table


def _facts(name: str, overload_name: str) -> Facts:
    """What tsc knows of an operator, if it has it."""
    known = load().find(name, overload_name)
    if known is None:
        return Facts()
    facts = Facts(effects=known.effects)
    return facts if known.aliasing is None else Facts(facts, aliasing=known.aliasing)


def variants(graph: torch._C.Graph) -> list[torch._C.Graph]:
    """The graph, and copies of it that return one of its values instead."""
    count = sum(1 for _ in graph.nodes())
    found = [graph.copy()]
    for index in range(0, count, max(1, count // MOST_VARIANTS)):
        variant = graph.copy()
        outputs = list(list(variant.nodes())[index].outputs())
        if outputs:
            for _ in list(variant.outputs()):
                variant.eraseOutput(0)
            variant.registerOutput(outputs[0])
            found.append(variant)
    return found


def test_dead_code_is_what_pytorch_takes_for_it(operators: OperatorTable) -> None:
    compared = 0
    for name, graph in graphs():
        if name == "attributes":
            continue  # of an operator that PyTorch knows no schema of
        for variant in variants(graph):
            ours = parse_ir(str(variant), operators)
            torch._C._jit_pass_dce_graph(variant)
            eliminate_dead_code(ours)
            ours.lint()
            assert tsc.compiler.printing.print_graph(ours) == str(variant), name
            compared += 1
    assert compared > 300
