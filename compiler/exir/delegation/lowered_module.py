"""What stands for a part of a program that another runtime computes."""

from __future__ import annotations

from typing import Final

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.targets import Target
from tsc.compiler.schema import Operator

CALL_DELEGATE: Final = Target("torch.ops.higher_order.executorch_call_delegate")


class LoweredModule(GraphModule):
    """A part of a program, which it still holds, with the backend it was given to.

    `operator` is what is called in its place: its arguments are the user inputs of the part, in order, its results
    the outputs.
    """

    def __init__(self, program: ExportedProgram, backend_id: str, operator: Operator) -> None:
        super().__init__(program.graph, program.graph_module.modules)
        self.original_module = program
        self.backend_id = backend_id
        self.operator = operator
