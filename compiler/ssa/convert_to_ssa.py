"""The conversion from Load/Store form to SSA, as a list of its steps."""

from __future__ import annotations

from collections.abc import Callable

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ssa.control_flow_load_store import add_control_flow_loads_and_stores
from tsc.compiler.ssa.erase_load_store import erase_loads_and_stores
from tsc.compiler.ssa.exit_transform import transform_exits
from tsc.compiler.ssa.inline_loop_condition import inline_loop_conditions
from tsc.compiler.ssa.loop_continuation import assign_loop_continuations

EXITS, WITH = "exits", "with"
"""The forms on the way: values instead of variables, but jumps; and with-statements as blocks."""


def ignore(_form: str) -> None:
    """For those who look at no form on the way."""


def convert_to_ssa(graph: Graph, see: Callable[[str], None] = ignore) -> None:
    """Rewrites ``graph``, as the emitter made it, so that no Load, Store or jump is left.

    ``see`` is called when the graph has one of the forms on the way.
    """
    add_control_flow_loads_and_stores(graph)
    assign_loop_continuations(graph)
    inline_loop_conditions(graph)
    erase_loads_and_stores(graph)
    see(EXITS)
    transform_exits(graph, lambda: see(WITH))
