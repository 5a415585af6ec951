"""Code: a graph as a list of stack-machine instructions, made once and shared by all executions.

An instruction ``(op, x, n)`` takes its values off the stack and leaves its results there. What x
and n mean is in `OPERANDS`. Registers hold the values that are needed later; jumps are relative to
the jump itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from typing import NamedTuple, cast

from tsc.compiler.ir import Function, Node
from tsc.compiler.types import Type, literal_text
from tsc.runtime.execution.node_kernels import Kernel


class OpCode(IntEnum):
    """What an instruction does. The names are PyTorch's."""

    OP = auto()
    OPN = auto()
    LOAD = auto()
    MOVE = auto()
    STORE = auto()
    STOREN = auto()
    DROP = auto()
    DROPR = auto()
    LOADC = auto()
    JF = auto()
    JMP = auto()
    LOOP = auto()
    RET = auto()
    GUARD = auto()
    TAIL_CALL = auto()
    PROFILE_OP = auto()
    CALL = auto()
    INTERFACE_CALL = auto()
    FORK = auto()
    AWAITABLE = auto()
    WAIT = auto()
    CREATE_OBJECT = auto()
    GET_ATTR = auto()
    SET_ATTR = auto()
    LIST_CONSTRUCT = auto()
    LIST_UNPACK = auto()
    TUPLE_CONSTRUCT = auto()
    NAMED_TUPLE_CONSTRUCT = auto()
    TUPLE_SLICE = auto()
    DICT_CONSTRUCT = auto()
    DICT_INDEX = auto()
    UNCHECKED_CAST = auto()
    ISINSTANCE = auto()
    RAISE_EXCEPTION = auto()
    UN_INITIALIZED = auto()
    WARN = auto()
    ENTER = auto()
    EXIT = auto()
    FORMAT = auto()
    DTYPE = auto()
    DEVICE = auto()
    DIM = auto()
    IS_CUDA = auto()
    NUM_TO_TENSOR = auto()
    TO_LIST = auto()
    IS = auto()
    ISNOT = auto()
    NOT = auto()


SPELLINGS = {OpCode.IS: "__IS__", OpCode.ISNOT: "__ISNOT__", OpCode.NOT: "__NOT__"}
"""The opcodes whose name in a dump is no name in Python."""

OPERANDS = {
    OpCode.OP: "O",
    OpCode.OPN: "OI",
    OpCode.LOAD: "R",
    OpCode.MOVE: "R",
    OpCode.STORE: "R",
    OpCode.STOREN: "RI",
    OpCode.DROPR: "R",
    OpCode.LOADC: "C",
    OpCode.JF: "P",
    OpCode.JMP: "P",
    OpCode.LOOP: "PI",
    OpCode.GUARD: "T",
    OpCode.TAIL_CALL: "F",
    OpCode.CALL: "F",
    OpCode.INTERFACE_CALL: "CI",
    OpCode.FORK: "FI",
    OpCode.AWAITABLE: "FI",
    OpCode.CREATE_OBJECT: "T",
    OpCode.GET_ATTR: "C",
    OpCode.SET_ATTR: "C",
    OpCode.LIST_CONSTRUCT: "TI",
    OpCode.LIST_UNPACK: "I",
    OpCode.TUPLE_CONSTRUCT: "I",
    OpCode.NAMED_TUPLE_CONSTRUCT: "TI",
    OpCode.TUPLE_SLICE: "II",
    OpCode.DICT_CONSTRUCT: "TI",
    OpCode.UNCHECKED_CAST: "T",
    OpCode.ISINSTANCE: "TI",
    OpCode.FORMAT: "I",
}
"""What x and n are: an operator, a register, a constant, a program offset, a function, a type, an
integer.
"""


class Instruction(NamedTuple):
    """One instruction. There are several for each node, and a tuple is soonest made."""

    op: OpCode
    x: int = 0
    n: int = 0

    def __str__(self) -> str:
        return f"{SPELLINGS.get(self.op, self.op.name)} {self.x} {self.n}"


class Operation(NamedTuple):
    """What an instruction runs: a kernel, the number of values it takes and of results it leaves."""

    kernel: Kernel
    inputs: int
    outputs: int


@dataclass(slots=True)
class Code:
    """The instructions of one function, with the tables they point into.

    `operations` and `nodes` run parallel to `instructions`: what an instruction executes (None
    where the opcode says it all), and the node it was made from.
    """

    name: str
    instructions: list[Instruction] = field(default_factory=list)
    operations: list[Operation | None] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    constants: list[object] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    input_count: int = 0
    output_count: int = 0
    register_count: int = 0

    def __str__(self) -> str:
        return "\n".join(_dump(self)) + "\n"


def _dump(code: Code) -> Iterator[str]:
    width = len(str(len(code.instructions)))
    for pc, instruction in enumerate(code.instructions):
        yield f"{pc:>{width}} {instruction}"
    yield from _table("constants", [_constant_text(value) for value in code.constants])
    yield from _table("operators", code.operators)
    yield from _table("types", [type.annotation for type in code.types])
    yield from _table("functions", [function.qualified_name for function in code.functions])
    yield f"registers: {code.register_count}"


def _table(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{title}:"
        width = len(str(len(lines) - 1))
        for index, line in enumerate(lines):
            yield f"  {index:>{width}} {line}"


def _constant_text(value: object) -> str:
    """A constant on one line."""
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float | complex | list | tuple):
        return literal_text(cast("object", value))
    return " ".join(str(value).split())
