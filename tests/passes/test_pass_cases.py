"""Every pass on small graphs, as text cases."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tsc.compiler.ir import prim
from tsc.compiler.ir.constants import ConstantText
from tsc.compiler.passes.annotate_warns import annotate_warns
from tsc.compiler.passes.canonicalize_modified_loops import canonicalize_modified_loops
from tsc.compiler.passes.canonicalize_ops import canonicalize_ops
from tsc.compiler.passes.canonicalize_outputs import canonicalize_outputs
from tsc.compiler.passes.complete_shape_analysis import complete_shape_analysis
from tsc.compiler.passes.eliminate_common_subexpressions import eliminate_common_subexpressions
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.lift_forks import lift_forks
from tsc.compiler.passes.lower_simple_tuples import lower_simple_tuples
from tsc.compiler.passes.normalize_ops import normalize_ops
from tsc.compiler.passes.peephole import peephole
from tsc.compiler.passes.pool_constants import pool_constants
from tsc.compiler.passes.propagate_constants import propagate_constants
from tsc.compiler.passes.registry import OTHER_PASSES, keywords_of, pass_function
from tsc.compiler.passes.replace_pattern import replace_pattern
from tsc.compiler.types import INT, TensorType
from tsc.runtime.execution.part_operators import PART_OPERATORS
from tsc.runtime.execution.predicted_node_work import seconds_of
from tsc.runtime.execution.shape_inference import known_tensor_type

from ..text_cases import Step, case_parameters, check_case
from .small_operators import evaluate, infer, make_table, number_of

CASES = Path(__file__).parent / "cases"
OPERATORS = make_table()
DIFFERENTIABLE = frozenset(
    f"aten::{name}" for name in ("mul", "add", "sigmoid", "tanh", "mm", "t")
) | {"prim::ConstantChunk"}
POINTWISE = (
    *("aten::add", "aten::mul", "aten::sigmoid", "aten::tanh"),
    *("aten::add_", "prim::with_part_"),
)
GIVEN = {
    "operators": OPERATORS,
    "number_of": number_of,
    "infer": infer,
    "evaluate": evaluate,
    "tensor_of": lambda number: ConstantText(f"{{{number}}}"),
    "tensor_type_of": known_tensor_type,
    "seconds_of": seconds_of,
    "is_differentiable": lambda node: node.kind in DIFFERENTIABLE,
    "is_fusible": lambda node: node.kind in POINTWISE,
    "part_operators": PART_OPERATORS,
    "is_native": lambda graph: graph.find_node(prim.Print) is None,
}


def with_what_it_needs(name: str) -> Step:
    run = pass_function(name)
    return partial(run, **{key: GIVEN[key] for key in keywords_of(run) if key in GIVEN})


STEPS: dict[str, Step] = {
    "fuse_graph_in_loops": partial(with_what_it_needs("fuse_graph"), in_loops=True),
    "annotate_warns": annotate_warns,
    "canonicalize_modified_loops": partial(canonicalize_modified_loops, operators=OPERATORS),
    "canonicalize_ops": partial(canonicalize_ops, operators=OPERATORS, number_of=number_of),
    "canonicalize_outputs": canonicalize_outputs,
    "eliminate_common_subexpressions": eliminate_common_subexpressions,
    "eliminate_dead_code": eliminate_dead_code,
    "lift_forks": lift_forks,
    "lower_simple_tuples": lower_simple_tuples,
    "normalize_ops": partial(normalize_ops, operators=OPERATORS),
    "peephole": peephole,
    "pool_constants": pool_constants,
    "propagate_constants": partial(propagate_constants, evaluate=evaluate),
    **{name: with_what_it_needs(name) for name in OTHER_PASSES},
    "complete_shape_analysis": partial(
        complete_shape_analysis,
        infer=infer,
        types=[TensorType("Float", (2, 3), (3, 1), "cpu", True), INT],
        with_grad=False,
    ),
    "replace_pattern": partial(
        replace_pattern,
        operators=OPERATORS,
        pattern="graph(%x):\n  %y = aten::neg(%x)\n  %z = aten::relu(%y)\n  return (%z)",
        replacement="graph(%x):\n  %y = aten::mul(%x, %x)\n  return (%y)",
    ),
}


@pytest.mark.parametrize("path", case_parameters(CASES))
def test_case(path: Path) -> None:
    check_case(path, STEPS, OPERATORS)


def test_every_pass_has_a_case() -> None:
    known = {path.name for path in CASES.iterdir()}
    assert set(OTHER_PASSES) <= known
