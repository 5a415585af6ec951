"""Parts of programs as functions that run here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tsc.compiler.exir.signature import InputKind
from tsc.compiler.exir.translation.programs import graph_of_program
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.tensor import Tensor


def function_of(part: LoadedProgram) -> Callable[..., Sequence[Tensor]]:
    """What runs a part for its operands; parameters, buffers and constants are those of the program."""
    function = ScriptFunction(
        function_of_graph(graph_of_program(part, toolchain().operators), "forward")
    )
    own = [
        part.state_dict.get(str(each.target), part.constants.get(str(each.target)))
        for each in part.graph_signature.input_specs
        if each.kind is not InputKind.USER_INPUT
    ]

    def run(*operands: Any) -> Sequence[Tensor]:
        return function(*own, *operands)  # type: ignore[no-any-return]

    return run
