"""The signature tells of the inputs and outputs that the graph has."""

from __future__ import annotations

from collections.abc import Iterator

from tsc.compiler.exir.arguments import leaves
from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.signature import ConstantArgument, InputKind, OutputKind
from tsc.compiler.exir.verification.violation import Violation

_HELD = (InputKind.PARAMETER, InputKind.BUFFER)
_OF_STATE = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)
_WRITTEN = (*_OF_STATE, OutputKind.USER_INPUT_MUTATION, OutputKind.TOKEN)


def signature_violations(program: ExportedProgram) -> Iterator[Violation]:
    """Inputs and outputs that the signature tells otherwise than the graph has them."""
    yield from _inputs(program)
    yield from _outputs(program)


def _inputs(program: ExportedProgram) -> Iterator[Violation]:
    nodes, specs = program.graph.placeholders, program.graph_signature.input_specs
    if [each.name for each in nodes] != [each.name for each in specs]:
        yield Violation("signature", "its inputs are not those of the graph")
    for spec in specs:
        if spec.kind in _HELD and spec.target not in {**program.state_dict, **program.constants}:
            yield Violation(spec.name, f"the program holds no {spec.kind.value} {spec.target}")


def _outputs(program: ExportedProgram) -> Iterator[Violation]:
    results = list(leaves(program.graph.output_node.args[0]))
    specs = program.graph_signature.output_specs
    if len(results) != len(specs):
        yield Violation("output", f"it gives {len(results)} results, the signature {len(specs)}")
        return
    names = {each.name for each in program.graph_signature.input_specs}
    held = {each.target for each in program.graph_signature.input_specs}
    returned = False
    for result, spec in zip(results, specs):
        told = spec.argument
        if isinstance(result, Node) and result.name != (
            told.name if isinstance(told, ConstantArgument) else told
        ):
            yield Violation(result.name, f"the signature tells of {spec.argument} in its place")
        if spec.kind in _WRITTEN and returned:
            yield Violation(str(spec.argument), "what is written comes before what is returned")
        returned = returned or spec.kind not in _WRITTEN
        if spec.kind in _OF_STATE and spec.target not in held:
            yield Violation(str(spec.argument), f"{spec.target} is written, and is no input")
        if spec.kind is OutputKind.USER_INPUT_MUTATION and spec.target not in names:
            yield Violation(str(spec.argument), f"{spec.target} is written, and is no input")
