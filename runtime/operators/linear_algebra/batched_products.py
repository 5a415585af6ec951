"""Products of matrices that the compiler has batched: sums of products, and products with one factor in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tsc.runtime.operators.layout.joining import cat, split_with_sizes
from tsc.runtime.operators.linear_algebra.linear_algebra import mm
from tsc.runtime.operators.pointwise.arithmetic import add
from tsc.runtime.operators.registration import node_operator, operator
from tsc.runtime.values.tensor import Tensor


@operator("prim::MMTreeReduce(...) -> Tensor")
def sum_of_products(*factors: Tensor) -> Tensor:
    """The left factors, then the right ones. Those of equal shapes are one product of long matrices."""
    half = len(factors) // 2
    left, right = list(factors[:half]), list(factors[half:])
    if len({each.array.shape for each in left}) == len({each.array.shape for each in right}) == 1:
        return mm(cat(left, 1), cat(right, 0))
    total, *others = map(mm, left, right)
    for each in others:
        total = add(total, each)
    return total


@node_operator("prim::MMBatchSide(...) -> ...")
def make_products_with_one_factor(node: Any) -> Callable[..., tuple[Tensor, ...]]:
    """With ``side`` 0 the first input is the left factor of the products with all others, with 1 the right one."""
    dim: int = 1 - node.integer_attribute("side")

    def products_with_one_factor(shared: Tensor, *others: Tensor) -> tuple[Tensor, ...]:
        whole = cat(list(others), dim)
        product = mm(shared, whole) if dim else mm(whole, shared)
        sizes = [each.array.shape[dim] for each in others]
        return tuple(split_with_sizes(product, sizes, dim))

    return products_with_one_factor
