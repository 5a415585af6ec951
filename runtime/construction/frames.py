"""The variables of one running function, class body or comprehension."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tsc.compiler.source import UNKNOWN_RANGE, SourceRange

if TYPE_CHECKING:
    from tsc.runtime.construction.scopes import Scope
    from tsc.runtime.construction.values import FunctionObject


@dataclass(slots=True, eq=False)
class Frame:
    """Names not in `locals` are looked for in the `outer` frames, then in the `scope` of the file.

    `position` is what is being evaluated, for errors. `function` and `receiver`, its first argument,
    are what ``super()`` needs.
    """

    scope: Scope
    outer: Frame | None = None
    locals: dict[str, Any] = field(default_factory=dict)
    function: FunctionObject | None = None
    receiver: Any = None
    is_class: bool = False
    position: SourceRange = UNKNOWN_RANGE
