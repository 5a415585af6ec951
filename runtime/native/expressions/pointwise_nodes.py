"""What pointwise nodes compute, and in which dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Node
from tsc.compiler.schema import Promotion, ScalarExpression
from tsc.runtime.arrays.type_promotion import number_dtype, pair_dtype
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.values.tensor import Tensor


def expression_of(node: Node) -> ScalarExpression | None:
    """What a pointwise node computes."""
    expression = None if node.operator is None else node.operator.expression
    return None if expression is None or expression.promotion is Promotion.NUMBERS else expression


CASTS: Final = frozenset({"aten::to"})
"""Give their first argument in another dtype, or as it is, if it has that."""
CAST: Final = ScalarExpression(Promotion.MEETING, "self")


def compute_dtype(
    expression: ScalarExpression, operands: Sequence[Any], result: Tensor
) -> np.dtype:
    """The dtype that an expression computes in, of operands of which this is the result. Raises NotLowered."""
    if expression.promotion is not Promotion.TRUTH:
        return result.array.dtype
    tensors = [each.array for each in operands if isinstance(each, Tensor)]
    if len(tensors) == 2 and len(operands) == 2:
        return pair_dtype(*tensors)
    numbers = [each for each in operands if not isinstance(each, Tensor)]
    if len(tensors) == 1 and len(operands) < 3:
        return number_dtype(tensors[0], numbers[0]) if numbers else tensors[0].dtype
    raise NotLowered
