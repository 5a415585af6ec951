"""Buffers and parameters that lie in the same memory: what is written to one would have to show in the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tsc.compiler.exir.refusals import ONNX_MEMORY
from tsc.compiler.exir.signature import OutputKind
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.refusals import OnnxExportError

_WRITTEN = (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION)


def refuse_shared_writes(program: LoadedProgram) -> None:
    """Raise `OnnxExportError` for a tensor that is written, and shares memory with another that is read."""
    specs = program.graph_signature.output_specs
    written = {each.target for each in specs if each.kind in _WRITTEN}
    for first, second in combinations(_read(program), 2):
        if written.isdisjoint((first[0], second[0])):
            continue
        if np.may_share_memory(first[1], second[1]):
            message = f"{first[0]} and {second[0]} share memory, and the program writes to it"
            raise OnnxExportError.of(ONNX_MEMORY, message)


def _read(program: LoadedProgram) -> Iterator[tuple[str, np.ndarray]]:
    placeholders = program.graph.placeholders
    for node, spec in zip(placeholders, program.graph_signature.input_specs):
        found = program.state_dict.get(str(spec.target), program.constants.get(str(spec.target)))
        if found is not None and node.users and hasattr(found, "array"):
            yield str(spec.target), found.array
