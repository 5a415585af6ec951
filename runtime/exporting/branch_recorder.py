"""The graphs of branches and loops while they are captured: what they read from outside becomes operands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.symbols.sym_values import SymBool
from tsc.compiler.schema import Operator
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.size_nodes import SizeNodes
from tsc.runtime.exporting.tensors import written_tensors
from tsc.runtime.exporting.undo_log import UndoLog
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes


class BranchRecorder(Recorder):
    """Writes the graph of a branch. What it reads from outside becomes an operand, and must not be written."""

    def __init__(self, outer: Recorder) -> None:
        super().__init__()
        self.outer = outer
        self.undo_log = outer.undo_log
        self.symbols = outer.symbols
        self.size_tensors = outer.size_tensors
        self.size_nodes = SizeNodes(self, outer.size_nodes)
        self.metadata = outer.metadata
        self.operands: list[Tensor] = []
        self._inputs: list[Tensor] = []

    @property
    def sizes(self) -> SymbolicSizes | None:
        return self.outer.sizes

    def have_sizes(self) -> SymbolicSizes:
        return self.outer.have_sizes()

    def knows(self, tensor: Tensor) -> bool:
        return super().knows(tensor) or self.outer.knows(tensor)

    def is_constant(self, tensor: Tensor) -> bool:
        return super().is_constant(tensor) or (
            id(tensor) not in self._known and self.outer.is_constant(tensor)
        )

    def node_of(self, tensor: Tensor) -> Node:
        known = self._known.get(id(tensor))
        if known is not None:
            return known[1]
        constant = self._constants.pop(id(tensor), None)
        if constant is not None:  # those of a branch are computed outside of it
            self.outer.note_constant(tensor, is_fresh=constant[1])
        outside = self.outer.node_of(tensor)
        self.operands.append(tensor)
        return self._operand(tensor, outside)

    def known(self, tensor: Tensor) -> FakeTensor:
        return super().known(tensor) if id(tensor) in self._known else self.outer.known(tensor)

    def comes_from_outside(self, tensor: Tensor) -> bool:
        """Whether a tensor is an operand, or looks into one."""
        given = (*self.operands, *self._inputs)
        return any(np.may_share_memory(tensor.array, each.array) for each in given)

    def carried(self, name: str, tensor: Tensor, known: FakeTensor) -> None:
        """Have an input that changes from turn to turn of a loop; they stand in front of operands."""
        self._inputs.append(tensor)
        self.placeholder(name, tensor, known=known)

    def learn(self, condition: SymBool) -> None:
        """Nothing: it is checked in this graph alone, which another run may not take."""

    def before_call(self, operator: Operator, values: Sequence[Any]) -> None:
        for tensor in written_tensors(operator, values):
            if (
                self.is_constant(tensor)
                or id(tensor) not in self._known
                or self.comes_from_outside(tensor)
            ):
                raise ExportError(
                    f"{operator.qualified_name} writes, in a branch that data decides, to a tensor from outside of it",
                    hint="compute a new tensor in the branch, and write it behind the branch",
                    refusal=refusals.CHANGED_OUTSIDE,
                )
        super().before_call(operator, values)

    def take_operands(self, operands: Sequence[Tensor]) -> None:
        """Have these operands, in this order, as inputs."""
        first = self._first_step()
        for tensor in operands:
            known = self._known.get(id(tensor))
            node = self._operand(tensor, self.outer.node_of(tensor)) if known is None else known[1]
            node.move_before(first)

    def _operand(self, tensor: Tensor, outside: Node) -> Node:
        first = self._first_step()
        with self.graph.inserting_before(first) if first else nullcontext():
            return self.placeholder(outside.name, tensor, known=self.outer.known(tensor))


class Rehearsal(BranchRecorder):
    """Writes a graph that nobody sees, of a branch that runs once more: nothing of it gets into the outer one."""

    def __init__(self, outer: Recorder) -> None:
        super().__init__(outer)
        self.undo_log = UndoLog()
        self.symbols = dict(outer.symbols)

    def node_of(self, tensor: Tensor) -> Node:
        known = self._known.get(id(tensor))
        if known is not None:
            return known[1]
        self._constants.pop(id(tensor), None)
        self.operands.append(tensor)
        return self.placeholder("operand", tensor, known=self.outer.known(tensor))
