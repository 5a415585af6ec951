"""``while_loop``: a loop that data ends, as two graphs: whether it turns again, and what a turn does.

Carried are the number of the turn, whether the loop goes on, and what turns change: all of them as tensors, numbers
without dimensions. What stays the same in each turn is an operand, or a constant. A turn must give tensors of the
sizes and dtypes that it took.
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
from tsc.runtime.exporting.control_flow.wide_numbers import like, tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber
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

    def capture(self) -> list[Any]:
        """Note the loop; what is carried when it ends, as its results are in this run."""
        self._find_changed()
        leaves, spec = tree_flatten(self.state)
        start = [tensor_of(self.recorder, leaves[place]) for place in self._places]
        body, results = self._body(leaves, spec)
        self._check_alike(start, results)
        if self.recorder.sizes is not None:
            for first, second in zip(start, results, strict=True):
                self.recorder.sizes.equate(self.recorder.known(first), body.known(second))
        condition, operands = self._condition(leaves), body.operands
        shared = list({id(each): each for each in (*operands, *condition.operands)}.values())
        for each in (condition, body):
            each.take_operands(shared)
        outputs = self._note(start, shared, condition, body)
        found = list(leaves)
        for place, each in zip(self._places, outputs):
            found[place] = like(self.recorder, leaves[place], each)
        self._run_on(found, outputs, spec)
        return spec.unflatten(found)[2:]

    @property
    def _places(self) -> list[int]:
        return sorted(self.changed)

    # -- What is carried ---------------------------------------------------------------------------

    def _find_changed(self) -> None:
        """Run the body until no more of the state is found to change."""
        self.changed = {0}
        while True:
            leaves, spec = tree_flatten(self.state)
            before, after = self._tried(leaves, spec)
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
            if len(before) == len(following) and not found:
                return
            self.changed |= found
            for place in found:
                _refuse_uncarried(leaves[place])

    def _tried(self, leaves: list[Any], spec: TreeSpec) -> tuple[list[Any], list[Any]]:
        recorder = Rehearsal(self.recorder)
        inside = self._inside(recorder, leaves)
        return inside, self._turned(recorder, inside, spec)

    def _close(self, after: list[Any]) -> None:
        """Give what was open before the loop the form that it gets in it."""
        for place in self.open_places:
            if self.state[place] is None and after[place] is not None:
                self.state[place] = zeros_like(self.recorder, after[place])

    def _inside(self, recorder: BranchRecorder, leaves: list[Any]) -> list[Any]:
        """The leaves as the body sees them: those that change are inputs of its graph."""
        inside = list(leaves)
        for number, place in enumerate(self._places):
            tensor = Tensor(np.array(_elements(leaves[place])))
            recorder.carried(f"arg{number}_1", tensor, self._form(leaves[place], tensor))
            inside[place] = like(recorder, leaves[place], tensor)
        return inside

    def _form(self, leaf: Any, tensor: Tensor) -> FakeTensor:
        """The sizes of what is carried: those that it begins with."""
        return self.recorder.known(leaf) if isinstance(leaf, Tensor) else fake_tensor(tensor)

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
    ) -> list[Tensor]:
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
        made = [Tensor(np.array(each.array)) for each in start]
        for result, before in zip(made, start, strict=True):
            recorder.separations.note(result, before)
        recorder.set_parts(call, tuple(made), list(map(recorder.known, start)))
        return made

    def _check_alike(self, start: Sequence[Tensor], results: Sequence[Tensor]) -> None:
        for before, after in zip(start, results, strict=True):
            if before.array.shape != after.array.shape or before.array.dtype != after.array.dtype:
                raise _refused(
                    f"a turn of this loop, which data ends, makes a {after.dtype} of {list(after.array.shape)} of a "
                    f"{before.dtype} of {list(before.array.shape)}"
                )

    # -- This run ----------------------------------------------------------------------------------

    def _run_on(self, found: list[Any], made: list[Tensor], spec: TreeSpec) -> None:
        """Turn as often as this run does: what follows is captured on what the loop gives."""
        trips = self.trips.hint if isinstance(self.trips, DataNumber) else self.trips
        while self._holds(found, spec) and found[0].hint < trips:
            recorder = Rehearsal(self.recorder)
            after, _ = tree_flatten(self._turned(recorder, self._inside(recorder, found), spec))
            made[0].array[...] += 1
            for place, each in zip(self._places[1:], made[1:]):
                each.array[...] = tensor_of(recorder, after[place]).array

    def _holds(self, found: list[Any], spec: TreeSpec) -> bool:
        goes_on = spec.unflatten(found)[1]
        return goes_on.hint if isinstance(goes_on, Condition) else bool(goes_on)


def _elements(value: Any) -> np.ndarray:
    """Those of a leaf in this run, without dimensions if it is a number."""
    if isinstance(value, Tensor):
        return value.array
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
    if not isinstance(value, Tensor | DataNumber | Condition | SymValue | bool | int | float):
        word = "None" if value is None else f"a {type(value).__name__}"
        raise _refused(f"a loop that data ends carries {word}, and changes it")


def _refused(message: str) -> ExportError:
    return ExportError(
        message,
        hint="carry tensors of one size, and numbers: write into a tensor that has room for all turns, and narrow it "
        "afterwards",
        refusal=refusals.LOOP,
    )
