"""What may take a number that is in a tensor: operators whose sizes do not follow from it, and containers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from tsc.compiler.exir import refusals
from tsc.compiler.exir.data_numbers import (
    HOLDERS,
    INDEXED,
    MOVED,
    PLACED,
    may_be_size,
    takes_late_number,
    told_of_size,
)
from tsc.compiler.ir import Node
from tsc.compiler.schema import Argument, Operator
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.late_texts import LateText
from tsc.runtime.exporting.data_numbers import DataNumber, data_numbers
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.node_kinds import is_recorded
from tsc.runtime.exporting.recorder import Recorder


def refuse_sizes(operator: Operator, values: Sequence[Any]) -> None:
    """Raise `ExportError` where a number that data tells decides how many elements a result has."""
    name = operator.qualified_name.partition(".")[0]
    for argument, value in zip(operator.schema.arguments, values, strict=True):
        found = list(data_numbers(value))
        if (
            found
            and not _is_harmless(name, argument, value)
            and not _are_sizes(name, argument, found)
        ):
            raise ExportError(
                told_of_size(name, argument),
                hint="compute on all elements and choose with torch.where, or take the size from an argument's",
                refusal=refusals.SIZE,
            )


def _is_harmless(name: str, argument: Argument, value: Any) -> bool:
    is_list = isinstance(value, list | tuple)
    return takes_late_number(name, argument) and (not is_list or name == "aten::roll")


def _are_sizes(name: str, argument: Argument, numbers: Sequence[DataNumber]) -> bool:
    """Whether whole numbers stand where symbols can be."""
    return may_be_size(name, argument) and all(each.kind is int for each in numbers)


def with_sizes(recorder: Recorder, operator: Operator, values: Sequence[Any]) -> list[Any]:
    """Arguments with symbols in the place of the numbers out of tensors that decide sizes."""
    name = operator.qualified_name.partition(".")[0]
    return [
        value if _is_harmless(name, argument, value) else _sized(recorder, value)
        for argument, value in zip(operator.schema.arguments, values, strict=True)
    ]


def _sized(recorder: Recorder, value: Any) -> Any:
    if isinstance(value, DataNumber):
        return size_of(recorder, value)
    if not isinstance(value, list | tuple) or not any(True for _ in data_numbers(value)):
        return value
    parts = [_sized(recorder, each) for each in cast("Sequence[Any]", value)]
    return parts if isinstance(value, list) else tuple(parts)


def size_of(recorder: Recorder, number: DataNumber) -> Any:
    """A whole number out of a tensor as a symbol, or as an expression of those that it was computed of."""
    if number.origin is None:
        return recorder.size_of(number)
    kind, operands = number.origin
    parts = [size_of(recorder, e) if isinstance(e, DataNumber) else e for e in operands]
    return recorder.have_sizes().arithmetic(kind, *parts)


def is_deferred(value: Any) -> bool:
    """Whether a number or truth value that data decides is in a value."""
    if isinstance(value, list | tuple):
        return any(map(is_deferred, cast("Sequence[Any]", value)))
    return isinstance(value, DataNumber | Condition | LateText) or (
        isinstance(value, dict) and is_deferred(list(cast("dict[Any, Any]", value).values()))
    )


def refuse_unknown(node: Node, operator: Operator | None, values: Sequence[Any]) -> None:
    """Raise `ExportError` for a node that would have to know a number or truth value that data decides."""
    found = [each for each in values if is_deferred(each)]
    asks_text = bool(values) and isinstance(values[0], LateText) and node.kind not in PLACED
    if not found or (node.kind in HOLDERS and not asks_text):
        return
    if node.kind in INDEXED and not asks_text and not is_deferred(values[1]):
        return
    if node.kind in MOVED and isinstance(values[0], list) and not any(map(_is_late, values)):
        return
    if operator is None or not is_recorded(operator) or _has(Condition, found):
        raise ExportError(
            f"{node.kind} takes a number, a truth value or a text that data decides",
            hint="compute with tensors: torch.where in the place of if, a tensor of no dimensions in the place of a "
            "number",
            refusal=refusals.TEXT if _has(LateText, found) else refusals.ELEMENT,
        )
    refuse_sizes(operator, values)


def _is_late(value: Any) -> bool:
    return isinstance(value, DataNumber | Condition)


def _has(kind: type[Any], value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_has(kind, each) for each in cast("Sequence[Any]", value))
    return isinstance(value, kind)
