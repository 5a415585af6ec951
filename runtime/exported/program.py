"""Exported programs that can run, and modules made of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.pytrees import TreeError
from tsc.compiler.exir.signature import InputKind
from tsc.compiler.exir.translation.programs import graph_of_program
from tsc.compiler.ir import Graph
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.compiler.outer_net import foreseen
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.input_checks import InputChecks
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.tensor import Tensor


@dataclass(slots=True)
class LoadedProgram(ExportedProgram):
    """An exported program with its tensors.

    `example_inputs` are the arguments for which it was exported, a tuple and a dict, if the file has them.
    """

    example_inputs: Any = None

    @property
    def undelegated(self) -> LoadedProgram:
        return self

    @foreseen()
    def module(self) -> ExportedModule:
        """What runs the program. Its tensors are those of the program: what it writes to buffers shows in both.

        Raises `TranslationError` where the program calls something that tsc has not.
        """
        return ExportedModule(self)

    def run_decompositions(self, decomp_table: Collection[str] | None = None) -> LoadedProgram:
        """The same program without writes, in fewer operators: see `tsc.run_decompositions`."""
        above = import_module("tsc.runtime.exporting.decomposition.program")  # which makes programs
        return cast("LoadedProgram", above.run_decompositions(self, decomp_table))

    def __str__(self) -> str:
        return ExportedProgram.__str__(self)


class ExportedModule:
    """A callable that takes what the exported module took, and returns what it did.

    Tensors of other shapes than the program was made for are refused with the constraint that they break.
    """

    def __init__(self, program: LoadedProgram) -> None:
        self._program = program
        graph = graph_of_program(program, toolchain().operators)
        self.function = ScriptFunction(function_of_graph(graph, "forward"))
        self._lifted = [
            None if each.kind is InputKind.USER_INPUT else _lifted(program, each.target)
            for each in program.graph_signature.input_specs
            if each.constant is None and each.kind is not InputKind.TOKEN
        ]
        self._checks = InputChecks(program)

    @property
    def graph(self) -> Graph:
        """The graph of TorchScript that runs: parameters, buffers and constants are its first inputs."""
        return self.function.graph

    def state_dict(self) -> dict[str, Tensor]:
        """Parameters and persistent buffers by path."""
        return dict(self._program.state_dict)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raises `ScriptError` for arguments that do not fit, and for what fails while it runs."""
        given = iter(self._checks.checked(self._flattened(args, kwargs)))
        inputs = [next(given) if each is None else each for each in self._lifted]
        return self._program.call_spec.out_spec.unflatten(self.function(*inputs))

    def check_arguments(self, *args: Any, **kwargs: Any) -> None:
        """Raise `ScriptError` for arguments that do not fit."""
        self._checks.checked(self._flattened(args, kwargs))

    def _flattened(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The leaves of the arguments; a positional one may be given by its name."""
        spec = self._program.call_spec
        positional, named = list(args), dict(kwargs)
        count = len(spec.in_spec.children[0].children)
        for name in spec.argument_names[len(positional) : count]:
            if name in named:
                positional.append(named.pop(name))
        try:
            return spec.in_spec.flatten((tuple(positional), named))
        except TreeError as error:
            raise ScriptError("RuntimeError", f"the arguments do not fit: {error}") from None


def _lifted(program: LoadedProgram, path: str | None) -> Tensor:
    found = program.state_dict.get(path or "", program.constants.get(path or ""))
    if not isinstance(found, Tensor):
        raise ScriptError("RuntimeError", f"there is no tensor {path} in the program")
    return found
