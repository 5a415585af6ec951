"""Parts of programs as models of ONNX, for runtimes that read such: weights may lie where the program has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.signature import InputKind
from tsc.compiler.source import Error
from tsc.runtime.backends.backend import BackendError, NotTaken
from tsc.runtime.backends.mapped_weights import MappedFolder
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.conversion import model_of_program
from tsc.runtime.onnx.export import DEFAULT_OPSET
from tsc.runtime.onnx.refusals import OnnxExportError

_NOT_BY_NUMPY: Final = ("bfloat16", "complex32", "complex64", "complex128")
"""Dtypes of tensors that cannot be handed over."""
_NODE: Final = re.compile(r"[:' ](\w+)/\w+\.\d+\b")
"""The call of the program that a node of a model was made of, in messages."""
_FRAMES: Final = ("Exception from", "Summary:", "-- Conversion", "FrontEnd API", "Check ")
_SMALL: Final = 1024
"""Bytes of a weight that stays in the model."""
Feed = Callable[[Sequence[Any]], dict[str, np.ndarray]]


@dataclass(frozen=True, slots=True)
class PartModel:
    """A serialized model. `weights` are those that are not in it, by name: it shares them with the program.

    It names the places in their file of those that the file in `folder` has.
    """

    content: bytes
    inputs: Sequence[str]
    weights: Mapping[str, np.ndarray] = field(default_factory=dict[str, np.ndarray])
    folder: MappedFolder = field(default_factory=MappedFolder)

    def feeding(self, taken: Iterable[str]) -> Feed:
        """What makes the inputs of a run of operands; those that a runtime does not take have no use in the model."""
        known = frozenset(taken)
        wanted = [(name, place) for place, name in enumerate(self.inputs) if name in known]

        def feed(operands: Sequence[Any]) -> dict[str, np.ndarray]:
            return {name: _contiguous(operands[place]) for name, place in wanted}

        return feed


def _contiguous(operand: Any) -> np.ndarray:
    """The elements of a tensor, or a number as one, in their order."""
    found = getattr(operand, "array", operand)
    if isinstance(found, np.ndarray) and found.flags.c_contiguous:
        return found
    return np.require(found, requirements="C")


def refusals(program: LoadedProgram) -> dict[Node, str]:
    """The calls that have no form in ONNX."""
    by_name = {node.name: node for node in program.graph.nodes}
    found = {
        node: "numbers of this dtype are not handed over"
        for node in by_name.values()
        if _is_foreign(node)
    }
    try:
        model_of_program(program, DEFAULT_OPSET)
    except OnnxExportError as error:
        found |= {by_name[name]: why for name, why in _refused(program, error).items()}
    return found


def _refused(program: LoadedProgram, error: OnnxExportError) -> dict[str, str]:
    """The calls of a program that have no form, by name; of what is within a branch or loop, those that have graphs."""
    names = {node.name for node in program.graph.nodes}
    holders = [
        node.name
        for node in program.graph.nodes
        if any(each.op is Op.GET_ATTR for each in node.input_nodes)
    ]
    found: dict[str, str] = {}
    for each in error.refusals:
        found |= dict.fromkeys([each.node] if each.node in names else holders, each.reason)
    return found


def _is_foreign(node: Node) -> bool:
    known = [each.meta.get("val") for each in (node, *node.input_nodes)]
    return any(isinstance(each, FakeTensor) and each.dtype.name in _NOT_BY_NUMPY for each in known)


def model_of_part(part: LoadedProgram, *, shares_weights: bool) -> PartModel:
    """The model of a part. Raises `NotTaken` for calls that have no form in ONNX after all."""
    try:
        model = model_of_program(part, DEFAULT_OPSET)
    except OnnxExportError as error:
        raise NotTaken(_refused(part, error) or _all_of(part, error)) from None
    inputs = [
        node.name
        for node, spec in zip(part.graph.placeholders, part.graph_signature.input_specs)
        if spec.kind is InputKind.USER_INPUT
    ]
    folder = MappedFolder()
    weights = _taken_out(model, folder) if shares_weights else {}
    return PartModel(ir.to_proto(model).SerializeToString(), inputs, weights, folder)


def _taken_out(model: ir.Model, folder: MappedFolder) -> dict[str, np.ndarray]:
    """The large weights, which the model then only names."""
    weights: dict[str, np.ndarray] = {}
    for name, value in model.graph.initializers.items():
        tensor = value.const_value
        if tensor is None or tensor.nbytes < _SMALL:
            continue
        weights[name] = tensor.numpy()
        location, offset = folder.place_of(name, weights[name]) or ("weights", 0)
        value.const_value = ir.ExternalTensor(
            location,
            offset,
            tensor.nbytes,
            tensor.dtype,
            shape=ir.Shape(tensor.shape.numpy()),
            name=name,
        )
    return weights


def not_compiled(part: LoadedProgram, error: Exception) -> NotTaken:
    """The runtime refuses a model: for the nodes that its message names, or as a whole."""
    named = set(_NODE.findall(str(error)))
    found = _all_of(part, error)
    return NotTaken({name: why for name, why in found.items() if name in named} or found)


def _all_of(part: LoadedProgram, error: Exception) -> dict[str, str]:
    lines = [each.strip() for each in str(error).splitlines()]
    told = [each for each in lines if each and not each.startswith(_FRAMES)] or lines
    return {node.name: told[-1][:300] for node in part.graph.nodes}


def failed(backend: str, error: Exception) -> Error:
    """What users read when a run fails that the backend had taken."""
    return BackendError(f"the backend {backend} failed: {str(error).strip()[:2000]}")
