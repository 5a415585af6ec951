"""An exported program becomes a model of ONNX, or every node that cannot go is told at once."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import numpy as np
import onnx_ir as ir

from tsc.compiler.exir.arguments import Argument, leaves
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.refusals import ONNX_OPERATOR, ONNX_RESULT
from tsc.compiler.exir.signature import ConstantArgument, InputKind, OutputKind
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.exir.translation.programs import type_of
from tsc.compiler.schema import Operator
from tsc.compiler.types import BOOL, FLOAT, INT, Type
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.exported.program import LoadedProgram
from tsc.runtime.onnx.calls import Call, GraphBuilder
from tsc.runtime.onnx.control_flow import CONTROL_FLOW
from tsc.runtime.onnx.element_types import element_type
from tsc.runtime.onnx.operators import COMPLEX, CONVERSIONS
from tsc.runtime.onnx.operators.complex_numbers import PARTS
from tsc.runtime.onnx.refusals import OnnxExportError, Refused, RefusedNode, RefusedWithin
from tsc.runtime.onnx.shared_memory import refuse_shared_writes
from tsc.runtime.onnx.size_arithmetic import ASSERTIONS, SIZE_FUNCTIONS

_IR_VERSION: Final = 10
_NUMBERS: Final[dict[Type, ir.DataType]] = {
    BOOL: ir.DataType.BOOL,
    FLOAT: ir.DataType.DOUBLE,
    INT: ir.DataType.INT64,
}
_SYMBOL: Final = re.compile(r"\b[a-z]+\d+\b")
"""Of a size, in an expression."""


class Conversion:
    """One program in conversion: refusals are collected over all of its graphs."""

    def __init__(self) -> None:
        self.refusals: list[RefusedNode] = []
        self._refused: set[Node] = set()

    def run(self, builder: GraphBuilder, module: GraphModule) -> None:
        """Convert the nodes of a graph whose inputs have values."""
        for node in module.graph.nodes:
            if node.op is not Op.CALL_FUNCTION:
                continue
            if not self._refused.isdisjoint(node.input_nodes):
                self._check_only(node)
                continue
            try:
                builder.metadata = _metadata(node)
                self._convert(builder, module, node)
            except Refused as error:
                self._refuse(node, error)

    def _check_only(self, node: Node) -> None:
        """A node whose arguments were refused is told of only if it cannot go itself."""
        self._refused.add(node)
        assert isinstance(node.target, Target)
        if not _is_known(node.target):
            self.refusals.append(RefusedNode.of(node, _unknown()))

    def _refuse(self, node: Node, error: Refused) -> None:
        self._refused.add(node)
        if not isinstance(error, RefusedWithin):
            self.refusals.append(RefusedNode.of(node, error))

    def is_refused(self, node: Node) -> bool:
        """Whether a node was told of, or needs one that was."""
        return node in self._refused

    def _convert(self, builder: GraphBuilder, module: GraphModule, node: Node) -> None:
        target = node.target
        assert isinstance(target, Target)
        if target == GETITEM:
            _put_part(builder, node)
        elif target.text in SIZE_FUNCTIONS:
            builder.values[node] = SIZE_FUNCTIONS[target.text](builder, node)
        elif target.name in CONTROL_FLOW:
            builder.values[node] = CONTROL_FLOW[target.name](self, builder, module, node)
        elif target.text not in ASSERTIONS:
            builder.values[node] = _operator_call(builder, node, target)


def _operator_call(builder: GraphBuilder, node: Node, target: Target) -> Any:
    convert = (COMPLEX if _has_complex(node) else CONVERSIONS).get(target.qualified_name)
    operator = toolchain().operators.find(target.name, target.overload)
    if convert is None or operator is None:
        raise _unknown()
    return convert(Call(node, _bound(node, operator), builder))


def _has_complex(node: Node) -> bool:
    """Whether a call takes or gives complex tensors."""
    known = [each.meta.get("val") for each in (node, *node.input_nodes)]
    return any(isinstance(each, FakeTensor) and each.dtype.name in PARTS for each in known)


def _unknown() -> Refused:
    reason = "the operator has no form in ONNX, and is not made of others that have"
    return Refused(reason, refusal=ONNX_OPERATOR)


def _is_known(target: Target) -> bool:
    known = {GETITEM.text, *SIZE_FUNCTIONS, *ASSERTIONS}
    return (
        target.text in known
        or target.name in CONTROL_FLOW
        or target.qualified_name in {**CONVERSIONS, **COMPLEX}
    )


def _bound(node: Node, operator: Operator) -> dict[str, Argument]:
    """The arguments by name, defaults filled in."""
    bound: dict[str, Argument] = {}
    for place, argument in enumerate(operator.schema.arguments):
        if place < len(node.args):
            bound[argument.name] = node.args[place]
        else:
            default: Any = argument.default if argument.has_default else None
            bound[argument.name] = node.kwargs.get(argument.name, default)
    return bound


def _put_part(builder: GraphBuilder, node: Node) -> None:
    """A result that nothing uses need not be there."""
    if node.users:
        builder.values[node] = _part(builder, node)


def _part(builder: GraphBuilder, node: Node) -> ir.Value:
    whole, place = node.args[:2]
    found = builder.values.get(whole) if isinstance(whole, Node) else None
    if not isinstance(found, list) or not isinstance(place, int):
        raise Refused("this takes an element of what has none here")
    if place >= len(found):
        raise Refused(f"result {place} of {whole} has no form in ONNX", "use its other results")
    return found[place]


def _metadata(node: Node) -> dict[str, str]:
    """Where a node comes from."""
    found = {"fx_node": node.name, "operator": str(node.target)}
    for key in ("stack_trace", "nn_module_stack"):
        if key in node.meta:
            known = node.meta[key]
            found[key] = known if isinstance(known, str) else json.dumps(known)
    return found


# -- Whole programs ------------------------------------------------------------------------------


def model_of_program(program: LoadedProgram, opset: int) -> ir.Model:
    """Raises `OnnxExportError` with every node that has no form in ONNX."""
    program = program.undelegated
    builder, conversion = GraphBuilder(opset=opset), Conversion()
    inputs, weights = _inputs(builder, program)
    conversion.run(builder, program.graph_module)
    if conversion.refusals:
        refusals = list(dict.fromkeys(conversion.refusals))
        message = f"{len(refusals)} nodes of the program cannot become ONNX:"
        raise OnnxExportError(message, refusals)
    refuse_shared_writes(program)
    builder.metadata = {}
    outputs = _outputs(builder, program)
    if not outputs:
        raise OnnxExportError.of(ONNX_RESULT, "the program returns no tensor")
    graph = ir.Graph(
        *(inputs, outputs),
        nodes=builder.nodes,
        initializers=[each for each in weights if each.uses()],
        opset_imports={"": opset},
        name="forward",
    )
    return ir.Model(graph, ir_version=_IR_VERSION, producer_name="tsc")


def _inputs(builder: GraphBuilder, program: LoadedProgram) -> tuple[list[ir.Value], list[ir.Value]]:
    """What users give, by the names of their arguments, and parameters, buffers and constants by their paths."""
    inputs: list[ir.Value] = []
    weights: list[ir.Value] = []
    for node, spec in zip(program.graph.placeholders, program.graph_signature.input_specs):
        if spec.constant is not None:
            continue
        if spec.kind is InputKind.USER_INPUT:
            value = _described(program, ir.Value(name=node.name), node.meta.get("val"))
            inputs.append(value)
        else:
            value = _weight(program, str(spec.target))
            weights.append(value)
        builder.values[node] = value
    return inputs, weights


def _weight(program: LoadedProgram, path: str) -> ir.Value:
    found = program.state_dict.get(path, program.constants.get(path))
    if found is None or not hasattr(found, "numpy"):
        raise OnnxExportError(f"there is no tensor {path} in the program")
    tensor = ir.tensor(np.require(found.detach().numpy(force=True), requirements="C"), name=path)
    return ir.val(path, tensor.dtype, [int(each) for each in found.shape], const_value=tensor)


def _described(program: LoadedProgram, value: ir.Value, known: object) -> ir.Value:
    """A value with its type, and its sizes: those that change are by the names that users gave, or by symbols."""
    try:
        if isinstance(known, FakeTensor):
            value.type = ir.TensorType(element_type(known.dtype.name))
            value.shape = ir.Shape([_size(program, each) for each in known.size])
        else:
            value.type = ir.TensorType(_NUMBERS[type_of(known)])
            value.shape = ir.Shape([])
    except Refused as error:
        raise OnnxExportError.of(error.refusal, f"{value.name}: {error.reason}") from None
    return value


def _size(program: LoadedProgram, size: object) -> int | str:
    if isinstance(size, int):
        return size
    names = program.size_names
    return _SYMBOL.sub(lambda found: names.get(found[0], found[0]), str(size))


def _outputs(builder: GraphBuilder, program: LoadedProgram) -> list[ir.Value]:
    """Results by the names of their nodes; what is written to buffers and inputs follows them."""
    specs = program.graph_signature.output_specs
    results = list(leaves(program.graph.output_node.args[0]))
    results_of_users: list[ir.Value] = []
    written: list[ir.Value] = []
    for spec, result in zip(specs, results, strict=True):
        if isinstance(spec.argument, ConstantArgument) and spec.argument.value is None:
            continue
        is_result = spec.kind is OutputKind.USER_OUTPUT
        name = str(result) if is_result else f"{spec.target}.new"
        value = _output(builder, program, result, name)
        (results_of_users if is_result else written).append(value)
    outputs = [*results_of_users, *written]
    _name_once(
        outputs, {each.name for each in builder.values.values() if isinstance(each, ir.Value)}
    )
    return outputs


def _output(builder: GraphBuilder, program: LoadedProgram, result: Argument, name: str) -> ir.Value:
    """A value of its own: ONNX has no output that is an input too, or that is there twice."""
    if isinstance(result, Node):
        found = builder.value_of(result)
        value = _named(builder.op("Identity", found), name)
        return _described(program, value, result.meta.get("val"))
    if not isinstance(result, bool | int | float):
        raise OnnxExportError.of(ONNX_RESULT, f"the program returns {result!r}")
    dtype = _dtype_of(result)
    value = _named(builder.constant(result, dtype), name)
    value.type = ir.TensorType(element_type(dtype))
    value.shape = ir.Shape([])
    return value


def _dtype_of(number: object) -> str:
    if isinstance(number, bool):
        return "bool"
    return "float64" if isinstance(number, float) else "int64"


def _named(value: ir.Value, name: str) -> ir.Value:
    value.name = name
    return value


def _name_once(outputs: list[ir.Value], taken: set[str | None]) -> None:
    """Give outputs that have the name of another value a number."""
    for each in outputs:
        name, number = each.name, 0
        while each.name in taken:
            number += 1
            each.name = f"{name}_{number}"
        taken.add(each.name)
