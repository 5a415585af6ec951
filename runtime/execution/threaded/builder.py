"""From a graph to threaded code: one instruction for most nodes, a link for every jump.

A node writes its result over an input that dies there, where it can. What holds memory and dies is
emptied at once. Loops are in `threaded_loops`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

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
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.threaded.loops import build_loop
from tsc.runtime.execution.threaded.nodes import gather, is_comparison, leaves_nothing, operation_of
from tsc.runtime.execution.threaded.parallel_moves import in_sequence
from tsc.runtime.execution.threaded.register_allocation import Registers, is_fixed, is_heavy
from tsc.runtime.execution.threaded.threaded_code import NEXT, OUT, Instruction, Op, Program
from tsc.runtime.execution.threaded.trampoline import Steps, run

Link = tuple[Instruction, int]
"""A field of an instruction that is to hold the instruction emitted next."""

_FREEING = {Op.CALL2: Op.CALL2_FREE, Op.CALL3: Op.CALL3_FREE}
_CASTS = frozenset({prim.unchecked_cast, prim.unchecked_unwrap_optional})


def build_program(graph: Graph, name: str) -> Program:
    """The threaded code of a graph. Raises CompileError for nodes that nothing here can run."""
    return Builder(graph, name).build()


class Builder:
    """Emits instructions. `links` are the fields that wait for the next one."""

    def __init__(self, graph: Graph, name: str) -> None:
        self.program = Program(name, len(graph.inputs), len(graph.outputs))
        self.liveness = analyze_liveness(graph)
        self.registers = Registers(graph)
        self.links: list[Link] = []
        self.node = graph.block.param_node
        self.computed_by_loop: set[Node] = set()
        self._block = graph.block
        for value in graph.inputs:
            self.registers.set_new(value)
        self._nowhere = self.registers.new()

    def build(self) -> Program:
        entry: Instruction = [None] * (NEXT + 1)
        self.links = [(entry, NEXT)]
        run(self.nodes(self._block))
        self.node = self._block.return_node
        self.emit(Op.RETURN, c=gather(self.registers_of(self._block.outputs)))
        self.program.entry = entry[NEXT]
        self.program.registers = self.registers.template
        return self.program

    # -- Blocks --------------------------------------------------------------------------------

    def nodes(self, block: Block) -> Steps:
        """The nodes of a block, without what becomes of its outputs."""
        self.registers.enter(block)
        self.node = block.param_node
        self.empty(self.registers.bury(self.liveness.dead_at_start(block)))
        for node in block.nodes():
            self.node = node
            if node.kind == prim.If:
                yield self._if(node)
            elif node.kind == prim.Loop:
                yield build_loop(self, node)
            elif node.kind == prim.Constant:
                self.registers.set_new(node.output, constant_value(node.output))
            elif node.kind == prim.Uninitialized:
                self.registers.set_new(node.output)
            elif node not in self.computed_by_loop and not self._is_asked_by_branch(node):
                self.computation(node)

    def leave(self, block: Block, targets: Sequence[int], values: Sequence[Value]) -> None:
        """The end of a block: its outputs go to where they are wanted, and nothing else stays
        behind.
        """
        self.node = block.return_node
        moves = zip(targets, values)
        self.move([(to, self.registers.of(value)) for to, value in moves if not is_unset(value)])
        held = self.registers.bury(self.dying_inputs(block.return_node))
        self.empty(held, unless=targets)

    def _if(self, node: Node) -> Steps:
        enclosing = self.registers.block
        branch, entries = self.branch(node.inputs[0])
        self.registers.bury(self.dying_inputs(node))
        targets = [self.registers.place(output) for output in node.outputs]
        ends: list[Link] = []
        for block, entry in zip(node.blocks, entries):
            self.links = [(branch, entry)]
            yield self.nodes(block)
            self.leave(block, targets, block.outputs)
            ends += self.links
        self.links = ends
        self.finish(node, enclosing)

    def finish(self, node: Node, enclosing: Block) -> None:
        """After a node with blocks: what was needed until now dies, and what nobody wants of it."""
        self.registers.leave_to(enclosing)
        self.node = node
        self.empty(self._unwanted(node))

    # -- Branches ------------------------------------------------------------------------------

    def _is_asked_by_branch(self, node: Node) -> bool:
        """Whether a node is a question that only the branch right after it wants answered."""
        if not is_comparison(node) and node.kind != aten.not_:
            return False
        use = node.output.uses[0] if node.output.use_count == 1 else None
        if use is None or use.node is not _following(node):
            return False
        if any(is_heavy(value) for value in self.dying_inputs(node)):
            return False
        if use.node.kind == prim.If:
            return True
        if use.node.kind == aten.not_:
            return self._is_asked_by_branch(use.node)
        return is_comparison(node) and _is_loop_condition(use.node, use.offset)

    def is_pending(self, condition: Value) -> bool:
        """Whether a question was left to the branch."""
        return not self.registers.is_placed(condition)

    def branch(self, condition: Value) -> tuple[Instruction, tuple[int, int]]:
        """A branch, and its fields for when the condition holds and for when it does not."""
        if not self.is_pending(condition):
            return self.emit(Op.BRANCH, a=self.registers.of(condition)), (NEXT, OUT)
        question = condition.node
        if is_comparison(question):
            return self.comparison(Op.BRANCH2, question), (NEXT, OUT)
        branch, (when_true, when_false) = self.branch(question.inputs[0])
        self.registers.bury(self.dying_inputs(question))
        return branch, (when_false, when_true)

    def comparison(self, op: int, question: Node, into: Instruction | None = None) -> Instruction:
        """A branch that asks the question itself."""
        a, b = self.registers_of(question.inputs)
        branch = self.emit(op, fast_kernel(question), a=a, b=b, into=into)
        self.program.nodes[id(branch)] = question
        self.registers.bury(self.dying_inputs(question))
        return branch

    # -- Nodes without blocks ------------------------------------------------------------------

    def computation(self, node: Node) -> None:
        """The instruction that runs a node, and what becomes of its inputs and outputs."""
        self.node = node
        dying = self.dying_inputs(node)
        if node.kind in _CASTS and dying and self.registers.pass_on(node.inputs[0], node.output):
            return
        if node.kind in CALLS:
            self._call(node, dying)
            return
        inputs = self.registers_of(node.inputs)
        held = self.registers.bury(dying)
        outputs = [self.registers.place(output) for output in node.outputs]
        held = [register for register in held if register not in outputs]
        if len(outputs) > 1:
            self.emit(Op.UNPACK, fast_kernel(node), out=tuple(outputs), c=gather(inputs))
            self.empty(held)
            self.empty(self._unwanted(node))
        else:
            self._single_result(node, inputs, outputs[0] if outputs else self._nowhere, held)

    def _single_result(self, node: Node, inputs: Sequence[int], out: int, held: list[int]) -> None:
        op, function, a, b, c = operation_of(node, inputs)
        freed = None
        if held and op in _FREEING:
            op, freed = _FREEING[op], held.pop()
        self.emit(op, function, out, a, b, c, freed)
        unwanted = self._unwanted(node)
        self.empty(held if leaves_nothing(function) else [*held, *unwanted])

    def _unwanted(self, node: Node) -> list[int]:
        """The registers of results that nobody wants."""
        return self.registers.bury(self.liveness.dead_after(node))

    def _call(self, node: Node, dying: Sequence[Value]) -> None:
        """A call of a script function. What dies as an argument is the callee's alone."""
        op, callee, owner = Op.CALL_FUNCTION, callee_of(node), None
        if callee is None and node.kind == prim.CallMethod:
            op, callee = Op.CALL_METHOD, node.string_attribute("name")
            owner = self.registers.of(node.inputs[0])
        if callee is None:
            raise CompileError(
                "the function that is called here is not known",
                node.range,
                code=codes.NOT_EXECUTABLE,
            )
        arguments = gather(self.registers_of(arguments_of(node)))
        held = tuple(self.registers.bury(dying))
        outputs = tuple(self.registers.place(output) for output in node.outputs)
        self.emit(op, callee, outputs, owner, c=arguments, freed=held)
        self.empty(self._unwanted(node))

    # -- Emission ------------------------------------------------------------------------------

    def emit(
        self,
        op: int,
        function: Any = None,
        out: Any = None,
        a: Any = None,
        b: Any = None,
        c: Any = None,
        freed: Any = None,
        into: Instruction | None = None,
    ) -> Instruction:
        """The next instruction. `into` is one that others are linked to already: its links stay as
        they are.
        """
        fields = [op, function, out, a, b, c, freed]
        instruction = [*fields, None] if into is None else into
        if into is not None:
            into[:] = [new if old is None else old for old, new in zip(into, [*fields, None])]
        for waiting, field in self.links:
            waiting[field] = instruction
        self.links = [(instruction, NEXT)]
        self.program.instructions.append(instruction)
        self.program.nodes[id(instruction)] = self.node
        return instruction

    def move(self, moves: Sequence[tuple[int, int]]) -> None:
        """Moves that happen all at once."""
        spare: list[int] = []

        def take_spare() -> int:
            spare.append(self.registers.take())
            return spare[-1]

        for to, origin in in_sequence(moves, take_spare):
            self.emit(Op.MOVE, out=to, a=origin)
        self.empty(spare)
        for register in spare:
            self.registers.release(register)

    def empty(self, registers: Sequence[int], unless: Iterable[int] = ()) -> None:
        """Let go of what registers hold."""
        kept = set(unless)
        emptied = tuple(register for register in registers if register not in kept)
        if emptied:
            self.emit(Op.FREE, out=emptied)

    def registers_of(self, values: Iterable[Value]) -> list[int]:
        return [self.registers.of(value) for value in values]

    def dying_inputs(self, node: Node) -> list[Value]:
        """The inputs that nothing needs after this node."""
        is_last_use = self.liveness.is_last_use
        return [
            value
            for offset, value in enumerate(node.inputs)
            if not is_fixed(value) and is_last_use(node, offset)
        ]


def is_unset(value: Value) -> bool:
    """Whether nothing is to be moved, since nobody reads it."""
    return value.node.kind == prim.Uninitialized


def _following(node: Node) -> Node:
    """The node that runs after this one; constants are not run."""
    node = node.next
    while node.kind == prim.Constant:
        node = node.next
    return node


def _is_loop_condition(node: Node, offset: int) -> bool:
    """Whether the input of a node says if a loop is to run, or to run once more."""
    if node.kind == prim.Loop:
        return offset == 1
    owner = None if node.block is None else node.block.owning_node
    return (
        node.kind == prim.Return and offset == 0 and owner is not None and owner.kind == prim.Loop
    )
