"""Hooks of a module: functions of its own that run before and after ``forward`` when the module itself is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.exir import refusals
from tsc.compiler.ir import Function
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.objects import ScriptObject, method_of

Run = Callable[[Function, Sequence[Any]], Any]
"""Gives the result of a function."""


def run_with_hooks(run: Run, forward: Function, values: Sequence[Any], given: int) -> Any:
    """The result of a call of a module, of whose `values` so many are given by position, after the module.

    What a hook returns takes the place of the arguments, or of the result, unless it is None.
    """
    owner: ScriptObject = values[0]
    arguments, rest = tuple(values[1 : 1 + given]), values[1 + given :]
    for name in owner.script_type.forward_pre_hooks:
        arguments = _replaced(arguments, run(method_of(owner, name), [owner, arguments]))
    result = run(forward, [owner, *arguments, *rest])
    for name in owner.script_type.forward_hooks:
        changed = run(method_of(owner, name), [owner, arguments, result])
        result = result if changed is None else changed
    return result


def _replaced(arguments: tuple[Any, ...], changed: Any) -> tuple[Any, ...]:
    if changed is None:
        return arguments
    found: tuple[Any, ...] = changed if isinstance(changed, tuple) else (changed,)
    if len(found) != len(arguments):
        raise ExportError(
            f"a hook gives {len(found)} arguments in the place of {len(arguments)}",
            refusal=refusals.HOOKS,
        )
    return found
