"""Runs a program on example arguments, node by node, and has every operator on tensors recorded.

Values are those of any run: tensors, numbers, strings, containers, objects. Calls are followed, branches and loops go
where the arguments lead. What tensors hold must not decide that: numbers that are read out of tensors are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.budget import charge_step
from tsc.compiler.exir import refusals
from tsc.compiler.exir.element_reads import reads_elements
from tsc.compiler.ir import Block, Function, Node, constant_value, prim
from tsc.compiler.ir.function import arguments_of, callee_of
from tsc.compiler.schema import Effects, Operator
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.node_kernels import kernel_of, operator_of
from tsc.runtime.exporting.control_flow.assertions import note_assertion, raising
from tsc.runtime.exporting.control_flow.branches import Branch, joined, undefined_places
from tsc.runtime.exporting.control_flow.conditions import Condition, condition_read
from tsc.runtime.exporting.control_flow.isolation import (
    refuse_assignment_outside,
    refuse_changes_outside,
    refuse_new_number,
)
from tsc.runtime.exporting.control_flow.loops import Loop
from tsc.runtime.exporting.control_flow.number_arguments import refuse_unknown
from tsc.runtime.exporting.control_flow.number_arithmetic import may_compute, number_computed
from tsc.runtime.exporting.control_flow.wide_numbers import wide
from tsc.runtime.exporting.data_dependence import size_from_data
from tsc.runtime.exporting.data_numbers import DataNumber, data_numbers, hinted
from tsc.runtime.exporting.errors import ExportError, located
from tsc.runtime.exporting.frames import Frame, metadata_of, place_of
from tsc.runtime.exporting.kernels import run_kernel, with_number
from tsc.runtime.exporting.node_kinds import is_recorded, shares
from tsc.runtime.exporting.recorder import BranchRecorder, Recorder
from tsc.runtime.exporting.sizes.unanswered import Unanswered
from tsc.runtime.exporting.tensors import tensors_in, written_tensors
from tsc.runtime.values.objects import ScriptObject, method_of

if TYPE_CHECKING:
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes

_MOST_TURNS: Final = 200
"""Of a loop that is written out though data may end it."""


class Interpreter:
    """Runs functions. `modules` tells the path of each module object."""

    def __init__(
        self, recorder: Recorder, modules: Mapping[int, str], *, strict: bool = False
    ) -> None:
        self._strict = strict
        if recorder.sizes is not None:
            recorder.sizes.environment.place = self._place
        self._recorder = recorder
        self._modules = modules
        self._frames: list[Frame] = []
        self._own: set[int] = set()
        self._made: dict[int, Any] | None = None

    def run(self, function: Function, arguments: Sequence[Any]) -> Any:
        """The result of a function. Raises `ExportError`, and `ScriptError` where the program fails."""
        owner = arguments[0] if arguments and isinstance(arguments[0], ScriptObject) else None
        frame = Frame(function, owner)
        self._frames.append(frame)
        try:
            results = self._run_block(frame, function.graph.block, arguments)
        finally:
            self._frames.pop()
        return results[0] if len(results) == 1 else tuple(results)

    def _run_block(self, frame: Frame, block: Block, arguments: Sequence[Any]) -> list[Any]:
        frame.values.update(zip(block.inputs, arguments, strict=True))
        for node in block.nodes():
            charge_step()
            frame.node = node
            with located(node.range):
                self._run_node(frame, node)
        return [frame.values[each] for each in block.outputs]

    def _run_node(self, frame: Frame, node: Node) -> None:
        special = _SPECIAL.get(node.kind)
        if special is not None:
            special(self, frame, node)
            return
        values = [frame.values[each] for each in node.inputs]
        sizes = self._recorder.sizes
        if sizes is not None:
            found = self._of_sizes(sizes, node, values)
            if not isinstance(found, Unanswered):
                self._set_outputs(frame, node, found)
                return
        if may_compute(node.kind, values):
            found = self._deferred(node, values)
            if found is not None:
                frame.values[node.output] = found
                return
        operator = operator_of(node)
        refuse_unknown(node, operator, values)
        self._refuse_kind(node, values)
        if operator is not None and is_recorded(operator):
            result = self._recorded(node, operator, values)
        else:
            result = self._unrecorded(node, values)
        self._set_outputs(frame, node, result)

    def _of_sizes(self, sizes: SymbolicSizes, node: Node, values: list[Any]) -> Any:
        """What a node gives that reads sizes which may change, or computes with them."""
        self._recorder.metadata = self._metadata()
        operator = operator_of(node)
        told = operator is not None and is_recorded(operator)
        return sizes.computed(self._recorder, node.kind, values, is_recorded=told)

    def _settled(self, value: Any) -> Any:
        """A number or condition on sizes that the program goes by: that of this run, as a constraint."""
        sizes = self._recorder.sizes
        return value if sizes is None else sizes.environment.specialize(value)

    def _deferred(self, node: Node, values: list[Any]) -> Any:
        """What is known when the program runs: a number or truth value in a tensor, or what is computed of one."""
        self._recorder.metadata = self._metadata()
        found = number_computed(self._recorder, node, values)
        return condition_read(self._recorder, node, values) if found is None else found

    def _refuse_kind(self, node: Node, values: Sequence[Any]) -> None:
        """Raise `ExportError` for what cannot be exported whatever it is given, or whatever tensors it is given."""
        refusal = refusals.OF_KINDS.get(node.kind)
        reads = refusals.READS_OF_VALUES.get(node.kind)
        if reads is not None and not all(map(self._recorder.is_constant, tensors_in(list(values)))):
            refusal = reads
        if refusal is None and self._strict:
            refusal = refusals.LOST_EFFECTS.get(node.kind)
        if refusal is not None:
            raise ExportError(refusal.summary, refusal=refusal, hint=refusal.rewrite)

    @staticmethod
    def _set_outputs(frame: Frame, node: Node, result: Any) -> None:
        if not node.outputs:
            return
        results = (result,) if len(node.outputs) == 1 else result
        frame.values.update(zip(node.outputs, results, strict=True))

    # -- Operators -------------------------------------------------------------------------------

    def _recorded(self, node: Node, operator: Operator, values: Sequence[Any]) -> Any:
        """An operator on tensors; one that has nothing but constants, and no effect, is a constant itself."""
        values = with_number(node, operator, values)
        recorder, given = self._recorder, list(tensors_in(list(values)))
        folds = (
            given
            and all(map(recorder.is_constant, given))
            and operator.effects is Effects.PURE
            and not shares(operator)
            and not any(data_numbers(list(values)))
        )
        if folds:
            result = run_kernel(node, values)
            for each in tensors_in(result):
                recorder.note_constant(each, is_fresh=True)
            return result
        hints = [hinted(each) for each in values]
        reason = size_from_data(operator, values)
        if reason is not None:
            raise ExportError(
                reason,
                hint="select with torch.where, or compute on all elements and mask them",
                refusal=refusals.SIZE,
            )
        recorder.metadata = self._metadata()
        for each in given:
            recorder.node_of(each)
        recorder.before_call(operator, values)
        result = run_kernel(node, hints)
        recorder.call(operator, values, result)
        return result

    def _unrecorded(self, node: Node, values: Sequence[Any]) -> Any:
        """What works on containers, numbers and objects; tensors only go through it."""
        recorder, given = self._recorder, list(tensors_in(list(values)))
        operator = operator_of(node)
        if operator is not None and self._made is not None:
            refuse_changes_outside(operator, values, self._made)
        if operator is not None and any(True for _ in written_tensors(operator, values)):
            recorder.before_call(operator, values)
        result = run_kernel(node, values)
        if self._made is not None and isinstance(result, list | dict):
            self._made[id(result)] = result
        is_known = all(map(recorder.is_constant, given))
        recorder.note_results(node.kind, result, is_known, is_fresh=node.kind != prim.Constant)
        if given and not is_known and reads_elements(node, operator):
            raise ExportError(
                f"{node.kind} reads a number out of a tensor: what the program does next would be decided by "
                "these example arguments",
                hint="compute with tensors: torch.where in the place of if, a tensor of no dimensions in the place "
                "of a number",
                refusal=refusals.ELEMENT,
            )
        return result

    # -- What is not an operator -----------------------------------------------------------------

    def _constant(self, frame: Frame, node: Node) -> None:
        value = constant_value(node.output)
        for each in tensors_in(value):
            self._recorder.note_constant(each, is_fresh=False)
        frame.values[node.output] = value

    def _call(self, frame: Frame, node: Node) -> None:
        values = [frame.values[each] for each in arguments_of(node)]
        callee = callee_of(node)
        if node.kind == prim.CallMethod and isinstance(values[0], ScriptObject):
            callee = method_of(values[0], node.string_attribute("name"))
        if callee is None:
            raise ExportError(
                "it is not known which function is called here",
                hint="call a function by its name",
                refusal=refusals.OPERATOR,
            )
        self._set_outputs(frame, node, self.run(callee, values))

    def _if(self, frame: Frame, node: Node) -> None:
        condition = self._settled(frame.values[node.input])
        if isinstance(condition, Condition):
            raises = raising(node)
            if raises is not None:
                self._asserted(frame, node, condition, raises)
                return
            frame.values.update(
                zip(node.outputs, self._branches(frame, node, condition), strict=True)
            )
            return
        block = node.blocks[0 if condition else 1]
        frame.values.update(zip(node.outputs, self._run_block(frame, block, ()), strict=True))

    def _asserted(self, frame: Frame, node: Node, condition: Condition, raises: int) -> None:
        """A branch that raises: the graph asserts that the other one is taken, and goes on with it."""
        fails = condition.hint == (raises == 0)
        if fails and not isinstance(self._recorder, BranchRecorder):
            self._run_block(frame, node.blocks[raises], ())
        self._recorder.metadata = self._metadata()
        note_assertion(self._recorder, condition, node.blocks[raises], holds=raises == 1)
        results = self._run_block(frame, node.blocks[1 - raises], ())
        frame.values.update(zip(node.outputs, results, strict=True))

    def _branches(self, frame: Frame, node: Node, condition: Condition) -> list[Any]:
        """Both branches, as graphs; one that only raises is an assertion that the other one is taken."""
        self._recorder.metadata = self._metadata()
        first, second = [self._branch_of(frame, block) for block in node.blocks]
        return joined(self._recorder, condition, (first, second))

    def _branch_of(self, frame: Frame, block: Block) -> Branch:
        return self._branch(lambda: self._run_block(frame, block, ()), undefined_places(block))

    def _branch(
        self,
        run: Callable[[], list[Any]],
        undefined: set[int],
        inner: BranchRecorder | None = None,
    ) -> Branch:
        """What runs is recorded as a graph of its own, and must not change anything outside."""
        outer, made = self._recorder, self._made
        recorder = self._recorder = BranchRecorder(outer) if inner is None else inner
        self._made = {}
        try:
            return Branch(recorder, run(), undefined)
        except ScriptError as error:
            raise ExportError(
                f"a branch that data decides fails on the example arguments: {error.message}",
                hint="both branches are run: compute in each of them what is there in any case",
                refusal=refusals.BRANCH_FAILS,
            ) from None
        finally:
            self._recorder, self._made = outer, made

    def _loop(self, frame: Frame, node: Node) -> None:
        """Written out: the body is run, and recorded, as often as the loop turns; from where data decides, kept."""
        trips, goes_on, *carried = [frame.values[each] for each in node.inputs]
        trips, goes_on = self._settled(trips), self._settled(goes_on)
        turn = 0
        while isinstance(trips, DataNumber) or turn < trips:
            if isinstance(goes_on, Condition) or isinstance(trips, DataNumber):
                carried = self._loop_of_data(frame, node, trips, [turn, goes_on, *carried])
                break
            if not goes_on:
                break
            goes_on, *carried = self._run_block(frame, node.blocks[0], [turn, *carried])
            goes_on = self._settled(goes_on)
            turn += 1
        frame.values.update(zip(node.outputs, carried, strict=True))

    def _loop_of_data(
        self, frame: Frame, node: Node, trips: DataNumber | int, state: list[Any]
    ) -> list[Any]:
        """What a loop carries when data has ended it. One of few turns that must know their number is written out."""
        recorder = self._recorder
        recorder.metadata = self._metadata()
        if isinstance(trips, DataNumber):
            trips = DataNumber(wide(recorder, trips), int, recorder.undo_log.writes)
        block = node.blocks[0]
        left_open = undefined_places(block)

        def turn(inner: BranchRecorder, values: list[Any]) -> list[Any]:
            branch = self._branch(lambda: self._run_block(frame, block, values), left_open, inner)
            for place in left_open:
                branch.results[place] = values[place]
            return branch.results

        unset = {
            place
            for place, each in enumerate(node.inputs)
            if place > 1 and each.node.kind == prim.Uninitialized
        }
        try:
            return Loop(recorder, turn, trips, list(state), unset).capture()
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
                goes_on, *carried = self._run_block(frame, node.blocks[0], [turn, *carried])
        return carried

    def _turn_or_not(
        self, frame: Frame, node: Node, goes_on: Condition, turn: int, carried: list[Any]
    ) -> list[Any]:
        """One more turn of a loop, if data says so; without it everything stays that is read behind the loop."""
        self._recorder.metadata = self._metadata()
        block = node.blocks[0]
        turns = self._branch(
            lambda: self._run_block(frame, block, [turn, *carried]), undefined_places(block)
        )
        unread = {place for place, each in enumerate(node.outputs, 1) if not each.has_uses}
        stays = self._branch(lambda: [False, *carried], unread)
        return joined(self._recorder, goes_on, (turns, stays))

    def _create_object(self, frame: Frame, node: Node) -> None:
        made = kernel_of(node)()
        self._own.add(id(made))
        if self._made is not None:
            self._made[id(made)] = made
        frame.values[node.output] = made

    def _set_attribute(self, frame: Frame, node: Node) -> None:
        owner, value = [frame.values[each] for each in node.inputs]
        name = node.string_attribute("name")
        if self._made is not None:
            refuse_assignment_outside(owner, name, self._made)
        if id(owner) not in self._own:
            refuse_new_number(owner, name, value)
            self._recorder.undo_log.before_assignment(owner, name)
        owner.script_attributes[name] = value

    def _enter(self, frame: Frame, node: Node) -> None:
        context = frame.values[node.input]
        if not isinstance(context, ScriptObject):
            raise ExportError(
                "a region without gradients begins here, which captured programs have not yet",
                node.input.node.range,
                hint="take it out, and call the exported program within tsc.no_grad() or torch.no_grad()",
                refusal=refusals.REGION,
            )
        self._set_outputs(frame, node, self.run(method_of(context, "__enter__"), [context]))

    def _exit(self, frame: Frame, node: Node) -> None:
        context = frame.values[node.input]
        result = self.run(method_of(context, "__exit__"), [context, None, None, None])
        self._set_outputs(frame, node, result if node.outputs else None)

    # -- Where a node comes from -----------------------------------------------------------------

    def _place(self) -> str:
        """Of the node that runs, for constraints that follow from it."""
        return place_of(self._frames[-1])

    def _metadata(self) -> dict[str, Any]:
        return metadata_of(self._frames, self._modules)


_SPECIAL: Final = {
    prim.Constant: Interpreter._constant,
    prim.CallFunction: Interpreter._call,
    prim.CallMethod: Interpreter._call,
    prim.If: Interpreter._if,
    prim.Loop: Interpreter._loop,
    prim.CreateObject: Interpreter._create_object,
    prim.SetAttr: Interpreter._set_attribute,
    prim.Enter: Interpreter._enter,
    prim.Exit: Interpreter._exit,
}
