"""Bytecode in another notation: an instruction with the values it takes from registers, and those it gives.

What is taken for the last time is moved. So it can be read next to the graph: a value has the number of its
definition, with the inputs first, and then constants.
"""

from __future__ import annotations

from itertools import count

import tsc
from tests.runtime.plans import script
from tests.well_known_programs import LSTM_CELL
from tsc.runtime.execution.bytecode.code import Code, OpCode
from tsc.runtime.execution.bytecode.code_emitter import emit_code

LISTING = """\
0, 1, 2, 3, 4, 5, 6 = Load
7 = Constant
8 = t move(3)
9 = mm move(0), move(8)
10 = t move(4)
11 = mm move(1), move(10)
12 = add move(9), move(11), 7
13 = add move(12), move(5), 7
14 = add move(13), move(6), 7
15, 16, 17, 18 = ConstantChunk move(14)
19 = sigmoid move(15)
20 = sigmoid move(16)
21 = tanh move(17)
22 = sigmoid move(18)
23 = mul move(20), move(2)
24 = mul move(19), move(21)
25 = add move(23), move(24), 7
26 = tanh 25
27 = mul move(22), move(26)
28 = TupleConstruct move(27), move(25)
 = Store move(28)
"""
"""A constant is never moved: all calls share it."""


def listing(code: Code) -> str:
    """Straight-line code, with the stack gone through: it holds what instructions will take."""
    numbers = count()
    stack = [f"{next(numbers)}" for _ in range(code.input_count)]
    lines = [f"{', '.join(stack)} = Load"]
    constants = [f"{next(numbers)}" for _ in code.constants]
    lines += [f"{number} = Constant" for number in constants]
    registers: dict[int, str] = {}
    for instruction, operation, node in zip(code.instructions, code.operations, code.nodes):
        match instruction.op:
            case OpCode.STORE | OpCode.STOREN:
                many = instruction.n if instruction.op is OpCode.STOREN else 1
                registers.update(enumerate(stack[-many:], instruction.x))
                del stack[-many:]
            case OpCode.LOAD:
                stack.append(f"kept {registers[instruction.x]}")
            case OpCode.MOVE:
                stack.append(registers.pop(instruction.x))
            case OpCode.LOADC:
                stack.append(f"kept {constants[instruction.x]}")
            case OpCode.RET:
                lines.append(f" = Store {_taken(stack, len(stack))}")
            case _:
                many = instruction.x if operation is None else operation.inputs
                operands = _taken(stack, many)
                results = [f"{next(numbers)}" for _ in node.outputs]
                lines.append(f"{', '.join(results)} = {node.kind.split('::')[1]} {operands}")
                stack += results
    return "\n".join(lines) + "\n"


def _taken(stack: list[str], many: int) -> str:
    operands = stack[-many:]
    del stack[-many:]
    return ", ".join(
        each.removeprefix("kept ") if each.startswith("kept ") else f"move({each})"
        for each in operands
    )


def test_listing_of_an_lstm_cell() -> None:
    function = script(LSTM_CELL)
    graph = function.graph.copy()
    assert tsc.run_pass("canonicalize_graph_fuser_ops", graph)
    tsc.run_pass("eliminate_dead_code", graph)
    assert listing(emit_code(graph, function.name)) == LISTING
