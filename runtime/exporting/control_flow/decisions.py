"""Branches and loops of a program: those that are known go their way, those that data decides become graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from tsc.compiler.exir import refusals
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.symbols.sym_values import SymBool
from tsc.compiler.ir import Block, Node, prim
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.exporting.branch_recorder import BranchRecorder, OuterWriteError
from tsc.runtime.exporting.capture_state import CaptureState
from tsc.runtime.exporting.control_flow.assertions import note_assertion, raising
from tsc.runtime.exporting.control_flow.branches import Branch, joined, undefined_places
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.isolation import (
    refuse_assignment_outside,
    refuse_outside,
)
from tsc.runtime.exporting.control_flow.loops import Loop
from tsc.runtime.exporting.control_flow.outer_places import (
    AttributePlace,
    ContainerPlace,
    OuterChangeError,
    Place,
    ResizedError,
    keeping,
)
from tsc.runtime.exporting.control_flow.outer_writes import (
    OuterWrite,
    kept,
    outer_writes,
    write_back,
    written,
)
from tsc.runtime.exporting.control_flow.tensor_arrays import (
    array_in,
    array_of_elements,
    form_of_elements,
)
from tsc.runtime.exporting.control_flow.wide_numbers import wide
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.frames import Frame
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.values.tensor import Tensor

_MOST_TURNS: Final = 200
"""Of a loop that is written out though data may end it."""

RunBlock = Callable[[Frame, Block, Sequence[Any]], list[Any]]
"""Runs a block on its arguments; gives its results."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What runs as a graph of its own, and which of its results it leaves open."""

    run: Callable[[], list[Any]]
    undefined: set[int]


@dataclass(frozen=True, slots=True)
class _Outside:
    """What graphs change that was there before them."""

    places: list[Place] = field(default_factory=list[Place])
    refusals: list[OuterChangeError] = field(default_factory=list[OuterChangeError])
    """What to say of each place if it cannot be a result."""
    tensors: list[Tensor] = field(default_factory=list[Tensor])
    stacked: list[tuple[Place, Any]] = field(default_factory=list[tuple[Place, Any]])
    """Lists that hold their elements in one tensor now, and what they held before."""

    def release(self) -> None:
        """Have lists hold what they held."""
        for place, held in self.stacked:
            place.set(held)

    @property
    def count(self) -> int:
        return len(self.places) + len(self.tensors)

    def add(self, error: OuterChangeError) -> None:
        """Have one more place."""
        self.places.append(error.changed)
        self.refusals.append(error)

    def check_alike(
        self, first: Sequence[Any], second: Sequence[Any], recorders: tuple[Recorder, Recorder]
    ) -> None:
        """Raise `ResizedError` for containers that hold more or fewer things in one case than in another."""
        for refusal, *pair in zip(self.refusals, first, second):
            is_container = isinstance(refusal.changed, ContainerPlace)
            if is_container and (
                tree_flatten(pair[0])[1] != tree_flatten(pair[1])[1]
                or (array_in(pair[0]) is None) != (array_in(pair[1]) is None)
            ):
                forms = [
                    form_of_elements(each, recorder.known)
                    for each, recorder in zip(pair, recorders, strict=True)
                    if isinstance(each, list)
                ]
                raise refusal.resized(next((each for each in forms if each is not None), None))


