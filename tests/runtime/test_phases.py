"""An LSTM cell on its way through the phases of the executor, as text cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.text_cases import case_parameters, check_case
from tsc.compiler.pipelines import BATCHING, DERIVATIVE_PRESERVING, GUARDING
from tsc.runtime.execution.run_pass import find_pass
from tsc.runtime.operators import load

CASES = Path(__file__).parent / "cases" / "phases"
PASSES = (
    *("propagate_input_shapes", "canonicalize_graph_fuser_ops", "refine_tuple_types"),
    *("insert_profile_nodes", *GUARDING, *DERIVATIVE_PRESERVING, *BATCHING),
)


@pytest.mark.parametrize("path", case_parameters(CASES))
def test_case(path: Path) -> None:
    check_case(path, {name: find_pass(name).run for name in PASSES}, load())
