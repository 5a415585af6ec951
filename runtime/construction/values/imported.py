"""What imports give: modules that tsc knows, other source files, and names for annotations alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tsc.compiler.emit.names.absent_names import absent_member
from tsc.compiler.source import UNKNOWN_RANGE
from tsc.runtime.construction.values.protocol import MISSING, Evaluator, Scope
from tsc.runtime.construction.values.value import Value


@dataclass(slots=True)
class Namespace(Value):
    """A module that tsc knows, by its path: ``torch.nn``, ``math``."""

    path: str

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        return evaluator.member_of(self.path, name)

    def no_attribute(self, evaluator: Evaluator, name: str) -> str:
        message = f"module '{self.path}' has no attribute '{name}' that tsc knows"
        absence = absent_member(self.path, name)
        if absence is not None:
            return f"{message}. {absence}"
        near = evaluator.similar_member(self.path, name)
        return f"{message}: did you mean '{near}'?" if near else message

    def is_same(self, other: Any) -> bool:
        """Namespaces are made anew at each look, and are the same nonetheless."""
        return self == other

    def __repr__(self) -> str:
        return f"<module '{self.path}'>"


@dataclass(slots=True, eq=False)
class SourceModule(Value):
    """Another source file, by the path that an import gives it; a folder has files in it."""

    path: str
    scope: Scope
    file: Callable[[str], SourceModule | None]

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        found = self.scope.find(name, UNKNOWN_RANGE)
        return (self.file(name) or MISSING) if found is MISSING else found

    def no_attribute(self, evaluator: Evaluator, name: str) -> str:
        return f"module '{self.path}' has no attribute '{name}'"

    def __repr__(self) -> str:
        return f"<module '{self.path}'>"


@dataclass(slots=True)
class TypeForm(Value):
    """Something that is only good for annotations: ``Optional[int]``, ``TypeVar("T")``."""

    name: str

    def find_attribute(self, evaluator: Evaluator, name: str) -> Any:
        return MISSING

    def call(self, evaluator: Evaluator, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        evaluator.step()
        return TypeForm(self.name)

    def get_item(self, evaluator: Evaluator, key: Any) -> Any:
        return self

    def is_same(self, other: Any) -> bool:
        return self == other

    def alternatives(self) -> tuple[Any, ...]:
        return (self,)