@dataclass(frozen=True, slots=True)
class Decisions:
    """Of one run: `run_block` runs what is decided for."""

    state: CaptureState
    run_block: RunBlock

    # -- Branches --------------------------------------------------------------------------------

    def branch(self, frame: Frame, node: Node) -> list[Any]:
        """The results of an ``if``."""
        condition = self.state.settled(frame.values[node.input])
        if not isinstance(condition, Condition):
            return self.run_block(frame, node.blocks[0 if condition else 1], ())
        raises = raising(node)
        if raises is not None:
            return self._asserted(frame, node, condition, raises)
        first, second = [self._branch_of(frame, block) for block in node.blocks]
        return self._joined(condition, first, second)

    def _asserted(self, frame: Frame, node: Node, condition: Condition, raises: int) -> list[Any]:
        """A branch that raises: the graph asserts that the other one is taken, and goes on with it."""
        fails = condition.hint == (raises == 0)
        if fails and not isinstance(self.state.recorder, BranchRecorder):
            self.run_block(frame, node.blocks[raises], ())
        recorder = self.state.tell_place()
        note_assertion(recorder, condition, frame, node.blocks[raises], holds=raises == 1)
        return self.run_block(frame, node.blocks[1 - raises], ())

    def _branch_of(self, frame: Frame, block: Block) -> _Part:
        return _Part(lambda: self.run_block(frame, block, ()), undefined_places(block))

    def _joined(self, condition: Condition, first: _Part, second: _Part) -> list[Any]:
        """The results of both, of which data decides; what they change outside is changed behind them."""

        def attempt(outside: _Outside) -> list[Any]:
            recorder = self.state.tell_place()
            writes = [OuterWrite(each, each) for each in outside.tensors]
            pair = [
                self._captured(each, BranchRecorder(recorder), outside, writes)
                for each in (first, second)
            ]
            ends = [each.results[len(each.results) - outside.count :] for each in pair]
            outside.check_alike(ends[0], ends[1], (pair[0].recorder, pair[1].recorder))
            return joined(recorder, condition, (pair[0], pair[1]))

        return self._with_outer_changes(attempt)

    def _with_outer_changes(self, attempt: Callable[[_Outside], list[Any]]) -> list[Any]:
        """Try, until it is known what is changed outside: what that gets are the last of the results."""
        outside = _Outside()
        try:
            results = self._attempted(outside, attempt)
        except ExportError:
            outside.release()
            raise
        self.state.note_all_made(results)
        count = len(results) - outside.count
        self._change_outside(outside, results[count:])
        return results[:count]

    def _attempted(self, outside: _Outside, attempt: Callable[[_Outside], list[Any]]) -> list[Any]:
        while True:
            try:
                return attempt(outside)
            except ResizedError as error:
                self._hold_as_tensor(outside, error)
            except OuterWriteError as error:
                if error.tensor is None or not self.state.recorder.knows(error.tensor):
                    raise
                outside.tensors.append(error.tensor)
            except OuterChangeError as error:
                outside.add(error)

    def _hold_as_tensor(self, outside: _Outside, error: ResizedError) -> None:
        """Have a list hold its elements stacked in a tensor, which may grow. Raises the error if it cannot."""
        place = error.change.changed
        held: Any = place.get()
        if error.form is None or not isinstance(held, list) or array_in(held) is not None:
            raise error
        refuse_outside(self.state, place, place.owner)
        array = array_of_elements(self.state.tell_place(), cast("list[Any]", held), error.form)
        if array is None:
            raise error
        outside.stacked.append((place, held))
        place.set([array])

    def _change_outside(self, outside: _Outside, results: list[Any]) -> None:
        count = len(outside.places)
        for place, value in zip(outside.places, results):
            if isinstance(place, AttributePlace):
                refuse_assignment_outside(self.state, place.owner, place.name)
                if id(place.owner) not in self.state.own:
                    self.state.note_assignment(place.owner, place.name, self.state.frames[-1].range)
            else:
                refuse_outside(self.state, place, place.owner)
            place.set(value)
        write_back(self.state.tell_place(), outside.tensors, results[count:])

    def _captured(
        self,
        part: _Part,
        recorder: BranchRecorder,
        outside: _Outside,
        writes: Sequence[OuterWrite],
        starts: Sequence[Any] | None = None,
    ) -> Branch:
        """What runs is recorded as a graph of its own, and must not change anything else outside."""
        state = self.state
        before = (state.recorder, state.made, state.open_places)
        state.recorder, state.made = recorder, {}
        state.open_places = {each.key for each in outside.places}
        run = keeping(outside.places, part.run, starts)
        try:
            with state.gradients_kept(), outer_writes(recorder, writes):
                found = [state.settled(e) if isinstance(e, SymBool) else e for e in run()]
                results = [kept(recorder, each, writes) for each in found]
                return Branch(recorder, [*results, *written(recorder, writes)], part.undefined)
        except ScriptError as error:
            raise ExportError(
                f"a branch that data decides fails on the example arguments: {error.message}",
                hint="both branches are run: compute in each of them what is there in any case",
                refusal=refusals.BRANCH_FAILS,
            ) from None
        finally:
            state.recorder, state.made, state.open_places = before

    # -- Loops -----------------------------------------------------------------------------------

    def loop(self, frame: Frame, node: Node) -> list[Any]:
        """Written out: the body is run, and recorded, as often as the loop turns; from where data decides, kept."""
        trips, goes_on, *carried = [frame.values[each] for each in node.inputs]
        trips, goes_on = self.state.settled(trips), self.state.settled(goes_on)
        turn = 0
        while isinstance(trips, DataNumber) or turn < trips:
            if isinstance(goes_on, Condition) or isinstance(trips, DataNumber):
                return self._loop_of_data(frame, node, trips, [turn, goes_on, *carried])
            if not goes_on:
                break
            goes_on, *carried = self.run_block(frame, node.blocks[0], [turn, *carried])
            goes_on = self.state.settled(goes_on)
            turn += 1
        return carried

    def _loop_of_data(
        self, frame: Frame, node: Node, trips: DataNumber | int, state: list[Any]
    ) -> list[Any]:
        """What a loop carries when data has ended it. One of few turns that must know their number is written out."""
        recorder = self.state.tell_place()
        if isinstance(trips, DataNumber):
            trips = DataNumber(wide(recorder, trips), int, recorder.undo_log.writes)
        block = node.blocks[0]
        left_open, count = undefined_places(block), len(block.inputs)

        def attempt(outside: _Outside) -> list[Any]:
            def turn(inner: BranchRecorder, values: list[Any]) -> list[Any]:
                own, starts = values[:count], values[count : count + len(outside.places)]
                writes = list(map(OuterWrite, outside.tensors, values[count + len(starts) :]))
                part = _Part(lambda: self.run_block(frame, block, own), left_open)
                branch = self._captured(part, inner, outside, writes, starts)
                outside.check_alike(starts, branch.results[count:], (inner, inner))
                for place in left_open:
                    branch.results[place] = values[place]
                return branch.results

            held = [each.get() for each in outside.places]
            start = [*state, *held, *outside.tensors]
            return Loop(recorder, turn, trips, start, _unset(node)).capture()

        try:
            return self._with_outer_changes(attempt)
        except ExportError:
            if isinstance(trips, DataNumber) or trips - state[0] > _MOST_TURNS:
                raise
        return self._written_out(frame, node, trips, state)

    def _written_out(self, frame: Frame, node: Node, trips: int, state: list[Any]) -> list[Any]:
        """Turns one after another, each of which data may leave out."""
        first, goes_on, *carried = state
        for turn in range(first, trips):
            if isinstance(goes_on, Condition):
                goes_on, *carried = self._turn_or_not(frame, node, goes_on, turn, carried)
            elif goes_on:
                goes_on, *carried = self.run_block(frame, node.blocks[0], [turn, *carried])
        return carried

    def _turn_or_not(
        self, frame: Frame, node: Node, goes_on: Condition, turn: int, carried: list[Any]
    ) -> list[Any]:
        """One more turn of a loop, if data says so; without it everything stays that is read behind the loop."""
        block = node.blocks[0]
        turns = _Part(
            lambda: self.run_block(frame, block, [turn, *carried]), undefined_places(block)
        )
        unread = {place for place, each in enumerate(node.outputs, 1) if not each.has_uses}
        return self._joined(goes_on, turns, _Part(lambda: [False, *carried], unread))


def _unset(node: Node) -> set[int]:
    """What nobody has computed before a loop, by its place behind the number of the turn."""
    return {
        place
        for place, each in enumerate(node.inputs)
        if place > 1 and each.node.kind == prim.Uninitialized
    }
