"""Conditions on sizes that capture went by, as assertions in front of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.symbols.environment import Guard, ShapeEnvironment
from tsc.compiler.exir.symbols.sym_values import SymBool
from tsc.compiler.exir.targets import Target, operator_target
from tsc.runtime.exporting.sizes.data_sizes import COMPARISONS
from tsc.runtime.exporting.sizes.number_nodes import number_node

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder

_ASSERT: Final = operator_target("aten::_assert_scalar")
_SIZE: Final = operator_target("aten::sym_size", "int")


def note_guard(environment: ShapeEnvironment, recorder: Recorder, guard: Guard) -> None:
    """Check a comparison before anything is computed. Others (of conditions) are in what they were decided by."""
    name = COMPARISONS.get(guard.condition.func.__name__)
    if name is None:
        return
    recorder.metadata = {}
    nodes = recorder.size_nodes.of_inputs()
    with recorder.graph.inserting_before(_first_computed(recorder)):
        sides = [number_node(each, nodes.known, nodes.computed) for each in guard.condition.args]
        held = SymBool(environment, guard.condition, True)
        node = recorder.number(Target(f"operator.{name}"), tuple(sides), held)
        text = f"Runtime assertion failed for expression {guard.condition}"
        text += f", from {guard.place}" if guard.place else ""
        recorder.number(_ASSERT, (node, text), None)


def _first_computed(recorder: Recorder) -> Node:
    """The first node that is neither an input nor the size of one."""
    return next(
        each
        for each in recorder.graph.nodes
        if each.op is not Op.PLACEHOLDER and each.target != _SIZE
    )
