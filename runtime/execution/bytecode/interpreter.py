"""The virtual machine: executes the instructions of `Code`, one after the other.

It is the plain one, instruction by instruction as the dump shows them; `runtime.execution.python` executes
the same graphs faster. An `InterpreterState` belongs to one execution: registers, stack, program
counter and the open frames, so that it can be put away at a ``wait`` and be resumed by another thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.ir import Function
from tsc.runtime.context.limits import (
    Limits,
    StepSource,
    current_limits,
    meter_of,
    too_deep,
)
from tsc.runtime.execution.bytecode.code import Code, Instruction, OpCode, Operation
from tsc.runtime.execution.predicted_work import charge_operator, predicted_seconds
from tsc.runtime.execution.tracebacks import located
from tsc.runtime.values.futures import Future
from tsc.runtime.values.objects import method_of

__all__ = ["Frame", "InterpreterState"]


class Frame:
    """A call that is open: its code, where it is, its registers, and how high the stack is below its arguments."""

    __slots__ = ("base", "code", "pc", "registers")

    def __init__(self, code: Code, base: int) -> None:
        self.code = code
        self.pc = 0
        self.base = base
        self.registers: list[Any] = [None] * (code.register_count + 1)


class InterpreterState:
    """One execution of a `Code` on `inputs`. `code_of` gives the code of the functions it calls."""

    __slots__ = (
        "_budget",
        "_code_of",
        "_entered",
        "_limits",
        "_looks_ahead",
        "_meter",
        "_steps",
        "frames",
        "stack",
    )

    def __init__(
        self,
        code: Code,
        code_of: Callable[[Function], Code],
        inputs: Sequence[Any],
        limits: Limits | None = None,
        steps: StepSource | None = None,
    ) -> None:
        self.stack: list[Any] = list(inputs)
        self.frames = [Frame(code, 0)]
        self._code_of = code_of
        self._limits = limits or current_limits()
        self._budget = self._limits.budget
        self._looks_ahead = self._budget is not None or self._limits.max_seconds is not None
        self._meter = steps or meter_of(self._limits)
        self._steps = self._meter.portion()
        self._entered: list[Any] = []

    def run(self) -> list[Any]:
        """The outputs. Raises ScriptError with the stack of the program."""
        while (awaited := self.resume()) is not None:
            awaited.stand_by()
        return self.stack

    def result(self) -> Any:
        """What the program gave when it has come to its end: the output, or a tuple of several."""
        return self.stack[0] if len(self.stack) == 1 else tuple(self.stack)

    def resume(self) -> Future[Any] | None:
        """Go on to the end, or to a ``wait`` for a future that is not done, which is returned.

        At the end the stack holds the outputs. Any thread may resume a state, one at a time.
        """
        try:
            while self.frames:
                awaited = self._step(self.frames[-1])
                if awaited is not None:
                    return awaited
        except Exception as error:
            failure = located(error, [(f.code.name, f.code.nodes[f.pc]) for f in self.frames])
            self._leave_contexts()
            if failure is error:
                raise
            raise failure from error
        return None

    def _step(self, frame: Frame) -> Future[Any] | None:
        """One instruction; the future that it waits for, if that is not done."""
        code, pc = frame.code, frame.pc
        instruction = code.instructions[pc]
        control = _CONTROL.get(instruction.op)
        if control is not None:
            return control(self, frame, instruction)
        operation = code.operations[pc]
        assert operation is not None
        if self._looks_ahead:
            self._charge(code.nodes[pc].kind, operation)
        self._execute(operation, instruction.op)
        frame.pc = pc + 1
        return None

    def _charge(self, kind: str, operation: Operation) -> None:
        """Pay for what the next operator takes of time, as far as it is known, and of memory."""
        inputs = self.stack[len(self.stack) - operation.inputs :]
        if self._budget is not None:
            charge_operator(self._budget, kind, inputs)
        else:
            self._meter.expect(predicted_seconds(kind, inputs))

    def _execute(self, operation: Operation, op: OpCode) -> None:
        """Take the inputs of a kernel off the stack and leave its outputs there."""
        stack = self.stack
        start = len(stack) - operation.inputs
        arguments = stack[start:]
        del stack[start:]
        if op is OpCode.ENTER:
            self._entered.append(arguments[0])
        elif op is OpCode.EXIT:
            self._entered.pop()
        result = operation.kernel(*arguments)
        if operation.outputs == 1:
            stack.append(result)
        elif operation.outputs:
            stack.extend(result)

    def _leave_contexts(self) -> None:
        """An error leaves the ``with`` statements that are open, the innermost first."""
        while self._entered:
            self._entered.pop().__exit__(None, None, None)

    def _count_step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            self._steps = self._meter.portion() - 1

    # -- Values ------------------------------------------------------------------------------

    def load(self, frame: Frame, instruction: Instruction) -> None:
        self.stack.append(frame.registers[instruction.x])
        frame.pc += 1

    def move(self, frame: Frame, instruction: Instruction) -> None:
        self.stack.append(frame.registers[instruction.x])
        frame.registers[instruction.x] = None
        frame.pc += 1

    def store(self, frame: Frame, instruction: Instruction) -> None:
        frame.registers[instruction.x] = self.stack.pop()
        frame.pc += 1

    def store_several(self, frame: Frame, instruction: Instruction) -> None:
        start, first = len(self.stack) - instruction.n, instruction.x
        frame.registers[first : first + instruction.n] = self.stack[start:]
        del self.stack[start:]
        frame.pc += 1

    def drop(self, frame: Frame, _instruction: Instruction) -> None:
        self.stack.pop()
        frame.pc += 1

    def drop_register(self, frame: Frame, instruction: Instruction) -> None:
        frame.registers[instruction.x] = None
        frame.pc += 1

    def load_constant(self, frame: Frame, instruction: Instruction) -> None:
        self.stack.append(frame.code.constants[instruction.x])
        frame.pc += 1

    # -- Control flow ------------------------------------------------------------------------

    def wait(self, frame: Frame, _instruction: Instruction) -> Future[Any] | None:
        """The result takes the place of its future; before it is there, the state may be put away."""
        future = self.stack[-1]
        if not future.done():
            return future
        self.stack[-1] = future.wait()
        frame.pc += 1
        return None

    def jump_if_false(self, frame: Frame, instruction: Instruction) -> None:
        frame.pc += 1 if self.stack.pop() else instruction.x

    def jump(self, frame: Frame, instruction: Instruction) -> None:
        frame.pc += instruction.x

    def loop(self, frame: Frame, instruction: Instruction) -> None:
        """The stack holds the turns so far, their limit, whether to go on, and what the loop
        carries.
        """
        stack = self.stack
        base = len(stack) - instruction.n - 1
        turn = stack[base]
        if turn < stack[base + 1] and stack[base + 2]:
            self._count_step()
            stack[base] = turn + 1
            stack[base + 2] = turn
            frame.pc += 1
        else:
            del stack[base : base + 3]
            frame.pc += instruction.x

    def call_function(self, frame: Frame, instruction: Instruction) -> None:
        """The arguments are on the stack already."""
        self._open(frame.code.functions[instruction.x])

    def call_interface(self, frame: Frame, instruction: Instruction) -> None:
        """The object, on the stack before the arguments, knows its method."""
        name = frame.code.constants[instruction.x]
        assert isinstance(name, str)
        self._open(method_of(self.stack[-instruction.n], name))

    def _open(self, function: Function) -> None:
        self._count_step()
        if len(self.frames) >= self._limits.max_frames:
            raise too_deep(self._limits)
        code = self._code_of(function)
        self.frames.append(Frame(code, len(self.stack) - code.input_count))

    def guard(self, frame: Frame, _instruction: Instruction) -> None:
        """Whether the tensor on the stack, which stays there, is of the type that was assumed."""
        operation = frame.code.operations[frame.pc]
        assert operation is not None
        self.stack.append(operation.kernel(self.stack[-1]))
        frame.pc += 1

    def tail_call(self, frame: Frame, instruction: Instruction) -> None:
        """A function takes the place of the one that calls it, of which nothing stays on the stack."""
        arguments = self.stack[-instruction.n :]
        self.stack[frame.base :] = arguments
        code = self._code_of(frame.code.functions[instruction.x])
        self.frames[-1] = Frame(code, frame.base)

    def return_to_caller(self, _frame: Frame, _instruction: Instruction) -> None:
        """The results stay on the stack; the caller goes on after its call."""
        self.frames.pop()
        if self.frames:
            self.frames[-1].pc += 1


_CONTROL: dict[OpCode, Callable[[InterpreterState, Frame, Instruction], Future[Any] | None]] = {
    OpCode.LOAD: InterpreterState.load,
    OpCode.MOVE: InterpreterState.move,
    OpCode.STORE: InterpreterState.store,
    OpCode.STOREN: InterpreterState.store_several,
    OpCode.DROP: InterpreterState.drop,
    OpCode.DROPR: InterpreterState.drop_register,
    OpCode.LOADC: InterpreterState.load_constant,
    OpCode.JF: InterpreterState.jump_if_false,
    OpCode.JMP: InterpreterState.jump,
    OpCode.LOOP: InterpreterState.loop,
    OpCode.CALL: InterpreterState.call_function,
    OpCode.INTERFACE_CALL: InterpreterState.call_interface,
    OpCode.RET: InterpreterState.return_to_caller,
    OpCode.GUARD: InterpreterState.guard,
    OpCode.TAIL_CALL: InterpreterState.tail_call,
    OpCode.WAIT: InterpreterState.wait,
}
