"""Runs a program on example arguments, node by node, and has every operator on tensors recorded.

Values are those of any run: tensors, numbers, strings, containers, objects. Calls are followed, branches and loops go
where the arguments lead. What tensors hold must not decide that: numbers that are read out of tensors are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from tsc.compiler.budget import charge_step
from tsc.compiler.exir import refusals
from tsc.compiler.ir import Block, Function, Node, constant_value, prim
from tsc.compiler.ir.function import arguments_of, callee_of
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import NoGrad, set_grad_enabled
from tsc.runtime.execution.node_kernels import kernel_of
from tsc.runtime.execution.tasks import forked_function
from tsc.runtime.execution.tracebacks import entries
from tsc.runtime.exporting.capture_state import CaptureState
from tsc.runtime.exporting.control_flow.decisions import Decisions
from tsc.runtime.exporting.control_flow.isolation import refuse_assignment_outside
from tsc.runtime.exporting.errors import ExportError, located
from tsc.runtime.exporting.frames import Frame
from tsc.runtime.exporting.module_state import ModuleState
from tsc.runtime.exporting.operator_steps import computed
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.tensors import tensors_in
from tsc.runtime.values.futures import Await, Future
from tsc.runtime.values.objects import ScriptObject, method_of


class Interpreter:
    """Runs functions. `modules` tells the path of each module object, `kept` is what the module holds."""

    def __init__(
        self,
        recorder: Recorder,
        modules: Mapping[int, str],
        kept: ModuleState | None = None,
        *,
        strict: bool = False,
    ) -> None:
        self._state = CaptureState(recorder, modules, kept, strict)
        self._decisions = Decisions(self._state, self._run_block)
        if recorder.sizes is not None:
            recorder.sizes.environment.place = self._state.place

    @contextmanager
    def running(self) -> Generator[Callable[[Function, Sequence[Any]], Any]]:
        """What runs functions; they raise `ExportError`, and `ScriptError` where the program fails."""
        with self._state.gradients_kept():
            yield self._run

    def _run(self, function: Function, arguments: Sequence[Any]) -> Any:
        owner = arguments[0] if arguments and isinstance(arguments[0], ScriptObject) else None
        frame = Frame(function, owner)
        self._state.frames.append(frame)
        try:
            results = self._run_block(frame, function.graph.block, arguments)
        except ScriptError as error:
            if frame.node is not None:
                error.stack = (*entries(function.name, frame.node), *error.stack)
            raise
        finally:
            self._state.frames.pop()
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
        self._set_outputs(frame, node, computed(self._state, node, values))

    @staticmethod
    def _set_outputs(frame: Frame, node: Node, result: Any) -> None:
        if not node.outputs:
            return
        results = (result,) if len(node.outputs) == 1 else result
        frame.values.update(zip(node.outputs, results, strict=True))

    # -- What is not an operator -----------------------------------------------------------------

    def _constant(self, frame: Frame, node: Node) -> None:
        value = constant_value(node.output)
        for each in tensors_in(value):
            self._state.recorder.note_constant(each, is_fresh=False)
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
        self._set_outputs(frame, node, self._run(callee, values))

    def _fork(self, frame: Frame, node: Node) -> None:
        """A task runs where it begins, as it may: its result is there when it is waited for."""
        function = forked_function(node)
        made: Future[Any] = Future(node.output.type)
        made.set_result(self._run(function, [frame.values[each] for each in node.inputs]))
        frame.values[node.output] = made

    def _defer(self, frame: Frame, node: Node) -> None:
        """What runs when it is first waited for."""
        function, values = forked_function(node), [frame.values[each] for each in node.inputs]
        frame.values[node.output] = Await(node.output.type, lambda: self._run(function, values))

    def _if(self, frame: Frame, node: Node) -> None:
        results = self._decisions.branch(frame, node)
        frame.values.update(zip(node.outputs, results, strict=True))

    def _loop(self, frame: Frame, node: Node) -> None:
        results = self._decisions.loop(frame, node)
        frame.values.update(zip(node.outputs, results, strict=True))

    def _create_object(self, frame: Frame, node: Node) -> None:
        made, state = kernel_of(node)(), self._state
        state.own.add(id(made))
        if state.made is not None:
            state.made[id(made)] = made
        frame.values[node.output] = made

    def _set_attribute(self, frame: Frame, node: Node) -> None:
        owner, value = [frame.values[each] for each in node.inputs]
        name, state = node.string_attribute("name"), self._state
        refuse_assignment_outside(state, owner, name)
        if id(owner) not in state.own:
            state.note_assignment(owner, name, node.range)
        owner.script_attributes[name] = value

    def _enter(self, frame: Frame, node: Node) -> None:
        context = frame.values[node.input]
        if isinstance(context, NoGrad):
            self._state.enter(context)
            self._set_outputs(frame, node, None)
            return
        self._set_outputs(frame, node, self._run(method_of(context, "__enter__"), [context]))

    def _exit(self, frame: Frame, node: Node) -> None:
        context = frame.values[node.input]
        if isinstance(context, NoGrad):
            self._state.exit()
            self._set_outputs(frame, node, None)
            return
        result = self._run(method_of(context, "__exit__"), [context, None, None, None])
        self._set_outputs(frame, node, result if node.outputs else None)

    def _switch_gradients(self, frame: Frame, node: Node) -> None:
        set_grad_enabled(frame.values[node.input])
        self._state.recorder.mark_gradients()


_SPECIAL: Final = {
    prim.Constant: Interpreter._constant,
    prim.CallFunction: Interpreter._call,
    prim.CallMethod: Interpreter._call,
    prim.fork: Interpreter._fork,
    prim.awaitable: Interpreter._defer,
    prim.If: Interpreter._if,
    prim.Loop: Interpreter._loop,
    prim.CreateObject: Interpreter._create_object,
    prim.SetAttr: Interpreter._set_attribute,
    prim.Enter: Interpreter._enter,
    prim.Exit: Interpreter._exit,
    "aten::set_grad_enabled": Interpreter._switch_gradients,
}
