"""Programs in fewer operators: ``program.run_decompositions()``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from tsc.compiler.budget import budget
from tsc.compiler.exir.exported_program import CallSpec
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.plain_form import plain_form
from tsc.compiler.exir.pytrees import TreeError
from tsc.compiler.exir.signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
)
from tsc.compiler.outer_net import foreseen
from tsc.compiler.process_settings import deep_recursion
from tsc.compiler.source import UsageError
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.control_flow import higher_order
from tsc.runtime.exporting.decomposition.functional_tensors import FunctionalTensor
from tsc.runtime.exporting.decomposition.replay import MakeCalls, Replay
from tsc.runtime.exporting.decomposition.table import default_decompositions
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.exporting.sizes.declared_before import KnownSizes, sizes_of_program
from tsc.runtime.exporting.tensors import fake_tensor, model_of
from tsc.runtime.values.tensor import Tensor

_DIALECT: Final = "ATEN"
_WRITTEN: Final = {
    InputKind.BUFFER: OutputKind.BUFFER_MUTATION,
    InputKind.PARAMETER: OutputKind.PARAMETER_MUTATION,
    InputKind.USER_INPUT: OutputKind.USER_INPUT_MUTATION,
}


@foreseen()
def run_decompositions(
    program: LoadedProgram, decomp_table: Collection[str] | None = None
) -> LoadedProgram:
    """The same program without writes, its operators replaced by simpler ones: a new program, of the dialect ATEN.

    `decomp_table` holds the names of the operators to be replaced (``aten::linear``), all that
    `default_decompositions` has unless it is given; none with an empty one. What the program writes to buffers and
    inputs becomes outputs, as its signature says. It is run once on the arguments that it was exported for, or on ones
    of their sizes if it has none.

    Raises:
        UsageError: the program's example arguments do not fit.
        ExportError: something in it has no form without writes.
    """
    program = program.undelegated
    names = default_decompositions() if decomp_table is None else decomp_table
    decomposed = frozenset(names)
    return retraced(program, lambda recorder: Calls(recorder, decomposed))


def retraced(program: LoadedProgram, make_calls: MakeCalls) -> LoadedProgram:
    """The program that is written when its calls are called so."""
    with budget(), deep_recursion():
        return _Retracing(program, make_calls).program()


class _Retracing:
    """One program, and the new graph."""

    def __init__(self, program: LoadedProgram, make_calls: MakeCalls) -> None:
        self._old = plain_form(program)
        self._recorder = Recorder()
        sizes = sizes_of_program(program)
        if sizes is not None:
            self._recorder.make_sizes = lambda: sizes
            self._recorder.have_sizes()
        self._replay = Replay(self._recorder, make_calls, higher_order)
        self._inputs: list[InputSpec] = []

    def program(self) -> LoadedProgram:
        """The new program."""
        old = self._old
        values = list(self._placeholders())
        known = self._recorder.sizes
        if isinstance(known, KnownSizes):
            known.note_inputs(self._recorder)
        results = self._replay.run(old.graph_module, values)
        outputs, nodes = self._outputs(values, results)
        self._recorder.graph.output(tuple(nodes))
        self._recorder.graph.eliminate_dead_code()
        module = self._recorder.module()
        sizes = self._recorder.sizes
        guards = list(old.guards)
        if sizes is not None:
            sizes.finish(self._recorder, module)
            guards += [each for each in sizes.guards() if each not in guards]
        return LoadedProgram(
            module,
            ExportGraphSignature(self._inputs, outputs),
            CallSpec(old.call_spec.in_spec, old.call_spec.out_spec, old.call_spec.argument_names),
            old.state_dict,
            old.range_constraints,
            old.equality_constraints,
            old.constants,
            _DIALECT,
            guards,
            old.module_paths,
            size_names=old.size_names,
            example_inputs=old.example_inputs,
        )

    # -- Inputs ----------------------------------------------------------------------------------

    def _placeholders(self) -> Iterator[Any]:
        examples = _examples(self._old)
        specs = self._old.graph_signature.input_specs
        for node, spec in zip(self._old.graph.placeholders, specs, strict=True):
            yield self._placeholder(node, spec, self._value(node, spec, examples))

    def _value(self, node: Node, spec: InputSpec, examples: Iterator[Any] | None) -> Any:
        if spec.kind is InputKind.USER_INPUT:
            given = next(examples) if examples is not None else model_of(node.meta.get("val"))
            return spec.constant.value if spec.constant is not None else given
        path = spec.target or ""
        return self._old.state_dict.get(path, self._old.constants.get(path))

    def _placeholder(self, node: Node, spec: InputSpec, value: Any) -> Any:
        is_own = spec.kind is InputKind.USER_INPUT
        if not isinstance(value, Tensor):
            made = self._recorder.placeholder(node.name, value, of_user=is_own)
            made.meta.update(node.meta)
            constant = spec.constant and replace(spec.constant, name=made.name)
            self._inputs.append(replace(spec, name=made.name, constant=constant))
            if spec.constant is not None:
                return value
            return self._replay.known_number(made, node.meta.get("val"), value, is_backed=True)
        own = Tensor(value.array)
        made = self._recorder.placeholder(
            node.name, own, of_user=is_own, known=self._known(node, own)
        )
        self._inputs.append(replace(spec, name=made.name))
        found = self._replay.calls.tensor(own)
        found.is_input = True
        return found

    def _known(self, node: Node, tensor: Tensor) -> FakeTensor:
        """What is known of an input, with symbols for the sizes that may change."""
        known, sizes = fake_tensor(tensor), self._recorder.sizes
        told = node.meta.get("val")
        if isinstance(told, FakeTensor):
            known = replace(known, requires_grad=told.requires_grad)
        if not isinstance(sizes, KnownSizes) or not isinstance(told, FakeTensor):
            return known
        return sizes.with_sizes(known, sizes.of_sizes(told.size, known.size))

    # -- Outputs ---------------------------------------------------------------------------------

    def _outputs(
        self, inputs: Sequence[Any], results: Sequence[Any]
    ) -> tuple[list[OutputSpec], list[Any]]:
        """What is written first, then what is returned."""
        specs: list[OutputSpec] = []
        nodes: list[Any] = []
        returned = zip(self._old.graph_signature.output_specs, results, strict=True)
        for spec, value in [*self._writes(inputs), *returned]:
            node = self._node(value)
            told = node.name if isinstance(node, Node) else ConstantArgument(node)
            specs.append(replace(spec, argument=told))
            nodes.append(node)
        return specs, nodes

    def _writes(self, inputs: Sequence[Any]) -> list[tuple[OutputSpec, Any]]:
        """What inputs hold afterwards: buffers, then what users gave."""
        found: list[tuple[OutputSpec, Any]] = []
        for spec, value in zip(self._inputs, inputs, strict=True):
            kind = _WRITTEN.get(spec.kind)
            if isinstance(value, FunctionalTensor) and value.storage.version and kind is not None:
                target = spec.name if kind is OutputKind.USER_INPUT_MUTATION else spec.target
                found.append((OutputSpec(kind, "", target), value))
        return sorted(found, key=lambda each: each[0].kind is OutputKind.USER_INPUT_MUTATION)

    def _node(self, value: Any) -> Any:
        if isinstance(value, FunctionalTensor):
            return self._recorder.node_of(value.value)
        if isinstance(value, bool | int | float | str | None):
            return value
        return self._recorder.argument(value)


def _examples(program: LoadedProgram) -> Iterator[Any] | None:
    """The leaves of the arguments that the program was exported for, if it has them."""
    if program.example_inputs is None:
        return None
    args, kwargs = program.example_inputs
    try:
        return iter(program.call_spec.in_spec.flatten((tuple(args), dict(kwargs))))
    except TreeError as error:
        raise UsageError(f"the example arguments do not fit: {error}") from None
