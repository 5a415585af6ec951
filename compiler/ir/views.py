"""Views that give the inputs, outputs and blocks of control-flow nodes their names."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value

MAX_TRIP_COUNT = (1 << 63) - 1
"""The trip count of a loop that only its condition ends."""


def _expect_kind(node: Node, kind: str) -> None:
    if node.kind != kind:
        raise GraphError(f"expected a {kind}, not a {node.kind}")


class IfView:
    """A prim::If: outputs are those of whichever block the condition chooses."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        _expect_kind(node, prim.If)
        self.node = node

    @property
    def condition(self) -> Value:
        return self.node.inputs[0]

    @property
    def then_block(self) -> Block:
        return self.node.blocks[0]

    @property
    def else_block(self) -> Block:
        return self.node.blocks[1]

    @property
    def outputs(self) -> Sequence[Value]:
        return self.node.outputs

    @property
    def then_outputs(self) -> Sequence[Value]:
        return self.then_block.outputs

    @property
    def else_outputs(self) -> Sequence[Value]:
        return self.else_block.outputs

    def permute_outputs(self, order: Sequence[int]) -> None:
        """Reorders the node's outputs together with both blocks'."""
        self.node.permute_outputs(order)
        self.then_block.return_node.permute_inputs(order)
        self.else_block.return_node.permute_inputs(order)

    def erase_output(self, offset: int) -> None:
        """Drops an output that nothing uses, in the node and in both blocks."""
        self.node.erase_output(offset)
        self.then_block.erase_output(offset)
        self.else_block.erase_output(offset)


class LoopKind(Enum):
    """What ends a loop."""

    FOR = auto()
    WHILE = auto()
    MODIFIED = auto()
    """Both the trip count and the condition: a ``for`` with a ``break``."""


class LoopView:
    """A prim::Loop. "Carried" leaves out the trip count, the trip counter and the condition."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        _expect_kind(node, prim.Loop)
        self.node = node

    @property
    def max_trip_count(self) -> Value:
        return self.node.inputs[0]

    @property
    def input_condition(self) -> Value:
        """Whether the body runs a first time."""
        return self.node.inputs[1]

    @property
    def carried_inputs(self) -> Sequence[Value]:
        return self.node.inputs[2:]

    @property
    def carried_outputs(self) -> Sequence[Value]:
        return self.node.outputs

    @property
    def body_block(self) -> Block:
        return self.node.blocks[0]

    @property
    def current_trip_count(self) -> Value:
        return self.body_block.inputs[0]

    @property
    def body_carried_inputs(self) -> Sequence[Value]:
        return self.body_block.inputs[1:]

    @property
    def next_condition(self) -> Value:
        """Whether the body runs once more."""
        return self.body_block.outputs[0]

    @property
    def body_carried_outputs(self) -> Sequence[Value]:
        return self.body_block.outputs[1:]

    @property
    def kind(self) -> LoopKind:
        """Told by the constants a loop is written with."""
        runs_on = (
            constant_value(self.input_condition) is constant_value(self.next_condition) is True
        )
        if runs_on:
            return LoopKind.FOR
        if constant_value(self.max_trip_count) == MAX_TRIP_COUNT:
            return LoopKind.WHILE
        return LoopKind.MODIFIED

    def replace_max_trip_count(self, count: Value) -> None:
        self.node.replace_input(0, count)

    def replace_input_condition(self, condition: Value) -> None:
        self.node.replace_input(1, condition)

    def permute_carried(self, order: Sequence[int]) -> None:
        """Reorders the carried variables in all four places."""
        self.node.permute_outputs(order)
        self.node.permute_inputs([0, 1, *(offset + 2 for offset in order)])
        shifted = [0, *(offset + 1 for offset in order)]
        self.body_block.param_node.permute_outputs(shifted)
        self.body_block.return_node.permute_inputs(shifted)

    def add_carried(self, initial: Value, name: str | None = None) -> Value:
        """A new carried variable; returns the body's input. The caller sets its next value."""
        self.node.add_input(initial)
        self.node.add_output(initial.type)
        return self.body_block.add_input(name, initial.type)

    def erase_carried(self, offset: int) -> None:
        """Drops a carried variable that nothing reads any more."""
        self.body_block.erase_output(offset + 1)
        self.body_block.erase_input(offset + 1)
        self.node.erase_output(offset)
        self.node.remove_input(offset + 2)
