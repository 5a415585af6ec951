"""A constant that multiplies or divides what a convolution gives goes into its weight and bias.

It must be a number, or a tensor with one number for each channel.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node
from tsc.compiler.passes.fold_frozen_conv_arithmetic import fold_arithmetic
from tsc.compiler.passes.frozen_tensors import FrozenTensors, constant
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable


def fold_frozen_conv_mul_or_div(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether a constant was folded."""
    tensors = FrozenTensors(operators, evaluate, tensor_type_of)
    return fold_arithmetic(graph, ("aten::mul", "aten::div"), tensors, _fold)


def _fold(tensors: FrozenTensors, operation: Node, convolution: Node, vector: object) -> None:
    weight, bias = constant(convolution, 1), constant(convolution, 2)
    name = operation.kind.removeprefix("aten::")
    scaled = tensors.call(f"{operation.kind}.Tensor", weight, tensors.as_channels(vector, weight))
    tensors.replace_input(convolution, 1, scaled, name)
    if bias is not None:
        product = tensors.call(f"{operation.kind}.Tensor", bias, vector)
        tensors.replace_input(convolution, 2, product, name)
