"""Nodes: instructions with inputs, outputs, attributes and nested blocks.

Inputs change only through the methods here, which keep the use lists of the values right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.node_attributes import NodeAttributes
from tsc.compiler.ir.node_order import assign_position, enclosing_in_common_block
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Use, Value
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.compiler.types import TENSOR, Type

if TYPE_CHECKING:
    from tsc.compiler.ir.block import Block
    from tsc.compiler.ir.call_stack import InlinedCall
    from tsc.compiler.ir.graph import Graph
    from tsc.compiler.schema import FunctionSchema, Operator

NO_BLOCKS: list[Block] = []
"""Shared by all nodes without blocks, and never written to."""


class Node(NodeAttributes):
    """One instruction.

    ``next`` and ``previous`` lead around the block, whose return node closes the ring; a node that
    is in no block has itself for neighbours. ``inputs``, ``outputs`` and ``blocks`` are live views:
    copy them before changing the node while walking them.
    """

    __slots__ = (
        "_blocks",
        "_inputs",
        "_outputs",
        "_uses",
        "block",
        "call_stack",
        "graph",
        "next",
        "operator",
        "position",
        "previous",
        "range",
        "scope",
    )

    def __init__(self, graph: Graph, kind: str, range: SourceRange = UNKNOWN_RANGE) -> None:
        self.graph = graph
        self.kind = kind
        self.range = range
        self.operator: Operator | None = None
        self.scope: str = ""
        self.call_stack: InlinedCall | None = None
        self.block: Block | None = None
        self.next: Node = self
        self.previous: Node = self
        self.position = 0
        self._inputs: list[Value] = []
        self._uses: list[Use] = []
        self._outputs: list[Value] = []
        self._blocks: list[Block] = NO_BLOCKS
        self._attributes = None

    # -- Inputs ------------------------------------------------------------------------------

    @property
    def inputs(self) -> Sequence[Value]:
        return self._inputs

    @property
    def input(self) -> Value:
        """The only input."""
        if len(self._inputs) != 1:
            raise GraphError(f"{self.kind} has {len(self._inputs)} inputs, not one")
        return self._inputs[0]

    def add_input(self, value: Value) -> Value:
        if value.node.graph is not self.graph:
            self._check_same_graph(value)
        use = Use(self, len(self._inputs))
        self._inputs.append(value)
        self._uses.append(use)
        value.record_use(use)
        return value

    def insert_input(self, offset: int, value: Value) -> Value:
        self._check_same_graph(value)
        use = Use(self, offset)
        self._inputs.insert(offset, value)
        self._uses.insert(offset, use)
        value.record_use(use)
        self._renumber_uses(offset)
        return value

    def replace_input(self, offset: int, value: Value) -> Value:
        """Returns the value that was there."""
        self._check_same_graph(value)
        old, use = self._inputs[offset], self._uses[offset]
        old.forget_use(use)
        self._inputs[offset] = value
        value.record_use(use)
        return old

    def replace_input_with(self, value: Value, replacement: Value) -> None:
        """Every input that is ``value`` becomes ``replacement``."""
        for offset, each in enumerate(self._inputs):
            if each is value:
                self.replace_input(offset, replacement)

    def remove_input(self, offset: int) -> None:
        self._inputs.pop(offset).forget_use(self._uses.pop(offset))
        self._renumber_uses(offset)

    def remove_all_inputs(self) -> None:
        for value, use in zip(self._inputs, self._uses):
            value.forget_use(use)
        self._inputs.clear()
        self._uses.clear()

    def permute_inputs(self, order: Sequence[int]) -> None:
        """Input ``i`` becomes what input ``order[i]`` was."""
        if sorted(order) != list(range(len(self._inputs))):
            raise GraphError(f"{list(order)} is no order of {len(self._inputs)} inputs")
        self._inputs = [self._inputs[old] for old in order]
        self._uses = [self._uses[old] for old in order]
        self._renumber_uses(0)

    def input_use(self, offset: int) -> Use:
        """The edge at ``offset``, as the value knows it."""
        return self._uses[offset]

    def _renumber_uses(self, start: int) -> None:
        for offset in range(start, len(self._uses)):
            self._uses[offset].offset = offset

    def _check_same_graph(self, value: Value) -> None:
        if value.node.graph is not self.graph:
            raise GraphError(f"%{value.debug_name} belongs to another graph than this {self.kind}")

    # -- Outputs -----------------------------------------------------------------------------

    @property
    def outputs(self) -> Sequence[Value]:
        return self._outputs

    @property
    def output(self) -> Value:
        """The only output."""
        if len(self._outputs) != 1:
            raise GraphError(f"{self.kind} has {len(self._outputs)} outputs, not one")
        return self._outputs[0]

    @property
    def has_uses(self) -> bool:
        return any(value.has_uses for value in self._outputs)

    def add_output(self, type: Type = TENSOR, name: str | None = None) -> Value:
        value = Value(self, len(self._outputs), self.graph.next_unique(), type)
        self._outputs.append(value)
        if name is not None:
            value.set_debug_name(name)
        return value

    def insert_output(self, offset: int, type: Type = TENSOR, name: str | None = None) -> Value:
        value = Value(self, offset, self.graph.next_unique(), type)
        self._outputs.insert(offset, value)
        self._renumber_outputs(offset)
        if name is not None:
            value.set_debug_name(name)
        return value

    def erase_output(self, offset: int) -> None:
        """Only an output that nothing uses may go."""
        value = self._outputs[offset]
        if value.has_uses:
            raise GraphError(f"cannot erase %{value.debug_name}, output of {self.kind}: it is used")
        value.set_debug_name("")
        del self._outputs[offset]
        self._renumber_outputs(offset)

    def permute_outputs(self, order: Sequence[int]) -> None:
        """Output ``i`` becomes what output ``order[i]`` was."""
        if sorted(order) != list(range(len(self._outputs))):
            raise GraphError(f"{list(order)} is no order of {len(self._outputs)} outputs")
        self._outputs = [self._outputs[old] for old in order]
        self._renumber_outputs(0)

    def replace_all_uses_with(self, other: Node) -> None:
        """Every output's users consume the same output of ``other``."""
        if len(self._outputs) != len(other.outputs):
            raise GraphError(f"{self.kind} and {other.kind} differ in their number of outputs")
        for mine, theirs in zip(self._outputs, other.outputs):
            mine.replace_all_uses_with(theirs)

    def _renumber_outputs(self, start: int) -> None:
        for offset in range(start, len(self._outputs)):
            self._outputs[offset].offset = offset

    # -- Schema ------------------------------------------------------------------------------

    @property
    def schema(self) -> FunctionSchema | None:
        return None if self.operator is None else self.operator.schema

    def named_input(self, name: str) -> Value:
        """The input that the operator's schema calls ``name``."""
        schema = self.schema
        if schema is not None:
            for offset, argument in enumerate(schema.arguments):
                if argument.name == name:
                    return self._inputs[offset]
        raise GraphError(f"{self.kind} has no input named '{name}'")

    def has_named_input(self, name: str) -> bool:
        schema = self.schema
        return schema is not None and any(argument.name == name for argument in schema.arguments)

    def is_constant(self, name: str) -> bool:
        """Whether the input called ``name`` is a constant."""
        return self.named_input(name).node.kind == prim.Constant

    def get(self, name: str) -> object:
        """The value of the constant input called ``name``; NOT_CONSTANT where it is none."""
        return constant_value(self.named_input(name))

    # -- Blocks ------------------------------------------------------------------------------

    @property
    def blocks(self) -> Sequence[Block]:
        return self._blocks

    def add_block(self) -> Block:
        block = self.graph.new_block(self)
        self._blocks = [*self._blocks, block]
        return block

    def erase_block(self, offset: int) -> None:
        self._blocks[offset].destroy_contents()
        self._blocks = [*self._blocks[:offset], *self._blocks[offset + 1 :]]

    def find_all_nodes(self, kind: str, recurse: bool = True) -> list[Node]:
        """The nodes of a kind in this node's blocks, in the order of the text."""
        return [node for block in self._blocks for node in block.find_all_nodes(kind, recurse)]

    def find_node(self, kind: str, recurse: bool = True) -> Node | None:
        """The first of them, if there is one."""
        found = (block.find_node(kind, recurse) for block in self._blocks)
        return next(filter(None, found), None)

    # -- Place in the list -------------------------------------------------------------------

    @property
    def owning_graph(self) -> Graph:
        return self.graph

    @property
    def is_attached(self) -> bool:
        """Whether the node stands in a block's list."""
        return self.next is not self

    @property
    def owning_block(self) -> Block:
        if self.block is None:
            raise GraphError(f"this {self.kind} is in no block")
        return self.block

    def insert_before(self, place: Node) -> Node:
        """Puts this unattached node right before ``place``."""
        if self.block is not None:
            raise GraphError(f"this {self.kind} is already in a block")
        if place.kind == prim.Param:
            raise GraphError("nothing can stand before a block's inputs")
        return self._link_before(place)

    def insert_after(self, place: Node) -> Node:
        """Puts this unattached node right after ``place``, or first if that is a param node."""
        if place.kind == prim.Return:
            raise GraphError("nothing can stand after a block's outputs")
        if place.kind == prim.Param:
            return self.insert_before(place.owning_block.return_node.next)
        return self.insert_before(place.next)

    def _link_before(self, place: Node) -> Node:
        block = place.owning_block
        self.block = block
        self.next, self.previous = place, place.previous
        self.previous.next = self
        place.previous = self
        assign_position(self, block.return_node)
        return self

    def move_before(self, place: Node) -> None:
        if place is not self:
            self.remove_from_list()
            self.insert_before(place)

    def move_after(self, place: Node) -> None:
        if place is not self:
            self.remove_from_list()
            self.insert_after(place)

    def remove_from_list(self) -> None:
        """Detaches the node, whole, from its block."""
        if not self.is_attached:
            raise GraphError(f"this {self.kind} is in no block")
        self.next.previous = self.previous
        self.previous.next = self.next
        self.next = self.previous = self
        self.block = None

    # -- Order -------------------------------------------------------------------------------

    def is_before(self, other: Node) -> bool:
        """Whether this node comes before ``other``; nested blocks count as their owning node."""
        if self is other:
            return False
        if self.block is other.block:
            return self._is_before_in_block(other)
        mine, theirs = enclosing_in_common_block(self, other)
        if mine is theirs:
            raise GraphError(f"one of {self.kind} and {other.kind} contains the other's block")
        return mine._is_before_in_block(theirs)

    def is_after(self, other: Node) -> bool:
        return self is not other and not self.is_before(other)

    def _is_before_in_block(self, other: Node) -> bool:
        if self.kind == prim.Return or other.kind == prim.Param:
            return False
        if self.kind == prim.Param or other.kind == prim.Return:
            return True
        return self.position < other.position

    # -- End ---------------------------------------------------------------------------------

    def destroy(self) -> None:
        """Removes the node and all it contains for good; refused while an output is in use."""
        for value in self._outputs:
            if value.has_uses:
                raise GraphError(f"cannot destroy {self.kind}: %{value.debug_name} is used")
        for block in self._blocks:
            block.destroy_contents()
        self._blocks = NO_BLOCKS
        self.abandon()
        if self.is_attached:
            self.remove_from_list()

    def abandon(self) -> None:
        """Gives up inputs and the names of outputs, as the last thing before the node goes."""
        self.remove_all_inputs()
        for value in self._outputs:
            value.set_debug_name("")

    def dump(self) -> None:
        """Prints the node to standard output."""
        print(repr(self))

    def __repr__(self) -> str:
        outputs = ", ".join(map(repr, self._outputs))
        inputs = ", ".join(f"%{value.debug_name}" for value in self._inputs)
        return f"{outputs} = {self.kind}{self.attributes_text()}({inputs})"
