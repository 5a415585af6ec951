"""Sizes that data decides: what the program checks of them when it runs.

As in ``torch.export`` (PyTorch 2.13): a size is asked of the tensor that has it first, and asserted to be in its
bounds; what an operator needs of it is asserted in front of the operator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir.symbols.sym_values import SymBool, SymInt
from tsc.compiler.exir.targets import Target, operator_target

if TYPE_CHECKING:
    from tsc.compiler.exir.symbols.environment import ShapeEnvironment
    from tsc.runtime.exporting.recorder import Recorder

_ASSERT: Final = operator_target("aten::_assert_scalar")
COMPARISONS: Final = {
    "Equality": "eq",
    "Unequality": "ne",
    "StrictLessThan": "lt",
    "StrictGreaterThan": "gt",
    "LessThan": "le",
    "GreaterThan": "ge",
}
"""The functions of Python for relations of SymPy."""


def note_requirements(environment: ShapeEnvironment, recorder: Recorder) -> None:
    """Check what operators need of numbers that data decides."""
    conditions, environment.requirements = environment.requirements, []
    for each in conditions:
        if not environment.known(each):
            _check(recorder, each)
            recorder.learn(each)


def note_new_sizes(environment: ShapeEnvironment, recorder: Recorder) -> None:
    """Check the bounds of new sizes that data decides, once there are tensors that have them."""
    waiting: list[Any] = []
    found, environment.new_sizes = environment.new_sizes, []
    for size in found:
        if recorder.size_nodes.is_known(size):
            _check_bounds(environment, recorder, size)
        else:
            waiting.append(size)
    environment.new_sizes += waiting


def _check_bounds(environment: ShapeEnvironment, recorder: Recorder, size: SymInt) -> None:
    most = environment.upper_bound(size)
    least = environment.lower_bound(size)
    _assert(recorder, "ge", (recorder.argument(size), least), size >= least, f"{size} >= {least}")
    if most is not None:
        _assert(recorder, "le", (recorder.argument(size), most), size <= most, f"{size} <= {most}")


def _check(recorder: Recorder, condition: SymBool) -> None:
    expression = condition.expression
    name = COMPARISONS[expression.func.__name__]
    sizes = recorder.sizes
    assert sizes is not None
    nodes = recorder.size_nodes
    sides = [
        sizes.node_of_expression(each, nodes.known, nodes.computed) for each in expression.args
    ]
    _assert(recorder, name, tuple(sides), condition, str(expression))


def _assert(recorder: Recorder, name: str, sides: Any, held: Any, told: str) -> None:
    node = recorder.number(Target(f"operator.{name}"), sides, held)
    text = f"Runtime assertion failed for expression {told} on node {node.name!r}"
    recorder.number(_ASSERT, (node, text), None)
