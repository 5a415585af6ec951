"""``tsc.to_backend``: what a backend takes of a program is computed there, the rest here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from tsc.compiler.exir.delegation.handing_over import Parts, hand_over, parts_of
from tsc.compiler.exir.delegation.local_writes import without_local_writes
from tsc.compiler.exir.delegation.lowered_module import LoweredModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.plain_form import plain_form
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.translation.programs import type_of
from tsc.compiler.outer_net import foreseen
from tsc.compiler.schema import Effects, Operator
from tsc.runtime.backends.backend import Backend, BackendError, Compute, NotTaken, backend_named
from tsc.runtime.backends.own_functions import function_of
from tsc.runtime.backends.part_results import finished
from tsc.runtime.backends.tied_tensors import tied_tensors
from tsc.runtime.context.grad_mode import GradMode, is_grad_enabled
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import ExportedModule, LoadedProgram
from tsc.runtime.values.tensor import Tensor

_numbers: Final = count()
_DIALECT: Final = "BACKEND"


@dataclass(slots=True)
class BackendProgram(LoadedProgram):
    """A program parts of which a backend computes; `refusals` tell by node why it does not take the others.

    What is saved, decomposed or made an archive or a model of ONNX is the `original`, which no backend had.

    Weights are in the parts as they were when these were handed over.
    """

    backend: str = ""
    refusals: Mapping[str, str] = field(default_factory=dict[str, str])
    original: LoadedProgram | None = None

    @property
    def undelegated(self) -> LoadedProgram:
        return self if self.original is None else self.original

    @property
    def lowered_modules(self) -> list[LoweredModule]:
        """The parts."""
        return [
            each for each in self.graph_module.modules.values() if isinstance(each, LoweredModule)
        ]

    def module(self) -> BackendProgramModule:
        return BackendProgramModule(self)

    def report(self) -> str:
        """How much is handed over, and why the other calls are not: some lines of text."""
        lowered = self.lowered_modules
        count = sum(len(each.graph.find_nodes(Op.CALL_FUNCTION)) for each in lowered)
        parts = "1 part" if len(lowered) == 1 else f"{len(lowered)} parts"
        calls = f"{count} of {count + len(self.refusals)} calls"
        reasons = [f"  {name}: {why}" for name, why in self.refusals.items()]
        return "\n".join([f"{self.backend}: {calls} are handed over, in {parts}", *reasons])

    def __str__(self) -> str:
        return LoadedProgram.__str__(self)


class BackendProgramModule(ExportedModule):
    """Runs a program with its backend: without gradients, unless an argument requires them."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not is_grad_enabled():
            return super().__call__(*args, **kwargs)
        leaves, _ = tree_flatten((args, kwargs))
        with GradMode(any(isinstance(e, Tensor) and e.requires_grad for e in leaves)):
            return super().__call__(*args, **kwargs)


@foreseen()
def to_backend(program: LoadedProgram, backend: str) -> BackendProgram:
    """The program with calls of lowered modules in the place of what `backend` takes.

    `backend` is ``native``, ``onnxruntime`` or ``openvino``. Results are equal, as far as runtimes agree in the last
    bits. Where gradients are recorded, the program runs here as a whole.

    Raises:
        BackendError: the package of the backend is not installed.
        UsageError: there is no backend of that name.
    """
    found = backend_named(backend)
    operators = toolchain().operators
    program = program.undelegated
    whole = without_local_writes(plain_form(program), operators)
    tied = tied_tensors(program)
    reasons = {node.name: why for node, why in found.refusals(whole).items()}
    while True:  # each turn takes at least one node more from the backend
        parts = parts_of(whole, lambda node: node.name not in reasons, operators, tied)
        try:
            made = hand_over(whole, parts, lambda part: _lowered(part, backend, found))
        except NotTaken as error:
            if error.reasons.keys() <= reasons.keys():
                raise BackendError(f"the backend {backend} refuses a part, and not why") from None
            reasons.update(error.reasons)
            continue
        return _backend_program(made, backend, _told(reasons, parts), program)


def _told(reasons: Mapping[str, str], parts: Parts) -> dict[str, str]:
    """Why each call that stays here was not handed over."""
    kept = {node.name: why for node, why in parts.kept.items()} | dict(reasons)
    here = [node for stage in parts.stages if not stage.is_handed_over for node in stage.nodes]
    return {
        node.name: kept[node.name]
        for node in here
        if node.name in kept and node.op is Op.CALL_FUNCTION
    }


def _backend_program(
    program: LoadedProgram, backend: str, told: Mapping[str, str], original: LoadedProgram
) -> BackendProgram:
    return BackendProgram(
        program.graph_module,
        program.graph_signature,
        program.call_spec,
        program.state_dict,
        program.range_constraints,
        program.equality_constraints,
        program.constants,
        _DIALECT,
        program.guards,
        program.module_paths,
        program.size_names,
        program.example_inputs,
        backend,
        told,
        original,
    )


def _lowered(part: LoadedProgram, name: str, backend: Backend) -> LoweredModule:
    """A part as an operator of its own."""
    text = f"{name}::part_{next(_numbers)}({_parameters(part)}) -> ({_returns(part)})"
    kernel = _kernel(part, backend.compiled(part))
    return LoweredModule(part, name, Operator(text, kernel, effects=Effects.PURE))


def _operands(part: LoadedProgram) -> list[Node]:
    count = len(part.call_spec.in_spec.children[0].children)
    return part.graph.placeholders[len(part.graph.placeholders) - count :]


def _parameters(part: LoadedProgram) -> str:
    types = [type_of(each.meta.get("val")) for each in _operands(part)]
    return ", ".join(f"{type} operand_{place}" for place, type in enumerate(types))


def _returns(part: LoadedProgram) -> str:
    return ", ".join(str(type_of(each)) for each in _known_results(part))


def _known_results(part: LoadedProgram) -> list[Any]:
    """What is known of what a part gives."""
    (results,) = part.graph.output_node.args
    assert isinstance(results, tuple)
    return [each.meta.get("val") if isinstance(each, Node) else each for each in results]


def _kernel(part: LoadedProgram, compute: Compute) -> Any:
    """Computes the part there, or here where gradients are recorded."""
    here: list[Any] = []
    finish = finished(_known_results(part))

    def kernel(*operands: Any) -> Any:
        if is_grad_enabled() and any(isinstance(e, Tensor) and e.requires_grad for e in operands):
            if not here:
                here.append(function_of(part))
            results: Sequence[Any] = here[0](*operands)
        else:
            results = finish(compute(operands))
        return tuple(results) if len(results) > 1 else results[0]

    return kernel
