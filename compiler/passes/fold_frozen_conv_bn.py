"""A batch norm behind a convolution goes into its weight and bias, where all of them are constants.

The batch norm must not be in training, and nobody else may use what the convolution gives.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph
from tsc.compiler.passes.fold_frozen_batch_norm import fold_batch_norms
from tsc.compiler.passes.frozen_tensors import FrozenTensors, is_convolution
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable


def fold_frozen_conv_bn(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether a batch norm was folded."""
    tensors = FrozenTensors(operators, evaluate, tensor_type_of)
    return fold_batch_norms(graph, is_convolution, tensors)
