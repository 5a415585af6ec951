"""``copy.copy`` and ``copy.deepcopy`` of the values of a program."""

from __future__ import annotations

from typing import Any

from tsc.compiler.budget import charge_step
from tsc.runtime.construction.host.host_types import as_value


def deep_copy(value: Any, known: dict[int, Any] | None = None) -> Any:
    """A copy that shares nothing but classes and functions; what was one object stays one."""
    copies = {} if known is None else known
    if id(value) not in copies:
        charge_step()
        copies[id(value)] = value  # for what refers to itself before its copy is known
        made = as_value(value).deep_copy(copies, lambda each: deep_copy(each, copies))
        copies[id(value)] = made
    return copies[id(value)]


def shallow_copy(value: Any) -> Any:
    """A copy that holds the same values."""
    return as_value(value).shallow_copy()
