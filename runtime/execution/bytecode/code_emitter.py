"""From a graph to its instructions.

A value that is used once, right after it is made, stays on the stack: its node is emitted in the
place of its use. All others get a register each. Constants live in their table and are loaded at
every use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

from tsc.compiler.analysis.liveness import analyze_liveness
from tsc.compiler.ir import (
    CALLS,
    Block,
    Graph,
    Node,
    Value,
    arguments_of,
    callee_of,
    constant_value,
)
from tsc.compiler.ir.symbols import aten, prim
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import DictType, TupleType, Type
from tsc.runtime.execution.bailout_functions import bailout_function
from tsc.runtime.execution.bytecode.code import Code, Instruction, OpCode, Operation
from tsc.runtime.execution.bytecode.stack_values import nodes_left_on_stack
from tsc.runtime.execution.bytecode.trampoline import Steps, run
from tsc.runtime.execution.node_kernels import Kernel, kernel_of, operator_of
from tsc.runtime.execution.tasks import AwaitableKernel, ForkKernel

Entry = TypeVar("Entry")

_PROMOTED = {
    prim.RaiseException: OpCode.RAISE_EXCEPTION,
    prim.Uninitialized: OpCode.UN_INITIALIZED,
    prim.Enter: OpCode.ENTER,
    prim.Exit: OpCode.EXIT,
    prim.profile: OpCode.PROFILE_OP,
    prim.dtype: OpCode.DTYPE,
    prim.device: OpCode.DEVICE,
    prim.is_cuda: OpCode.IS_CUDA,
    prim.NumToTensor: OpCode.NUM_TO_TENSOR,
    prim.tolist: OpCode.TO_LIST,
    aten.warn: OpCode.WARN,
    aten.wait: OpCode.WAIT,
    aten.is_: OpCode.IS,
    aten.isnot: OpCode.ISNOT,
    aten.not_: OpCode.NOT,
    "aten::dim": OpCode.DIM,
}
"""Operators with an instruction of their own."""
_DEFERRED = {prim.fork: OpCode.FORK, prim.awaitable: OpCode.AWAITABLE}


def emit_code(graph: Graph, name: str, kernels: Callable[[Node], Kernel] = kernel_of) -> Code:
    """The code of a graph, whose nodes run `kernels`. Raises CompileError for nodes that nothing here can run."""
    return _CodeEmitter(graph, name, kernels).emit()


class _CodeEmitter:
    def __init__(self, graph: Graph, name: str, kernels: Callable[[Node], Kernel]) -> None:
        self._graph = graph
        self._kernel_of = kernels
        self._code = Code(name, input_count=len(graph.inputs), output_count=len(graph.outputs))
        self._liveness = analyze_liveness(graph)
        self._inline = nodes_left_on_stack(graph, self._liveness)
        self._registers: dict[Value, int] = {}
        self._constants: dict[Value, int] = {}
        self._moves: dict[Value, int] = {}
        self._bailouts: list[tuple[int, Node]] = []
        self._node = graph.block.param_node

    def emit(self) -> Code:
        run(self._block(self._graph.block))
        self._insert(OpCode.RET)
        for jump, node in self._bailouts:
            self._bail_out(jump, node)
        return self._code

    # -- Blocks and nodes ----------------------------------------------------------------------

    def _block(self, block: Block) -> Steps:
        """The nodes of a block; leaves its outputs on the stack."""
        self._node = block.param_node
        self._store(block.inputs)
        yield self._drops(self._liveness.dead_at_start(block))
        for node in block.nodes():
            if node.kind == prim.Constant:
                self._constants[node.output] = self._constant(constant_value(node.output))
                continue
            if node.kind == prim.BailoutTemplate:
                self._constants[node.output] = -1  # nothing loads it
                continue
            if node not in self._inline:
                self._moves.clear()
                yield self._computation(node)
                self._store(node.outputs)
            dead = self._liveness.dead_after(node)
            if dead:
                yield self._drops(dead)
        self._moves.clear()
        yield self._computation(block.return_node)

    def _drops(self, values: Iterable[Value]) -> Steps:
        """Let go of values that nothing needs any more."""
        for value in values:
            if value in self._constants:
                continue
            if value.node in self._inline:
                self._moves.clear()
                yield self._computation(value.node)
                self._insert(OpCode.DROP)
            else:
                self._insert(OpCode.DROPR, self._registers[value])

    def _computation(self, node: Node) -> Steps:
        """A node with its inputs loaded before it, first those that are computed in place."""
        if node.kind == prim.BailOut:
            yield self._guard(node)
            return
        if node.kind == prim.Loop:
            self._node = node
            self._insert(OpCode.LOADC, self._constant(0))
        inputs = arguments_of(node)
        shift = len(node.inputs) - len(inputs)
        for offset, value in enumerate(inputs, shift):
            if value.node in self._inline:
                yield self._computation(value.node)
            else:
                self._node = node
                self._load(value, moved=self._liveness.is_last_use(node, offset))
        self._node = node
        if node.kind == prim.If:
            yield self._if(node)
        elif node.kind == prim.Loop:
            yield self._loop(node)
        elif node.kind != prim.Return:
            self._operation(node)

    def _if(self, node: Node) -> Steps:
        code = self._code.instructions
        start = self._insert(OpCode.JF)
        yield self._block(node.blocks[0])
        self._node = node
        end_of_then = self._insert(OpCode.JMP)
        code[start] = Instruction(OpCode.JF, len(code) - start)
        yield self._block(node.blocks[1])
        code[end_of_then] = Instruction(OpCode.JMP, len(code) - end_of_then)

    def _loop(self, node: Node) -> Steps:
        code = self._code.instructions
        start = self._insert(OpCode.LOOP)
        yield self._block(node.blocks[0])
        self._node = node
        self._insert(OpCode.JMP, start - len(code))
        code[start] = Instruction(OpCode.LOOP, len(code) - start, len(node.inputs))

    def _guard(self, node: Node) -> Steps:
        """Leaves the tensor on the stack if it is of the type; what is captured is let go of if nothing needs it."""
        guarded = node.inputs[1]
        if guarded.node in self._inline:
            yield self._computation(guarded.node)
        else:
            self._node = node
            self._load(guarded, moved=self._liveness.is_last_use(node, 1))
        self._node = node
        operation = Operation(self._kernel_of(node), 1, 1)
        self._insert(OpCode.GUARD, self._type(node.output.type), 0, operation)
        self._bailouts.append((self._insert(OpCode.JF), node))
        for offset in range(2, len(node.inputs)):
            value = node.inputs[offset]
            if value in self._registers and self._liveness.is_last_use(node, offset):
                self._insert(OpCode.DROPR, self._registers[value])

    def _bail_out(self, jump: int, node: Node) -> None:
        """At the end of the code: the rest of the program takes the place of this one."""
        self._node = node
        self._moves.clear()
        self._code.instructions[jump] = Instruction(OpCode.JF, len(self._code.instructions) - jump)
        for value in node.inputs[2:]:
            self._load(value, moved=False)
        self._code.functions.append(bailout_function(node, self._code.name))
        self._insert(OpCode.TAIL_CALL, len(self._code.functions) - 1, len(node.inputs) - 1)

    # -- Single instructions -------------------------------------------------------------------

    def _operation(self, node: Node) -> None:
        """The instruction that runs a node without blocks."""
        if node.kind in CALLS:
            self._call(node)
            return
        kernel = self._kernel_of(node)
        operation = Operation(kernel, len(node.inputs), len(node.outputs))
        if isinstance(kernel, ForkKernel | AwaitableKernel):
            op, x, n = (
                _DEFERRED[node.kind],
                _index(self._code.functions, kernel.function),
                len(node.inputs),
            )
        else:
            op, x, n = self._opcode(node)
        self._insert(op, x, n, operation)

    def _call(self, node: Node) -> None:
        callee = callee_of(node)
        if callee is not None:
            self._insert(OpCode.CALL, _index(self._code.functions, callee))
        elif node.kind == prim.CallMethod:
            name = self._constant(node.string_attribute("name"))
            self._insert(OpCode.INTERFACE_CALL, name, len(node.inputs))
        else:
            raise CompileError(
                "the function that is called here is not known",
                node.range,
                code=codes.NOT_EXECUTABLE,
            )

    def _opcode(self, node: Node) -> tuple[OpCode, int, int]:
        """Opcode and operands for the kind of a node."""
        if node.kind in _PROMOTED:
            return _PROMOTED[node.kind], 0, 0
        if node.kind in _CONSTRUCTIONS:
            return self._construction(node)
        if node.kind in _OF_OBJECTS:
            return self._of_object(node)
        if node.kind == aten.format:
            return OpCode.FORMAT, len(node.inputs), 0
        if node.kind == aten.getitem and isinstance(node.inputs[0].type, DictType):
            return OpCode.DICT_INDEX, 0, 0
        operator = operator_of(node)
        name = node.kind if operator is None else operator.qualified_name
        index = _index(self._code.operators, name)
        if operator is not None and operator.schema.is_vararg:
            return OpCode.OPN, index, len(node.inputs)
        return OpCode.OP, index, 0

    def _construction(self, node: Node) -> tuple[OpCode, int, int]:
        """Lists, tuples and dictionaries, put together or taken apart; casts and type tests."""
        count = len(node.inputs)
        match node.kind:
            case prim.ListConstruct:
                return OpCode.LIST_CONSTRUCT, self._type(node.output.type), count
            case prim.DictConstruct:
                return OpCode.DICT_CONSTRUCT, self._type(node.output.type), count
            case prim.TupleConstruct:
                type = node.output.type
                if isinstance(type, TupleType) and type.field_names is not None:
                    return OpCode.NAMED_TUPLE_CONSTRUCT, self._type(type), count
                return OpCode.TUPLE_CONSTRUCT, count, 0
            case prim.TupleSlice:
                start, end = node.integer_attribute("beg"), node.integer_attribute("end")
                return OpCode.TUPLE_SLICE, start, end - start
            case prim.ListUnpack:
                return OpCode.LIST_UNPACK, len(node.outputs), 0
            case prim.unchecked_cast:
                return OpCode.UNCHECKED_CAST, self._type(node.output.type), 0
            case _:
                return self._type_test(node)

    def _of_object(self, node: Node) -> tuple[OpCode, int, int]:
        """Objects are made, and their attributes read and set, by name."""
        if node.kind == prim.CreateObject:
            return OpCode.CREATE_OBJECT, self._type(node.output.type), 0
        name = self._constant(node.string_attribute("name"))
        return _OF_OBJECTS[node.kind], name, 0

    def _type_test(self, node: Node) -> tuple[OpCode, int, int]:
        """The types of an ``isinstance`` lie side by side in the table."""
        types = cast("Iterable[Type]", node.attribute("types"))
        start = len(self._code.types)
        self._code.types.extend(types)
        return OpCode.ISINSTANCE, start, len(self._code.types) - start

    # -- Tables and registers ------------------------------------------------------------------

    def _insert(
        self, op: OpCode, x: int = 0, n: int = 0, operation: Operation | None = None
    ) -> int:
        self._code.instructions.append(Instruction(op, x, n))
        self._code.operations.append(operation)
        self._code.nodes.append(self._node)
        return len(self._code.instructions) - 1

    def _load(self, value: Value, *, moved: bool) -> None:
        if value in self._constants:
            self._insert(OpCode.LOADC, self._constants[value])
            return
        register = self._registers[value]
        if value in self._moves:
            # A node computed in place needs it again, after the node whose input it is lets go of it.
            self._code.instructions[self._moves[value]] = Instruction(OpCode.LOAD, register)
            moved = True
        index = self._insert(OpCode.MOVE if moved else OpCode.LOAD, register)
        if moved:
            self._moves[value] = index

    def _store(self, values: Sequence[Value]) -> None:
        """Off the stack into new registers; they are numbered from 1."""
        if not values:
            return
        first = self._code.register_count + 1
        for register, value in enumerate(values, first):
            self._registers[value] = register
        self._code.register_count += len(values)
        if len(values) == 1:
            self._insert(OpCode.STORE, first)
        else:
            self._insert(OpCode.STOREN, first, len(values))

    def _constant(self, value: object) -> int:
        self._code.constants.append(value)
        return len(self._code.constants) - 1

    def _type(self, type: Type) -> int:
        return _index(self._code.types, type)


_OF_OBJECTS = {
    prim.CreateObject: OpCode.CREATE_OBJECT,
    prim.GetAttr: OpCode.GET_ATTR,
    prim.SetAttr: OpCode.SET_ATTR,
}
_CONSTRUCTIONS = frozenset(
    {
        prim.ListConstruct,
        prim.DictConstruct,
        prim.TupleConstruct,
        prim.TupleSlice,
        prim.ListUnpack,
        prim.unchecked_cast,
        prim.isinstance,
    }
)


def _index(table: list[Entry], entry: Entry) -> int:
    """The place of an entry in a table; it is added if it is not there."""
    if entry not in table:
        table.append(entry)
    return table.index(entry)
