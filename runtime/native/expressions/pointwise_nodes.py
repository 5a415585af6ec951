"""What pointwise nodes compute, and in which dtype."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Node, prim
from tsc.compiler.schema import Operator, Promotion, ScalarExpression
from tsc.runtime.arrays.type_promotion import number_dtype, pair_dtype
from tsc.runtime.autograd.operator_steps import functional_operator
from tsc.runtime.execution.part_operators import WITH_PART
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.values.tensor import Tensor


def expression_of(node: Node) -> ScalarExpression | None:
    """What a pointwise node computes."""
    return None if node.operator is None else expression_of_operator(node.operator)


def expression_of_operator(operator: Operator) -> ScalarExpression | None:
    """What an operator computes of the elements of tensors."""
    stored = STORED.get(operator.name)
    if stored is not None:
        return ScalarExpression(Promotion.MEETING, stored)
    expression = operator.expression
    return None if expression is None or expression.promotion is Promotion.NUMBERS else expression


STORED: Final = {
    "aten::clone": "self",
    "aten::copy": "src",
    "aten::fill": "value",
    "aten::zero": "0",
    prim.number_as: "number",
}
"""What operators store in tensors of a dtype that is told: elements that are rounded to it, or a number."""

CASTS: Final = frozenset({"aten::to"})
"""Give their first argument in another dtype, or as it is, if it has that."""
CAST: Final = ScalarExpression(Promotion.MEETING, "self")


_PLACING: Final = frozenset(
    {
        *("aten::scatter", "aten::scatter_add", "aten::scatter_reduce", "aten::index_add"),
        "aten::index_put",
    }
)
"""Operators that give their first argument with some elements at named places."""


def writes_elements(node: Node) -> bool:
    """Whether a node stores elements in the tensor that is its first input, which it gives back, and an operator makes
    a new tensor of them.
    """
    return node.schema is not None and node.schema.is_mutable and new_tensor_form(node) is not None


def new_tensor_form(node: Node) -> Operator | None:
    """The operator that makes a new tensor of what a node stores in its first input: one that computes all elements, or
    gives it with other elements at some places.
    """
    operator = node.operator
    if operator is None or not operator.name.endswith("_") or len(node.outputs) != 1:
        return None
    return _new_tensor_form(operator)


def kind_of_result(node: Node) -> str:
    """The kind of the node; of one that writes, that of the operator that makes a new tensor."""
    form = new_tensor_form(node)
    return node.kind if form is None else form.name


@functools.cache
def _new_tensor_form(operator: Operator) -> Operator | None:
    if operator.name == prim.with_part_:
        return WITH_PART
    written = [each for each in operator.schema.arguments if each.alias_info is not None]
    found = functional_operator(operator)
    if found is None or found is operator or written != [operator.schema.arguments[0]]:
        return None
    makes = found.computes_elements and found.rows is None
    return found if makes or found.name in _PLACING or found.name in STORED else None


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
