"""Sizes that data decides: what the program checks of them when it runs.

As in ``torch.export`` (PyTorch 2.13): a size is asked of the tensor that has it first, and asserted to be in its
bounds; what an operator needs of it is asserted in front of the operator.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir.symbols.sym_values import SymBool, SymInt
from tsc.compiler.exir.targets import Target, operator_target

if TYPE_CHECKING:
    from tsc.compiler.exir.symbols.environment import ShapeEnvironment
    from tsc.runtime.exporting.recorder import Recorder

_ASSERT: Final = operator_target("aten::_assert_scalar")
_BOUNDS: Final = ("StrictLessThan", "StrictGreaterThan", "LessThan", "GreaterThan")
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
            if not _leaves_one_size(environment, each):
                _check(recorder, each)
            recorder.learn(each)


def _leaves_one_size(environment: ShapeEnvironment, condition: SymBool) -> bool:
    """Whether a bound leaves a symbol one number alone: it is not asserted, as the operator itself fails beyond it.

    PyTorch would take the symbol for the number in all graphs when it loads the program, and refuse that.
    """
    ranges = environment.knowledge.ranges
    symbols = condition.expression.free_symbols
    if len(symbols) != 1 or condition.expression.func.__name__ not in _BOUNDS:
        return False
    (symbol,) = symbols
    around = ranges.get(symbol)
    if around is None or not math.isfinite(around.lower) or not math.isfinite(around.upper):
        return False
    ends = ((around.lower, around.lower + 1), (around.upper, around.upper - 1))
    return around.lower < around.upper and any(
        condition.expression.subs(symbol, int(end)) == True  # noqa: E712 - of SymPy
        and condition.expression.subs(symbol, int(next_to_it)) == False  # noqa: E712
        for end, next_to_it in ends
    )


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
