"""Where a run that is captured is, and what it has made: shared by all that runs nodes."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from tsc.compiler.exir.symbols.sym_values import SymBool
from tsc.compiler.schema import Operator
from tsc.compiler.source import SourceRange
from tsc.runtime.context.grad_mode import NoGrad, is_grad_enabled, set_grad_enabled
from tsc.runtime.exporting.control_flow.late_values import late
from tsc.runtime.exporting.frames import Frame, metadata_of, place_of, source_function
from tsc.runtime.exporting.module_state import ModuleState
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.values.objects import ScriptObject


@dataclass(slots=True)
class CaptureState:
    """`recorder` writes the graph of the branch that runs now; `modules` tells the path of each module object."""

    recorder: Recorder
    modules: Mapping[int, str]
    kept: ModuleState | None = None
    """What the module holds whose method runs."""
    strict: bool = False
    frames: list[Frame] = field(default_factory=list[Frame])
    own: set[int] = field(default_factory=set[int])
    """The objects that the program made."""
    made: dict[int, Any] | None = None
    """In a branch that data decides, what it made: nothing else may be changed there."""
    open_places: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    """What else may be changed there: it is a result of the branch."""
    regions: list[NoGrad] = field(default_factory=list[NoGrad])
    """Those without gradients, the innermost last."""

    def note_assignment(self, owner: ScriptObject, name: str, place: SourceRange) -> None:
        """An attribute is about to be assigned that was there before."""
        if (id(owner), name) not in self.open_places:
            self.recorder.undo_log.before_assignment(owner, name)
        if self.kept is not None:
            self.kept.note_assignment(owner, name, place)

    def note_made(self, value: Any) -> None:
        """A list or dict that is new, if it is one: a branch may change its own."""
        if self.made is not None and isinstance(value, list | dict):
            self.made[id(value)] = value

    def note_all_made(self, values: Iterable[Any]) -> None:
        """The same of all that is nested in them."""
        for each in values:
            self.note_made(each)
            if isinstance(each, dict):
                self.note_all_made(cast("dict[Any, Any]", each).values())
            elif isinstance(each, list | tuple):
                self.note_all_made(cast("Sequence[Any]", each))

    def note_changes(self, operator: Operator, values: Sequence[Any], place: SourceRange) -> None:
        """The lists and dicts that an operator is about to change."""
        if self.kept is None:
            return
        for argument, value in zip(operator.schema.arguments, values):
            if argument.is_write and isinstance(value, list | dict):
                self.kept.note_change(value, place)

    def enter(self, region: NoGrad) -> None:
        """Begin a region without gradients."""
        region.__enter__()
        self.regions.append(region)
        self.recorder.mark_gradients()

    def exit(self) -> None:
        """End the region that was begun last."""
        self.regions.pop().__exit__()
        self.recorder.mark_gradients()

    @contextmanager
    def gradients_kept(self) -> Generator[None]:
        """Leave the regions that are begun meanwhile, and switch gradients as they were, whatever happens."""
        count, before = len(self.regions), is_grad_enabled()
        try:
            yield
        finally:
            while len(self.regions) > count:
                self.regions.pop().__exit__()
            set_grad_enabled(before)

    def place(self) -> str:
        """Of the node that runs, for constraints that follow from it."""
        return place_of(self.frames[-1])

    def tell_place(self) -> Recorder:
        """The recorder, whose next nodes come from where the program is."""
        self.recorder.metadata = metadata_of(self.frames, self.modules)
        self.recorder.source_function = source_function(self.frames)
        return self.recorder

    def settled(self, value: Any) -> Any:
        """A number or condition on sizes that the program goes by: that of this run, as a constraint.

        What data decides of it is in a tensor.
        """
        sizes = self.recorder.sizes
        if sizes is None:
            return value
        if not sizes.has_late(value):
            return sizes.environment.specialize(value)
        known = sizes.environment.known(value) if isinstance(value, SymBool) else None
        return late(self.tell_place(), value) if known is None else known
