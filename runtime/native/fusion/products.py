"""Small matrix products in groups: which nodes are such, and their kernels.

Larger ones are left to BLAS, which the operators' own kernels call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from tsc.compiler.ir import Node, Value, constant_value
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel, Scratch, Source, source_of
from tsc.runtime.native.fusion.product_text import TILE_ROWS, product_text
from tsc.runtime.native.fusion.recorded_group import MOST_MULTIPLICATIONS, RecordedGroup
from tsc.runtime.native.fusion.window_text import columns_text
from tsc.runtime.values.tensor import Tensor

_STACK_AXES: Final = 2
_TERMS_OF_ELEMENT: Final = 16
"""Terms of a sum that take about as long as an element of a pass over memory."""


@dataclass(frozen=True, slots=True)
class Product:
    """Result, left and right matrices, and what is added if anything, all with the same stacks in front."""

    arrays: tuple[Array, ...]

    def folded(self) -> Product:
        """With stacks as rows of one matrix, where the right matrix is the same for all."""
        result, left, right, *added = self.arrays
        while result.ndim > 2 and right.strides[-3] == 0 and result.shape[-3] > 1:
            taller = [_with_rows_joined(each) for each in (result, left, *added)]
            if any(each is None for each in taller):
                break
            result, left, *added = (each for each in taller if each is not None)
            right = right[..., 0, :, :]
        return Product((result, left, right, *added))

    def in_blocks(self) -> Product:
        """With the rows of a single matrix as a stack of matrices that have a tile's each: threads share stacks."""
        result, left, right, *added = self.arrays
        rows = result.shape[-2]
        if prod(result.shape[:-2]) != 1 or rows % TILE_ROWS:
            return self
        blocks = rows // TILE_ROWS
        result, left, *added = (_in_blocks(each, blocks) for each in (result, left, *added))
        right = np.broadcast_to(right.reshape(right.shape[-2:]), (blocks, *right.shape[-2:]))
        return Product((result, left, right, *added))

    @property
    def work(self) -> int:
        """What the product takes, in elements of a pass over memory."""
        result, left = self.arrays[:2]
        return result.size * (1 + left.shape[-1] // _TERMS_OF_ELEMENT)

    @property
    def has_columns(self) -> bool:
        """Whether columns lie beside each other, where they are read and written."""
        result, _, right, *added = self.arrays
        others = all(_are_adjacent(each, -1) or each.strides[-1] == 0 for each in added)
        return others and _are_adjacent(result, -1) and _are_adjacent(right, -1)

    @property
    def has_terms(self) -> bool:
        """Whether the terms of sums lie beside each other."""
        return _are_adjacent(self.arrays[1], -1) and _are_adjacent(self.arrays[2], -2)

    def text(self) -> str:
        """Of the kernel. Raises NotLowered where neither columns nor terms lie beside each other."""
        result, _, right, *added = self.arrays
        columns, terms = self.has_columns, self.has_terms
        if not columns and not terms:
            raise NotLowered
        in_columns = columns and (right.shape[-1] > 1 or not terms)
        kind = "none"
        if added:
            kind = "columns" if _are_adjacent(added[0], -1) else "rows"
        return product_text(
            result.dtype,
            in_columns=in_columns,
            added=kind if in_columns or not added else "columns",
        )

    def kernel(self, sources: Sequence[Source]) -> Kernel:
        """Of matrices that begin there. Raises NotLowered."""
        text, layout, size = self.text(), self.in_blocks().layout(), self.arrays[0].size
        return Kernel("product", text, layout, layout[0], tuple(sources), 1, size, work=self.work)

    def layout(self) -> list[int]:
        """As the kernel takes it. Raises NotLowered for stacks of stacks."""
        result, left = self.arrays[:2]
        rank = result.ndim
        kept = [axis for axis in range(rank - 2) if result.shape[axis] != 1]
        if len(kept) > _STACK_AXES:
            raise NotLowered
        absent = _STACK_AXES - len(kept)
        words = [result.shape[axis] for axis in kept] + [1] * absent
        words += [*result.shape[-2:], left.shape[-1]]
        for each in self.arrays:
            words += [each.strides[axis] for axis in kept] + [0] * absent
            words += each.strides[-2:]
        return words


def _with_rows_joined(array: Array) -> Array | None:
    """A stack of matrices as one, below each other, if they lie so."""
    count, rows, columns = array.shape[-3:]
    of_matrix, of_row, of_column = array.strides[-3:]
    if rows != 1 and of_matrix != of_row * rows:
        return None
    shape = (*array.shape[:-3], count * rows, columns)
    step = of_matrix if rows == 1 else of_row
    strides = (*array.strides[:-3], step, of_column)
    return np.lib.stride_tricks.as_strided(array, shape, strides)


def _in_blocks(array: Array, blocks: int) -> Array:
    """A single matrix as a stack of so many, below each other."""
    rows, columns = array.shape[-2:]
    of_row, of_column = array.strides[-2:]
    shape, height = (blocks, rows // blocks, columns), rows // blocks
    return np.lib.stride_tricks.as_strided(array, shape, (of_row * height, of_row, of_column))


def _are_adjacent(array: Array, axis: int) -> bool:
    return array.shape[axis] == 1 or array.strides[axis] == array.itemsize


# -- What operators multiply ---------------------------------------------------------------------

MULTIPLYING: Final = {
    **dict.fromkeys(("aten::mm", "aten::bmm", "aten::mv", "aten::matmul"), (0, 1)),
    "aten::linear": (0, 1, 2),
    "aten::addmm": (1, 2, 0),
}
"""By kinds of nodes: which inputs are the left and right matrices, and what is added."""


def is_product(node: Node) -> bool:
    """Whether a node is a product of matrices that may have a kernel of its own."""
    return node.kind in MULTIPLYING and all(constant_value(each) == 1 for each in node.inputs[3:])


def multiplied(node: Node, group: RecordedGroup) -> list[Value]:
    """The tensors that a product reads: left, right and, if there is one, what is added."""
    values = [node.inputs[place] for place in MULTIPLYING[node.kind]]
    return [each for each in values if isinstance(group.value(each), Tensor)]


def product_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """The kernel of a product, and one in front that packs the left matrices if need be. Raises NotLowered."""
    values = [node.output, *multiplied(node, group)]
    sources = [source_of(group, value, group.array(value)) for value in values]
    return multiplying_kernels(product_of(node, group), sources)


def multiplying_kernels(product: Product, sources: Sequence[Source]) -> list[Kernel]:
    """Of a product whose matrices begin there; those that do not lie as a kernel reads them are packed first. Raises
    NotLowered.
    """
    sources, kernels = list(sources), list[Kernel]()
    result, left, right, *added = product.arrays
    if not product.has_columns and not product.has_terms:
        kernels.append(packing(left, sources[1]))
        sources[1] = kernels[0].sources[0]
        product = Product((result, np.empty(left.shape, left.dtype), right, *added))
        if not product.has_terms:
            columns = right.swapaxes(-1, -2)
            kernels.append(packing(columns, sources[2]))
            sources[2] = kernels[1].sources[0]
            packed = np.empty(columns.shape, columns.dtype).swapaxes(-1, -2)
            product = Product((result, product.arrays[1], packed, *added))
    kernels.append(product.kernel(sources))
    return kernels


def packing(array: Array, source: Source) -> Kernel:
    """A kernel that copies stacks of matrices, with their elements one after another: windows of one element each."""
    if array.ndim > _STACK_AXES + 2:
        raise NotLowered
    images = array[(np.newaxis,) * (_STACK_AXES + 2 - array.ndim)]
    layout = [*images.shape[:2], 1, 1, *images.shape[2:], *images.shape[2:]]
    layout += [1, 1, 0, 0, 1, 1, *images.strides]
    sources = (Source(Scratch(array.nbytes), 0), source)
    text = columns_text(array.dtype)
    return Kernel("windows", text, layout, images.shape[0], sources, 1, array.size)


def product_of(node: Node, group: RecordedGroup) -> Product:
    """The matrices of a node, as they lie in memory. Raises NotLowered."""
    left, right, *added = (group.array(each) for each in multiplied(node, group))
    result = group.array(node.output)
    if result.dtype not in (FLOAT, DOUBLE):
        raise NotLowered
    if any(each.dtype != result.dtype for each in (left, right, *added)):
        raise NotLowered
    if node.kind == "aten::linear":
        right = right.T
    added = [np.broadcast_to(each, result.shape) for each in added]
    if right.ndim == 1:
        right = right[:, np.newaxis]
        result, *added = (each[..., np.newaxis] for each in (result, *added))
    if left.ndim == 1:
        left = left[np.newaxis]
        result, *added = (each[..., np.newaxis, :] for each in (result, *added))
    if prod(result.shape) * left.shape[-1] > MOST_MULTIPLICATIONS:
        raise NotLowered
    stacks = result.shape[:-2]
    left = np.broadcast_to(left, (*stacks, *left.shape[-2:]))
    right = np.broadcast_to(right, (*stacks, *right.shape[-2:]))
    return Product((result, left, right, *added)).folded()
