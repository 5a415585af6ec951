"""What `tsc inspect` tells of an exported program, of which nothing runs and no tensor is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.python_code import readable_code
from tsc.compiler.exir.signature import ConstantArgument, InputKind
from tsc.compiler.exir.translation.programs import graph_of_program
from tsc.compiler.source import Error
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.loading import NO_PROGRAM, read_without_tensors
from tsc.runtime.inspection.module_tree import TensorInfo, marked_ties, tensor_info, totals
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import DAMAGED, ArchiveError
from tsc.runtime.serialization.kinds import FileKind, Kind
from tsc.runtime.serialization.records import TensorRecord

if TYPE_CHECKING:
    from tsc.runtime.inspection.inspection import Inspection

_ROLES: Final = {
    InputKind.PARAMETER: "parameter",
    InputKind.BUFFER: "buffer",
    InputKind.CONSTANT_TENSOR: "constant",
}
_TENSORS: Final = ("data/weights/", "data/constants/")


def add_exported_program(found: Inspection, archive: ArchiveReader) -> None:
    """Tell what a program takes and returns, which tensors it has, and what it calls."""
    found.entries = len(archive.names())
    if not archive.has_programs:
        description = f"{found.kind.description}: there is no program in the archive"
        found.kind = FileKind(Kind.EXPORTED_PROGRAM, description, NO_PROGRAM)
        return
    try:
        program, records = read_without_tensors(archive)
    except ArchiveError as error:
        reason = error.message.removeprefix(f"{archive.name}: ")
        description = f"a program of torch.export that is not read: {reason}"
        found.kind = FileKind(Kind.DAMAGED, description, error.hint or DAMAGED)
        return
    found.kind = replace(found.kind, advice=_hindrance(program) or found.kind.advice)
    found.tensors = marked_ties((each.name, each) for each in _tensors(program, records))
    stored = [
        each for each in archive.names() if each.startswith(_TENSORS) and not each.endswith(".json")
    ]
    found.totals = totals(found.tensors, sum(map(archive.size, stored)))
    found.facts = {
        "inputs": dict(_inputs(program)),
        "outputs": dict(_outputs(program)),
        "range constraints": {key: str(each) for key, each in program.range_constraints.items()},
        "guards": {f"{number}": each for number, each in enumerate(program.guards, 1)},
        "operators": _operators(program.graph_module),
    }
    found.texts = {
        "signature": str(program.graph_signature).strip(),
        "graphs": readable_code(program.graph_module),
    }


def _hindrance(program: ExportedProgram) -> str:
    """Why tsc does not run a program, and what to do; nothing for one that it runs."""
    try:
        graph_of_program(program, toolchain().operators)
    except Error as error:
        first, *others = str(error).splitlines()
        hints = [each.removeprefix("hint: ") for each in others if each.startswith("hint: ")]
        return "; ".join([f"tsc run does not run it: {first}", *hints])
    return ""


def _tensors(
    program: ExportedProgram, records: dict[str, TensorRecord | str]
) -> Iterator[TensorInfo]:
    for spec in program.graph_signature.input_specs:
        record = records.get(spec.target or "")
        if isinstance(record, TensorRecord):
            yield tensor_info(spec.target or "", record, _ROLES.get(spec.kind, "tensor"))


def _inputs(program: ExportedProgram) -> Iterator[tuple[str, str]]:
    """What users give."""
    for node, spec in zip(program.graph.placeholders, program.graph_signature.input_specs):
        if spec.kind is InputKind.USER_INPUT:
            constant = spec.constant
            yield node.name, _value_text(node) if constant is None else repr(constant.value)


def _outputs(program: ExportedProgram) -> Iterator[tuple[str, str]]:
    """What is returned, and what is written to buffers and inputs."""
    nodes = {node.name: node for node in program.graph.nodes}
    for number, spec in enumerate(program.graph_signature.output_specs):
        if isinstance(spec.argument, ConstantArgument):
            yield f"output_{number}", repr(spec.argument.value)
            continue
        written = "" if spec.target is None else f", written to {spec.target}"
        text = _value_text(nodes[spec.argument]) if spec.argument in nodes else "unknown"
        yield spec.argument, f"{text}{written}"


def _value_text(node: Node) -> str:
    value: Any = node.meta.get("val")
    return str(value) if isinstance(value, FakeTensor) else f"Sym({value})"


def _operators(module: GraphModule) -> dict[str, str]:
    """How often each operator is called, in all graphs, the most frequent first."""
    counts: Counter[str] = Counter()
    pending = [module]
    while pending:
        each = pending.pop()
        counts.update(str(node.target) for node in each.graph.find_nodes(Op.CALL_FUNCTION))
        pending += each.modules.values()
    return {name.removeprefix("torch.ops."): f"{count}" for name, count in counts.most_common()}
