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
from tsc.compiler.exir.targets import COND, Target
from tsc.compiler.schema import Operator
from tsc.compiler.source import UNKNOWN_RANGE, SourceRange
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.size_nodes import SizeNodes
from tsc.runtime.exporting.tensors import written_tensors
from tsc.runtime.exporting.undo_log import UndoLog
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes


class OuterWriteError(ExportError):
    """A graph writes to a tensor from outside. It can do so to a copy, if it has one from its beginning."""

    def __init__(
        self, name: str, tensor: Tensor | None, range: SourceRange = UNKNOWN_RANGE
    ) -> None:
        super().__init__(
            f"{name} writes, in a branch that data decides, to a tensor from outside of it",
            range,
            hint="compute a new tensor in the branch, and write it behind the branch",
            refusal=refusals.CHANGED_OUTSIDE,
        )
        self.name, self.tensor = name, tensor
        """The tensor is None if it cannot, as it is seen by several names."""

    def at(self, range: SourceRange) -> OuterWriteError:
        return OuterWriteError(self.name, self.tensor, range)


class BranchRecorder(Recorder):
    """Writes the graph of a branch. What it reads from outside becomes an operand, and must not be written."""

    def __init__(self, outer: Recorder, operator: Target = COND) -> None:
        super().__init__()
        self.outer = outer
        self.inside = (*outer.inside, (operator.base_name, str(operator)))
        self.source_function = outer.source_function
        self.undo_log = outer.undo_log
        self.chosen = outer.chosen
        self.symbols = outer.symbols
        self.size_tensors = outer.size_tensors
        self.size_nodes = SizeNodes(self, outer.size_nodes)
        self.metadata = outer.metadata
        self.operands: list[Tensor] = []
        self._inputs: list[Tensor] = []
        self._taken_over: list[Tensor] = []
        self._operand_nodes: dict[int, Node] = {}

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
        self.separations.refuse_outdated(tensor)
        if known is not None:
            return known[1]
        constant = self._constants.pop(id(tensor), None)
        if constant is not None:  # those of a branch are computed outside of it
            self.outer.note_constant(tensor, is_fresh=constant[1])
        self._refuse_other_names(tensor)
        outside = self.outer.node_of(tensor)
        self.operands.append(tensor)
        return self._operand(tensor, outside)

    def _refuse_other_names(self, tensor: Tensor) -> None:
        """Raise `ExportError` for a tensor from outside that looks into one which is written here."""
        if any(_share(tensor, each) for each in self._taken_over):
            raise OuterWriteError("an operator", None)

    def take_over(self, tensor: Tensor, start: Tensor) -> None:
        """Have a copy of `start` in the place of a tensor from outside, which may be written then."""
        made = self.run("aten::clone", "", [start, None], start.array)
        self._known[id(tensor)] = (tensor, self.node_of(made))
        self._taken_over.append(tensor)
        tensor.array[...] = start.array

    def is_taken_over(self, tensor: Tensor) -> bool:
        return any(_share(tensor, each) for each in self._taken_over) or self.outer.is_taken_over(
            tensor
        )

    def snapshot(self, tensor: Tensor) -> Tensor:
        """What a tensor holds now, as another one of the same node."""
        made = Tensor(tensor.array.copy())
        self._known[id(made)] = (made, self.node_of(tensor))
        return made

    def known(self, tensor: Tensor) -> FakeTensor:
        return super().known(tensor) if id(tensor) in self._known else self.outer.known(tensor)

    def comes_from_outside(self, tensor: Tensor) -> bool:
        """Whether a tensor is an operand, or looks into one."""
        given = [each for each in (*self.operands, *self._inputs) if not self._owns(each)]
        return any(_share(tensor, each) for each in given)

    def seen_outside(self, tensor: Tensor) -> list[Tensor]:
        """The tensors from outside that one is, or looks into."""
        if id(tensor) not in self._known:
            return [tensor] if self.outer.knows(tensor) else []
        found = [each for each in self.operands if not self._owns(each)]
        return [each for each in found if _share(tensor, each)]

    def _owns(self, tensor: Tensor) -> bool:
        return any(tensor is each for each in self._taken_over)

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
                raise OuterWriteError(operator.qualified_name, self._written_outside(tensor))
        super().before_call(operator, values)

    def _written_outside(self, tensor: Tensor) -> Tensor | None:
        """The tensor from outside that is written, if it is one; None if there are several, or it is carried."""
        if id(tensor) not in self._known:
            return tensor
        found = [each for each in self.operands if _share(tensor, each)]
        is_carried = any(_share(tensor, each) for each in self._inputs)
        return found[0] if len(found) == 1 and not is_carried else None

    def take_operands(self, operands: Sequence[Tensor]) -> None:
        """Have these operands, in this order, as inputs."""
        first = self._first_step()
        for tensor in operands:
            known = self._operand_nodes.get(id(tensor))
            node = self._operand(tensor, self.outer.node_of(tensor)) if known is None else known
            node.move_before(first)

    def _operand(self, tensor: Tensor, outside: Node) -> Node:
        first = self._first_step()
        with self.graph.inserting_before(first) if first else nullcontext():
            node = self.placeholder(outside.name, tensor, known=self.outer.known(tensor))
        self._operand_nodes[id(tensor)] = node
        return node


class Rehearsal(BranchRecorder):
    """Writes a graph that nobody sees, of a branch that runs once more: nothing of it gets into the outer one."""

    def __init__(self, outer: Recorder) -> None:
        super().__init__(outer)
        self.undo_log = UndoLog()
        self.symbols = dict(outer.symbols)

    def node_of(self, tensor: Tensor) -> Node:
        known = self._known.get(id(tensor))
        self.separations.refuse_outdated(tensor)
        if known is not None:
            return known[1]
        self._constants.pop(id(tensor), None)
        self._refuse_other_names(tensor)
        self.operands.append(tensor)
        return self.placeholder("operand", tensor, known=self.outer.known(tensor))


def _share(first: Tensor, second: Tensor) -> bool:
    return np.may_share_memory(first.array, second.array)
