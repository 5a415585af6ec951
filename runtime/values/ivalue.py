"""The type of what a running program computes with: TorchScript's IValue."""

from __future__ import annotations

from typing import Any, TypeAlias

from tsc.compiler.types import Device, EnumMember
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor

IValue: TypeAlias = (
    bool
    | int
    | float
    | complex
    | str
    | list[Any]
    | tuple[Any, ...]
    | dict[Any, Any]
    | Tensor
    | Device
    | EnumMember
    | ScriptObject
    | None
)
"""For functions that look at what kind of value they have; those that pass values on take ``Any``."""
