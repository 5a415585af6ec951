"""``while_loop``: a loop that data ends, as two graphs: whether it turns again, and what a turn does.

Carried are the number of the turn, whether the loop goes on, and what turns change: all of them as tensors, numbers
without dimensions. What stays the same in each turn is an operand, or a constant. A turn must give tensors of the
dimensions and dtypes that it took; a size that turns change is a symbol in each of the graphs, and another one behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.pytrees import TreeSpec, tree_flatten
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.exir.targets import WHILE_LOOP
from tsc.runtime.exporting.branch_recorder import BranchRecorder, Rehearsal
from tsc.runtime.exporting.control_flow.branches import own_outputs, zeros_like
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.tensor_arrays import array_with_sources
from tsc.runtime.exporting.control_flow.wide_numbers import like, tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber, TensorArray, held_tensor
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.tensors import fake_tensor
from tsc.runtime.values.tensor import Tensor

_ENDLESS: Final = 1 << 62
"""Of ``while`` loops: as many turns as there may be."""

Turn = Callable[[BranchRecorder, list[Any]], list[Any]]
"""Runs the body on the number of the turn and what is carried; gives whether it goes on, and what is carried then."""


@dataclass(slots=True)
class Loop:
    """A loop of a program from some turn on: `state` is the turn, whether it goes on, and what is carried."""

    recorder: Recorder
    turn: Turn
    trips: DataNumber | int
    state: list[Any]
    open_places: set[int]
    """What nobody has computed before the loop, and nobody reads unless it has turned."""
    changed: set[int] = field(default_factory=set[int])
    """The leaves of the state that turns change."""
    resized: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Leaves, and their dimensions, whose size turns change."""

    def capture(self) -> list[Any]:
        """Note the loop; what is carried when it ends, as its results are in this run."""
        self._find_changed()
        leaves, spec = tree_flatten(self.state)
        start = [tensor_of(self.recorder, leaves[place]) for place in self._places]
        body, results = self._body(leaves, spec)
        self._check_alike(start, results)
        self._equate(start, body, results)
        condition, operands = self._condition(leaves), body.operands
        shared = list({id(each): each for each in (*operands, *condition.operands)}.values())
        for each in (condition, body):
            each.take_operands(shared)
        outputs = self._note(start, shared, condition, body, self._ended(leaves, spec))
        found = list(leaves)
        for place, each in zip(self._places, outputs):
            found[place] = self._behind(leaves[place], each, [*start, *shared, *outputs])
        return spec.unflatten(found)[2:]

    def _behind(self, before: Any, result: Tensor, others: list[Tensor]) -> Any:
        """What a result is behind the loop; elements of lists may be any of the `others`."""
        if isinstance(before, TensorArray):
            sources = [each for each in others if each is not result]
            return array_with_sources(self.recorder, result, before.kind, sources)
        return like(self.recorder, before, result)

    @property
    def _places(self) -> list[int]:
        return sorted(self.changed)

    # -- What is carried ---------------------------------------------------------------------------

    def _find_changed(self) -> None:
        """Run the body until no more of the state is found to change."""
        self.changed = {0}
        while True:
            leaves, spec = tree_flatten(self.state)
            recorder = Rehearsal(self.recorder)
            before = self._inside(recorder, leaves)
            after = self._turned(recorder, before, spec)
            self._close(after)
            following, other = tree_flatten(after)
            leaves, spec = tree_flatten(self.state)
            if spec != other:
                raise _refused("data decides how what a loop carries is nested")
            found = {
                place
                for place, (old, new) in enumerate(zip(before, following))
                if place not in self.changed and not _same(old, new)
            }
            resized = self._newly_resized(recorder, leaves, following)
            if len(before) == len(following) and not found and not resized:
                return
            self.changed |= found
            self.resized |= resized
            for place in found:
                _refuse_uncarried(leaves[place])

    def _newly_resized(
        self, recorder: BranchRecorder, leaves: list[Any], following: list[Any]
    ) -> set[tuple[int, int]]:
        """The dimensions whose size a turn changes, in this run or in others."""
        return {
            (place, dim)
            for place in self._places
            for old, new in [(held_tensor(leaves[place]), held_tensor(following[place]))]
            if old is not None and new is not None and old.array.ndim == new.array.ndim
            for dim, sizes in enumerate(
                zip(self.recorder.known(old).size, recorder.known(new).size, strict=True)
            )
            if (place, dim) not in self.resized and self._may_differ(*sizes)
        }

    def _may_differ(self, first: Any, second: Any) -> bool:
        sizes = self.recorder.sizes
        return first != second if sizes is None else sizes.may_differ(first, second)

    def _close(self, after: list[Any]) -> None:
        """Give what was open before the loop the form that it gets in it."""
        for place in self.open_places:
            if self.state[place] is None and after[place] is not None:
                self.state[place] = zeros_like(self.recorder, after[place])

    def _inside(
        self, recorder: BranchRecorder, leaves: list[Any], now: list[Any] | None = None
    ) -> list[Any]:
        """The leaves as the body sees them: those that change are inputs of its graph.

        `now` is what they are in a later turn.
        """
        inside = list(leaves)
        for number, place in enumerate(self._places):
            tensor = Tensor(np.array(_elements((now or leaves)[place])))
            recorder.carried(f"arg{number}_1", tensor, self._form(place, leaves[place], tensor))
            inside[place] = like(recorder, leaves[place], tensor)
        return inside

    def _form(self, place: int, leaf: Any, tensor: Tensor) -> FakeTensor:
        """The sizes of what is carried: those that it begins with, and new symbols for those that turns change."""
        held = held_tensor(leaf)
        if held is None:
            return fake_tensor(tensor)
        known = self.recorder.known(held)
        dims = [dim for at, dim in self.resized if at == place]
        if not dims:
            return known
        sizes, found = self.recorder.have_sizes(), list(known.size)
        for dim in sorted(dims):
            found[dim] = sizes.environment.carried_size(tensor.array.shape[dim])
        return sizes.with_sizes(fake_tensor(tensor), found)

    def _turned(self, recorder: BranchRecorder, inside: list[Any], spec: TreeSpec) -> list[Any]:
        """The state after a turn."""
        turn, _, *carried = spec.unflatten(inside)
        results = self.turn(recorder, [turn, *carried])
        return [turn, *results]

    # -- The graphs --------------------------------------------------------------------------------

    def _body(self, leaves: list[Any], spec: TreeSpec) -> tuple[BranchRecorder, list[Tensor]]:
        recorder = BranchRecorder(self.recorder, WHILE_LOOP)
        inside = self._inside(recorder, leaves)
        after, _ = tree_flatten(self._turned(recorder, inside, spec))
        turn = inside[0].tensor
        following = recorder.run("aten::add", "Tensor", [turn, 1], turn.array + 1)
        changed = [tensor_of(recorder, after[place]) for place in self._places[1:]]
        results = own_outputs(recorder, [following, *changed])
        recorder.graph.output(tuple([recorder.node_of(each) for each in results]))
        return recorder, results

    def _condition(self, leaves: list[Any]) -> BranchRecorder:
        """Whether it turns again: there are turns left, and nothing has ended it."""
        recorder = BranchRecorder(self.recorder, WHILE_LOOP)
        turn, goes_on, *_ = self._inside(recorder, leaves)
        found = goes_on.tensor if isinstance(goes_on, Condition) else None
        if isinstance(self.trips, DataNumber) or self.trips < _ENDLESS:
            left = _turns_left(recorder, turn, self.trips)
            found = left if found is None else _both(recorder, left, found)
        assert found is not None
        (result,) = own_outputs(recorder, [found])
        recorder.graph.output(recorder.node_of(result))
        return recorder

    def _note(
        self,
        start: list[Tensor],
        operands: list[Tensor],
        condition: BranchRecorder,
        body: BranchRecorder,
        made: list[Tensor],
    ) -> list[Tensor]:
        """Note the loop, which gives the tensors `made` in this run."""
        recorder = self.recorder
        names = [
            recorder.add_module(name, each.module())
            for name, each in (
                ("while_loop_cond_graph", condition),
                ("while_loop_body_graph", body),
            )
        ]
        nodes = tuple([recorder.node_of(each) for each in start])
        additional = tuple([recorder.node_of(each) for each in operands])
        graphs = [recorder.graph.get_attr(each) for each in names]
        call = recorder.graph.call_function(WHILE_LOOP, (*graphs, nodes, additional))
        for result, before in zip(made, start, strict=True):
            recorder.separations.note(result, before)
        forms = [self._form(*each) for each in zip(self._places, start, made, strict=True)]
        recorder.set_parts(call, tuple(made), forms)
        return made

    def _check_alike(self, start: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        for before, after in zip(start, results, strict=True):
            if before.array.ndim != after.array.ndim or before.array.dtype != after.array.dtype:
                raise _refused(
                    f"a turn of this loop, which data ends, makes a {after.dtype} of {list(after.array.shape)} of a "
                    f"{before.dtype} of {list(before.array.shape)}"
                )

    def _equate(self, start: list[Tensor], body: BranchRecorder, results: list[Tensor]) -> None:
        """What turns do not change stays as long as it was."""
        sizes = self.recorder.sizes
        if sizes is None:
            return
        for place, first, second in zip(self._places, start, results, strict=True):
            pairs = zip(self.recorder.known(first).size, body.known(second).size, strict=True)
            for dim, (a, b) in enumerate(pairs):
                if (place, dim) not in self.resized:
                    sizes.equate(a, b)

    # -- This run ----------------------------------------------------------------------------------

    def _ended(self, leaves: list[Any], spec: TreeSpec) -> list[Tensor]:
        """What is carried when this run ends the loop: what follows is captured on it."""
        trips = self.trips.hint if isinstance(self.trips, DataNumber) else self.trips
        now = leaves
        while True:
            recorder = Rehearsal(self.recorder)
            inside = self._inside(recorder, leaves, now)
            if inside[0].hint >= trips or not self._holds(inside, spec):
                return [Tensor(np.array(_elements(inside[each]))) for each in self._places]
            after, _ = tree_flatten(self._turned(recorder, inside, spec))
            now = [inside[0].hint + 1, *after[1:]]

    def _holds(self, found: list[Any], spec: TreeSpec) -> bool:
        goes_on = spec.unflatten(found)[1]
        return goes_on.hint if isinstance(goes_on, Condition) else bool(goes_on)


def _elements(value: Any) -> np.ndarray:
    """Those of a leaf in this run, without dimensions if it is a number."""
    held = held_tensor(value)
    if held is not None:
        return held.array
    is_late = isinstance(value, DataNumber | Condition | SymValue)
    return np.array(value.hint if is_late else value)


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, bool | int | float | str):
        return type(before) is type(after) and before == after
    return before is after


def _turns_left(recorder: Recorder, turn: DataNumber, trips: DataNumber | int) -> Tensor:
    number = turn.tensor
    if isinstance(trips, int):
        return recorder.run("aten::lt", "Scalar", [number, trips], number.array < trips)
    bound = trips.tensor
    return recorder.run("aten::lt", "Tensor", [number, bound], number.array < bound.array)


def _both(recorder: Recorder, first: Tensor, second: Tensor) -> Tensor:
    found = np.logical_and(first.array, second.array)
    return recorder.run("aten::logical_and", "", [first, second], found)


def _refuse_uncarried(value: Any) -> None:
    carried = Tensor | TensorArray | DataNumber | Condition | SymValue | bool | int | float
    if not isinstance(value, carried):
        word = "None" if value is None else f"a {type(value).__name__}"
        raise _refused(f"a loop that data ends carries {word}, and changes it")


def _refused(message: str) -> ExportError:
    return ExportError(
        message,
        hint="carry tensors of one size, and numbers: write into a tensor that has room for all turns, and narrow it "
        "afterwards",
        refusal=refusals.LOOP,
    )
