"""What the graphs that data chooses or repeats must not change outside of themselves, unless it is their result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tsc.compiler.exir import refusals
from tsc.compiler.schema import Operator
from tsc.runtime.exporting.capture_state import CaptureState
from tsc.runtime.exporting.control_flow.outer_places import (
    AttributePlace,
    ContainerPlace,
    OuterChangeError,
    Place,
)
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.objects import ScriptObject


def refuse_changes_outside(state: CaptureState, operator: Operator, values: Sequence[Any]) -> None:
    """Lists and dicts that a branch changes have to be its own, which are made in it, or results of it."""
    for argument, value in zip(operator.schema.arguments, values):
        if argument.is_write and isinstance(value, list | dict):
            _refuse_chosen(state, value)
            refuse_outside(state, ContainerPlace(value), value)


def _refuse_chosen(state: CaptureState, value: Any) -> None:
    if any(value is each for each in state.recorder.chosen):
        raise ExportError(
            f"a {type(value).__name__} is changed that data has chosen, or could have chosen, out of a list",
            hint="change a copy of it",
            refusal=refusals.CHANGED_OUTSIDE,
        )


def refuse_assignment_outside(state: CaptureState, owner: ScriptObject, name: str) -> None:
    """So have objects whose attributes it sets."""
    refuse_outside(state, AttributePlace(owner, name), owner)


def refuse_outside(state: CaptureState, changed: Place, owner: Any) -> None:
    """Raise `OuterChangeError` in a branch that neither made the owner nor gives what the place holds."""
    made = state.made
    if made is not None and id(owner) not in made and changed.key not in state.open_places:
        raise OuterChangeError(changed)
