"""What is known of a graph before rules look at its nodes."""

from __future__ import annotations

from dataclasses import dataclass

from tsc.compiler.exir.explanation.constants import ConstantTensors
from tsc.compiler.exir.explanation.data_numbers import DataNumbers
from tsc.compiler.ir import Graph


@dataclass(frozen=True, slots=True)
class Facts:
    """Which tensors are constants, and which numbers are in tensors."""

    constants: ConstantTensors
    numbers: DataNumbers

    @staticmethod
    def of(graph: Graph) -> Facts:
        """What is known of an inlined graph."""
        constants = ConstantTensors(graph)
        return Facts(constants, DataNumbers(graph, constants))
