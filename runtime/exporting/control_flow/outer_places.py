"""Attributes and containers from outside that branches and loops change: graphs give what these hold when they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tsc.compiler.exir import refusals
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.runtime.exporting.control_flow.tensor_arrays import ElementForm
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.values.objects import ScriptObject

Run = Callable[[], list[Any]]


@dataclass(frozen=True, slots=True)
class AttributePlace:
    """An attribute of an object."""

    owner: ScriptObject
    name: str

    @property
    def key(self) -> tuple[int, str]:
        return id(self.owner), self.name

    def get(self) -> Any:
        return self.owner.script_attributes[self.name]

    def set(self, value: Any) -> None:
        self.owner.script_attributes[self.name] = value

    def __str__(self) -> str:
        return f"the attribute {self.name}"


@dataclass(frozen=True, slots=True)
class ContainerPlace:
    """What a list or dict holds."""

    container: Any

    @property
    def owner(self) -> Any:
        return self.container

    @property
    def key(self) -> tuple[int, str]:
        return id(self.container), ""

    def get(self) -> Any:
        kind = dict if isinstance(self.container, dict) else list
        return kind(self.container)

    def set(self, value: Any) -> None:
        self.container.clear()
        (self.container.update if isinstance(self.container, dict) else self.container.extend)(
            value
        )

    def __str__(self) -> str:
        return f"a {'dict' if isinstance(self.container, dict) else 'list'} from outside"


Place = AttributePlace | ContainerPlace


class OuterChangeError(ExportError):
    """A graph changes something outside of it. It can do so if it is given what that holds, and gives it back."""

    def __init__(self, changed: Place, range: SourceRange = UNKNOWN_RANGE) -> None:
        super().__init__(
            f"{changed} is changed in a branch that data decides",
            range,
            hint="compute what it gets in the branch, and put it there behind the branch",
            refusal=refusals.CHANGED_OUTSIDE,
        )
        self.changed = changed

    def resized(self, form: ElementForm | None) -> ResizedError:
        """Of a container that gets longer or shorter: a list of elements of this form, if they have one."""
        return ResizedError(self, form)

    def at(self, range: SourceRange) -> OuterChangeError:
        return OuterChangeError(self.changed, range)


class ResizedError(ExportError):
    """A list or dict gets longer or shorter. A list of tensors of one size, or of numbers, can do so as one tensor."""

    def __init__(self, change: OuterChangeError, form: ElementForm | None) -> None:
        super().__init__(
            f"{change.changed} gets longer or shorter in a branch or loop that data decides",
            change.range,
            hint="put elements of one size into a list, and make a tensor of it; or write into a tensor that "
            "has room for all turns, and take as much of it as was written",
            refusal=refusals.CHANGED_OUTSIDE,
        )
        self.change, self.form = change, form

    def at(self, range: SourceRange) -> ResizedError:
        return ResizedError(OuterChangeError(self.change.changed, range), self.form)


def keeping(places: Sequence[Place], run: Run, starts: Sequence[Any] | None = None) -> Run:
    """What runs the same from these values on, and gives what the places hold then; they hold what they did before."""

    def kept() -> list[Any]:
        before = [each.get() for each in places]
        try:
            for each, value in zip(places, starts or ()):
                each.set(value)
            return [*run(), *[each.get() for each in places]]
        finally:
            for each, value in zip(places, before, strict=True):
                each.set(value)

    return kept
