"""Small square matrices in groups: systems of equations, inverses, determinants and Cholesky factors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final

from tsc.compiler.ir import Node, Value, constant_value, is_constant
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.group_kernel import Kernel, Scratch, Source, source_of
from tsc.runtime.native.fusion.loop_space import LoopSpace
from tsc.runtime.native.fusion.matrix_text import determinant_text, factor_text, solved_text
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.strided_text import NAME

_MOST_ROWS: Final = 16
"""LAPACK is faster for larger ones."""
_MOST_ELEMENTS: Final = 1 << 13
"""Of all matrices of a stack: one processor computes them."""

_TextOfRank = Callable[[int], str]


def is_plain(node: Node) -> bool:
    """Whether a node has the usual settings: the matrix is on the left, and its lower half counts."""
    wanted = node.kind == "aten::linalg_solve"
    rest = [each for each in node.inputs if each.type.kind.name == "BoolType"]
    return all(is_constant(each) and constant_value(each) is wanted for each in rest)


def squares(node: Node, _group: RecordedGroup) -> list[Value]:
    """The matrix, and right sides if there are any."""
    return list(node.inputs[: 2 if node.kind == "aten::linalg_solve" else 1])


def solving_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of a system of equations, or an inverse. Raises NotLowered."""
    values = squares(node, group)
    result, matrix, *right = (group.array(each) for each in (node.output, *values))
    count = _rows_of(matrix)
    if right and right[0].ndim == 1:
        result, right = result[:, None], [right[0][:, None]]
    if any(each.ndim != matrix.ndim for each in (result, *right)) or result.shape[-2] != count:
        raise NotLowered
    if any(each.shape[:-2] != matrix.shape[:-2] for each in (result, *right)):
        raise NotLowered
    columns = result.shape[-1]
    if columns > 4 * _MOST_ROWS:
        raise NotLowered
    return [
        _kernel(
            group,
            (node.output, *values),
            (result, matrix, *right),
            lambda rank: solved_text(rank, result.dtype, inverts=not right),
            [
                count,
                columns,
                *(step for each in (result, matrix, *right) for step in each.strides[-2:]),
            ],
            count * (count + columns),
        )
    ]


def determinant_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Raises NotLowered."""
    (value,) = squares(node, group)
    result, matrix = group.array(node.output), group.array(value)
    count = _rows_of(matrix)
    return [
        _kernel(
            group,
            (node.output, value),
            (result[..., None, None], matrix),
            lambda rank: determinant_text(rank, result.dtype),
            [count, *matrix.strides[-2:]],
            count * count,
        )
    ]


def factor_kernels(node: Node, group: RecordedGroup) -> list[Kernel]:
    """Of a Cholesky factor. Raises NotLowered."""
    (value,) = squares(node, group)
    result, matrix = group.array(node.output), group.array(value)
    count = _rows_of(matrix)
    return [
        _kernel(
            group,
            (node.output, value),
            (result, matrix),
            lambda rank: factor_text(rank, result.dtype),
            [count, *result.strides[-2:], *matrix.strides[-2:]],
            count * count,
        )
    ]


def _rows_of(matrix: Array) -> int:
    """Of matrices that are small, square and of a floating dtype. Raises NotLowered."""
    count = matrix.shape[-1]
    if matrix.dtype not in (FLOAT, DOUBLE) or not 0 < count <= _MOST_ROWS or not matrix.size:
        raise NotLowered
    return count


def _kernel(
    group: RecordedGroup,
    values: Sequence[Value],
    arrays: Sequence[Array],
    text: _TextOfRank,
    words: Sequence[int],
    numbers: int,
) -> Kernel:
    """Of stacks of matrices: the first is the result. All matrices of a stack share memory for so many numbers."""
    if any(each.dtype != arrays[0].dtype for each in arrays):
        raise NotLowered
    result, *others = [each.strides[:-2] for each in arrays]
    space = LoopSpace(arrays[0].shape[:-2], [result, [0] * len(result), *others])
    sources = [source_of(group, value, group.array(value)) for value in values]
    sources.insert(1, Source(Scratch(8 * numbers), 0))
    elements = numbers * prod(space.extents)
    if elements > _MOST_ELEMENTS:
        raise NotLowered
    layout = [*space.layout(), *words]
    return Kernel(NAME, text(space.rank), layout, space.extents[0], tuple(sources), 2, elements)
