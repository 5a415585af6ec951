"""What may take a number that is in a tensor: operators whose sizes do not follow from it, and containers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from tsc.compiler.exir import refusals
from tsc.compiler.exir.data_numbers import HOLDERS, INDEXED, takes_late_number, told_of_size
from tsc.compiler.ir import Node
from tsc.compiler.schema import Argument, Operator
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.data_numbers import DataNumber, data_numbers
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.node_kinds import is_recorded


def refuse_sizes(operator: Operator, values: Sequence[Any]) -> None:
    """Raise `ExportError` where a number that data tells decides how many elements a result has."""
    name = operator.qualified_name.partition(".")[0]
    for argument, value in zip(operator.schema.arguments, values, strict=True):
        if any(True for _ in data_numbers(value)) and not _is_harmless(name, argument, value):
            raise ExportError(
                told_of_size(name, argument),
                hint="compute on all elements and choose with torch.where, or take the size from an argument's",
                refusal=refusals.SIZE,
            )


def _is_harmless(name: str, argument: Argument, value: Any) -> bool:
    is_list = isinstance(value, list | tuple)
    return takes_late_number(name, argument) and (not is_list or name == "aten::roll")


def is_deferred(value: Any) -> bool:
    """Whether a number or truth value that data decides is in a value."""
    if isinstance(value, list | tuple):
        return any(map(is_deferred, cast("Sequence[Any]", value)))
    return isinstance(value, DataNumber | Condition) or (
        isinstance(value, dict) and is_deferred(list(cast("dict[Any, Any]", value).values()))
    )


def refuse_unknown(node: Node, operator: Operator | None, values: Sequence[Any]) -> None:
    """Raise `ExportError` for a node that would have to know a number or truth value that data decides."""
    found = [each for each in values if is_deferred(each)]
    if not found or node.kind in HOLDERS:
        return
    if node.kind in INDEXED and not is_deferred(values[1]):
        return
    if operator is None or not is_recorded(operator) or _has_condition(found):
        raise ExportError(
            f"{node.kind} takes a number or a truth value that data decides",
            hint="compute with tensors: torch.where in the place of if, a tensor of no dimensions in the place of a "
            "number",
            refusal=refusals.READS_OF_VALUES.get(node.kind, refusals.ELEMENT),
        )
    refuse_sizes(operator, values)


def _has_condition(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_condition, cast("Sequence[Any]", value)))
    return isinstance(value, Condition)
