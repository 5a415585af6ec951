"""A constant that is added to what a convolution gives, or taken from it, goes into the bias.

It must be a number, or a tensor with one number for each channel.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node
from tsc.compiler.passes.fold_frozen_conv_arithmetic import fold_arithmetic
from tsc.compiler.passes.frozen_tensors import FrozenTensors, constant
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable


def fold_frozen_conv_add_or_sub(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether a constant was folded."""
    tensors = FrozenTensors(operators, evaluate, tensor_type_of)
    return fold_arithmetic(graph, ("aten::add", "aten::sub"), tensors, _fold)


def _fold(tensors: FrozenTensors, operation: Node, convolution: Node, vector: object) -> None:
    bias = constant(convolution, 2)
    if bias is None:
        bias = tensors.filled(tensors.sizes(vector)[0], 0.0, vector)
    total = tensors.call(f"{operation.kind}.Tensor", bias, vector, 1)
    tensors.replace_input(convolution, 2, total, operation.kind.removeprefix("aten::"))
