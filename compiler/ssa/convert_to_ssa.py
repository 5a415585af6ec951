"""The conversion from Load/Store form to SSA, as a list of its steps."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ssa.control_flow_load_store import add_control_flow_loads_and_stores
from tsc.compiler.ssa.erase_load_store import erase_loads_and_stores
from tsc.compiler.ssa.exit_transform import transform_exits
from tsc.compiler.ssa.inline_loop_condition import inline_loop_conditions
from tsc.compiler.ssa.loop_continuation import assign_loop_continuations

EXITS = "exits"
"""The form on the way in which there are values instead of variables, but still jumps."""


def look_away() -> None:
    """For those who do not look at the form on the way."""


def convert_to_ssa(graph: Graph, look: Callable[[], None] = look_away) -> None:
    """Rewrites ``graph``, as the emitter made it, so that no Load, Store or jump is left.

    ``look`` is called when the graph has the form `EXITS`.
    """
    add_control_flow_loads_and_stores(graph)
    assign_loop_continuations(graph)
    inline_loop_conditions(graph)
    erase_loads_and_stores(graph)
    look()
    transform_exits(graph)
