"""Every step from Load/Store form to SSA on small graphs, as text cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tsc.compiler.ssa.control_flow_load_store import add_control_flow_loads_and_stores
from tsc.compiler.ssa.convert_to_ssa import convert_to_ssa
from tsc.compiler.ssa.erase_load_store import erase_loads_and_stores
from tsc.compiler.ssa.exit_transform import transform_exits
from tsc.compiler.ssa.inline_consecutive_ifs import inline_consecutive_ifs
from tsc.compiler.ssa.inline_loop_condition import inline_loop_conditions
from tsc.compiler.ssa.loop_continuation import assign_loop_continuations
from tsc.compiler.ssa.with_blocks import make_with_blocks, remove_with_blocks

from ..passes.small_operators import make_table
from ..text_cases import Step, case_parameters, check_case

CASES = Path(__file__).parent / "cases"
OPERATORS = make_table()
STEPS: dict[str, Step] = {
    step.__name__: step
    for step in (
        add_control_flow_loads_and_stores,
        assign_loop_continuations,
        convert_to_ssa,
        erase_loads_and_stores,
        inline_consecutive_ifs,
        inline_loop_conditions,
        make_with_blocks,
        remove_with_blocks,
        transform_exits,
    )
}


@pytest.mark.parametrize("path", case_parameters(CASES))
def test_case(path: Path) -> None:
    check_case(path, STEPS, OPERATORS)
