"""Small products that an equation of `einsum` tells of, in groups: as products of stacks of matrices."""

from __future__ import annotations

from math import prod

import numpy as np

from tsc.compiler.ir import Node, Value, is_constant, prim
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel, Source, source_of
from tsc.runtime.native.fusion.products import (
    Product,
    multiplying_kernels,
    packing,
)
from tsc.runtime.native.fusion.recorded_group import MOST_MULTIPLICATIONS, RecordedGroup, is_within
from tsc.runtime.operators.linear_algebra.einsum_plan import Operand, einsum_plan, stacked_product


def is_contraction(node: Node) -> bool:
    """Whether a node has an equation of two tensors, in a list that is made for it alone."""
    equation, made = node.inputs[:2]
    if made.node.kind != prim.ListConstruct or len(made.uses) > 1:
        return False
    return is_constant(equation) and len(made.node.inputs) == 2


def contracted(node: Node, _group: RecordedGroup) -> list[Value]:
    """The two tensors."""
    return list(node.inputs[1].node.inputs)


def contraction_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """A product, and in front of it what puts elements together that do not lie so. Raises NotLowered."""
    values = contracted(node, group)
    result, *arrays = (group.array(each) for each in (node.output, *values))
    if result.dtype not in (FLOAT, DOUBLE) or any(each.dtype != result.dtype for each in arrays):
        raise NotLowered
    operands = [Operand(each.shape, each.dtype) for each in arrays]
    plan = einsum_plan(group.value(node.inputs[0]), tuple(operands))
    product = stacked_product(plan.terms, plan.output, operands)
    if product is None or not result.size:
        raise NotLowered
    if prod(product.folded[0]) * product.folded[1][-1] > MOST_MULTIPLICATIONS:
        raise NotLowered
    kernels: list[Kernel] = []
    matrices: list[Array] = []
    sources: list[Source] = []
    for value, array, axes, shape in zip(values, arrays, product.turned, product.folded):
        turned, source = array.transpose(axes), source_of(group, value, array)
        matrix = turned.reshape(shape)
        if not is_within(matrix, array):
            kernels.append(packing(turned, source))
            source = kernels[-1].sources[0]
        matrices.append(matrix)
        sources.append(source)
    unfolded = result.transpose(np.argsort(product.back))
    written = unfolded.reshape(*product.folded[0][:-1], product.folded[1][-1])
    if not is_within(written, result):
        raise NotLowered
    sources.insert(0, source_of(group, node.output, result))
    return [*kernels, *multiplying_kernels(Product((written, *matrices)), sources)]
