"""A faster way to execute a graph: threaded code over registers.

Each instruction is a list that ends in the next instruction, so that going on takes no program
counter, and a jump is a link. It names the registers it reads and writes; constants lie in
registers, too. `threaded_builder` makes such code, and the numbers of the operations stand in `Op`.

    [operation, function, out, a, b, c, freed, next]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.ir import Function, Node
from tsc.runtime.arrays.integers import wrap
from tsc.runtime.context.limits import Limits, meter_of, too_deep
from tsc.runtime.execution.tracebacks import located
from tsc.runtime.values.objects import method_of


class Op:
    """What an instruction does. `f` is a function; the rest are registers unless it says otherwise."""

    CALL2 = 0  # out = f(a, b)
    BRANCH2 = 1  # unless f(a, b): go to the instruction `out`
    ADD_INT = 2  # out = a + b, in 64 bits
    SUB_INT = 3
    MUL_INT = 4
    ADD = 5  # out = a + b, as Python adds
    SUB = 6
    MUL = 7
    CALL1 = 8  # out = f(a)
    CALL2_FREE = 9  # out = f(a, b), and register `freed` is emptied
    CALL3 = 10  # out = f(a, b, c)
    CALL3_FREE = 11
    LOOP_BRANCH2 = 12  # BRANCH2 at the end of a turn
    FOR_NEXT = 13  # a = a + 1; if that is less than b, go to the instruction `out`
    FOR_RANGE_NEXT = 14  # the same, with c = c + register `freed`
    MOVE = 15  # out = a
    BRANCH = 16  # unless a: go to the instruction `out`
    LOOP_BRANCH = 17
    GATHER = 18  # out = c(registers)
    CALL_GATHERED = 19  # out = f(c(registers))
    CALL_SPREAD = 20  # out = f(*c(registers))
    UNPACK = 21  # the registers `out` = f(*c(registers))
    FREE = 22  # the registers `out` are emptied
    FOR_ENTER = 23  # a = 0; unless that is less than b, go to the instruction `out`
    CALL_FUNCTION = (
        24  # the registers `out` = the function f, called with c(registers); `freed` are emptied
    )
    RETURN = 25  # the results c(registers)
    ENTER = 26  # out = f(a), which enters the context a
    EXIT = 27
    CALL_METHOD = 28  # the same as CALL_FUNCTION with the method called f of the object a


OPERATION, FUNCTION, OUT, A, B, C, FREED, NEXT = range(8)

Instruction = list[Any]


class Program:
    """The threaded code of one function, shared by its executions.

    `registers` is what an execution starts with: constants in their places. `nodes` tells by the
    identity of an instruction what it was made from.
    """

    __slots__ = (
        "entry",
        "input_count",
        "instructions",
        "name",
        "nodes",
        "output_count",
        "registers",
    )

    def __init__(self, name: str, input_count: int, output_count: int) -> None:
        self.name = name
        self.input_count = input_count
        self.output_count = output_count
        self.registers: list[Any] = []
        self.instructions: list[Instruction] = []
        self.nodes: dict[int, Node] = {}
        self.entry: Instruction = []


ProgramOf = Callable[[Function], Program]


def execute(program: Program, inputs: Sequence[Any], program_of: ProgramOf, limits: Limits) -> Any:
    """The result of a program: its output, or the tuple of its outputs. Raises ScriptError."""
    frames: list[tuple[Program, Instruction, list[Any]]] = []
    entered: list[Any] = []
    here: Instruction = []
    meter = meter_of(limits)
    try:
        steps = meter.portion()
        r = program.registers.copy()
        r[: len(inputs)] = inputs
        i = program.entry
        while True:
            op, f, out, a, b, c, freed, i = here = i
            if op < 8:
                if op < 4:
                    if op < 2:
                        if op == 0:  # CALL2
                            r[out] = f(r[a], r[b])
                        elif not f(r[a], r[b]):  # BRANCH2
                            i = out
                    elif op == 2:  # ADD_INT
                        x = r[a] + r[b]
                        r[out] = x if x < 1073741824 and x > -1073741824 else wrap(x)
                    else:  # SUB_INT
                        x = r[a] - r[b]
                        r[out] = x if x < 1073741824 and x > -1073741824 else wrap(x)
                elif op < 6:
                    if op == 4:  # MUL_INT
                        x = r[a] * r[b]
                        r[out] = x if x < 1073741824 and x > -1073741824 else wrap(x)
                    else:  # ADD
                        r[out] = r[a] + r[b]
                elif op == 6:  # SUB
                    r[out] = r[a] - r[b]
                else:  # MUL
                    r[out] = r[a] * r[b]
            elif op < 16:
                if op < 12:
                    if op < 10:
                        if op == 8:  # CALL1
                            r[out] = f(r[a])
                        else:  # CALL2_FREE
                            r[out] = f(r[a], r[b])
                            r[freed] = None
                    else:
                        r[out] = f(r[a], r[b], r[c])
                        if op == 11:  # CALL3_FREE
                            r[freed] = None
                elif op < 14:
                    if op == 12:  # LOOP_BRANCH2
                        if f(r[a], r[b]):
                            steps -= 1
                            if steps < 0:
                                steps = meter.portion()
                        else:
                            i = out
                    else:  # FOR_NEXT
                        x = r[a] + 1
                        if x < r[b]:
                            r[a] = x
                            i = out
                            steps -= 1
                            if steps < 0:
                                steps = meter.portion()
                elif op == 14:  # FOR_RANGE_NEXT
                    x = r[a] + 1
                    if x < r[b]:
                        r[a] = x
                        r[c] = r[c] + r[freed]
                        i = out
                        steps -= 1
                        if steps < 0:
                            steps = meter.portion()
                else:  # MOVE
                    r[out] = r[a]
            elif op < 20:
                if op == 16:  # BRANCH
                    if not r[a]:
                        i = out
                elif op == 17:  # LOOP_BRANCH
                    if r[a]:
                        steps -= 1
                        if steps < 0:
                            steps = meter.portion()
                    else:
                        i = out
                elif op == 18:  # GATHER
                    r[out] = c(r)
                else:  # CALL_GATHERED
                    r[out] = f(c(r))
            elif op == 20:  # CALL_SPREAD
                r[out] = f(*c(r))
            elif op == 21:  # UNPACK
                for register, value in zip(out, f(*c(r))):
                    r[register] = value
                value = None
            elif op == 22:  # FREE
                for register in out:
                    r[register] = None
            elif op == 23:  # FOR_ENTER
                if r[b] > 0:
                    r[a] = 0
                else:
                    i = out
            elif op == 24 or op == 28:  # CALL_FUNCTION, CALL_METHOD
                steps -= 1
                if steps < 0:
                    steps = meter.portion()
                if len(frames) + 1 >= limits.max_frames:
                    raise too_deep(limits)
                callee = program_of(f if op == 24 else method_of(r[a], f))
                registers = callee.registers.copy()
                registers[: callee.input_count] = c(r)
                for register in freed:
                    r[register] = None
                frames.append((program, here, r))
                program, r, i = callee, registers, callee.entry
                registers = None
            elif op == 25:  # RETURN
                results = c(r)
                if not frames:
                    return results[0] if len(results) == 1 else results
                program, here, r = frames.pop()
                i = here[NEXT]
                for register, value in zip(here[OUT], results):
                    r[register] = value
                results = value = None
            elif op == 26:  # ENTER
                entered.append(r[a])
                r[out] = f(r[a])
            else:  # EXIT
                entered.pop()
                r[out] = f(r[a])
    except Exception as error:
        running = [(frame.name, frame.nodes[id(at)]) for frame, at, _ in frames]
        if here:
            running.append((program.name, program.nodes[id(here)]))
        failure = located(error, running)
        while entered:
            entered.pop().__exit__(None, None, None)
        if failure is error:
            raise
        raise failure from error
