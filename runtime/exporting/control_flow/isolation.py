"""What programs, and the graphs that data chooses or repeats, must not change outside of themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tsc.compiler.exir import refusals
from tsc.compiler.schema import Operator
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor


def refuse_changes_outside(
    operator: Operator, values: Sequence[Any], made: Mapping[int, Any]
) -> None:
    """Lists and dicts that a branch changes have to be its own, which are `made` in it."""
    for argument, value in zip(operator.schema.arguments, values):
        if argument.is_write and isinstance(value, list | dict) and id(value) not in made:
            raise ExportError(
                f"a {type(value).__name__} from outside is changed in a branch that data decides",
                hint="compute what is put into it in the branch, and put it there behind the branch",
                refusal=refusals.CHANGED_OUTSIDE,
            )


def refuse_assignment_outside(owner: ScriptObject, name: str, made: Mapping[int, Any]) -> None:
    """So have objects whose attributes it sets."""
    if id(owner) not in made:
        raise ExportError(
            f"the attribute {name} is changed in a branch that data decides",
            hint="assign it behind the branch",
            refusal=refusals.CHANGED_OUTSIDE,
        )


def refuse_new_number(owner: ScriptObject, name: str, value: Any) -> None:
    """Attributes of modules may get new tensors; other things have to stay as they are."""
    before = owner.script_attributes[name]
    if isinstance(value, Tensor) or (type(value) is type(before) and value == before):
        return
    raise ExportError(
        f"the attribute {name} of a module is changed, and is no tensor",
        hint="keep it in a buffer: register_buffer, and write to that",
        refusal=refusals.ATTRIBUTE,
    )
