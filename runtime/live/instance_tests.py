"""``tsc.isinstance``: whether a value of Python is of a type such as ``List[int]``."""

from __future__ import annotations

import builtins
import enum
from typing import Any

from tsc.compiler.source import UNKNOWN_RANGE
from tsc.runtime.live.compilation import compilation
from tsc.runtime.live.known_objects import declare
from tsc.runtime.python_api.ivalue import inferred
from tsc.runtime.values.value_types import Mismatch, fits


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether a value is of a type such as ``List[int]``, its elements included."""
    if builtins.isinstance(target_type, tuple):
        return any(isinstance(obj, each) for each in target_type)
    if builtins.isinstance(target_type, type) and not issubclass(target_type, enum.Enum):
        return builtins.isinstance(obj, target_type)
    type_ = compilation().type_of_annotation(target_type, compilation().outside, UNKNOWN_RANGE)
    if type_ is None:
        return builtins.isinstance(obj, target_type)
    if fits(obj, type_):
        return True
    try:
        return inferred(obj)[1].is_subtype_of(type_)
    except Mismatch:
        return False


declare(isinstance, "torch.jit.isinstance")
