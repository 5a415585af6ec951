"""Where a run that is captured is, and what it has made: shared by all that runs nodes."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tsc.compiler.exir.symbols.sym_values import SymBool
from tsc.runtime.context.grad_mode import NoGrad, is_grad_enabled, set_grad_enabled
from tsc.runtime.exporting.control_flow.late_values import late
from tsc.runtime.exporting.frames import Frame, metadata_of, place_of, source_function
from tsc.runtime.exporting.recorder import Recorder


@dataclass(slots=True)
class CaptureState:
    """`recorder` writes the graph of the branch that runs now; `modules` tells the path of each module object."""

    recorder: Recorder
    modules: Mapping[int, str]
    strict: bool = False
    frames: list[Frame] = field(default_factory=list[Frame])
    own: set[int] = field(default_factory=set[int])
    """The objects that the program made."""
    made: dict[int, Any] | None = None
    """In a branch that data decides, what it made: nothing else may be changed there."""
    regions: list[NoGrad] = field(default_factory=list[NoGrad])
    """Those without gradients, the innermost last."""

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
