"""A batch norm behind a linear layer goes into its weight and bias, where all of them are constants.

A batch norm takes the second dimension for features and a linear layer the last: they agree where there are two.
As in PyTorch, layers before batch norms are taken to give matrices.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph
from tsc.compiler.passes.fold_frozen_batch_norm import fold_batch_norms
from tsc.compiler.passes.frozen_tensors import FrozenTensors, is_linear
from tsc.compiler.passes.propagate_all_constants import TensorTypeOf
from tsc.compiler.passes.propagate_constants import Evaluate
from tsc.compiler.schema import OperatorTable


def fold_frozen_linear_bn(
    graph: Graph, *, operators: OperatorTable, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether a batch norm was folded."""
    tensors = FrozenTensors(operators, evaluate, tensor_type_of)
    return fold_batch_norms(graph, is_linear, tensors)
