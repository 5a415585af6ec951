"""How an equation of ``einsum`` is computed for operands of these sizes and dtypes: found once, and kept."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, FLOAT
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.operators.linear_algebra.einsum_equation import parse_equation
from tsc.runtime.operators.linear_algebra.einsum_types import einsum_dtype
from tsc.runtime.operators.linear_algebra.linear_algebra import SLOW_DTYPES

_Axes = tuple[int, ...]


class Operand(NamedTuple):
    """What is known of an operand."""

    shape: tuple[int, ...]
    dtype: np.dtype


@dataclass(frozen=True, slots=True)
class StackedProduct:
    """A product of stacks of matrices: how operands are turned and folded, how the result is unfolded and turned.

    Where nothing is summed, `sums` is false, and sums have one term.
    """

    sums: bool
    turned: tuple[_Axes, _Axes]
    folded: tuple[_Axes, _Axes]
    unfolded: _Axes
    back: _Axes

    def of(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        left = a.transpose(self.turned[0]).reshape(self.folded[0])
        right = b.transpose(self.turned[1]).reshape(self.folded[1])
        return matrix_product(left, right).reshape(self.unfolded).transpose(self.back)


@dataclass(frozen=True, slots=True)
class EinsumPlan:
    """The checked equation, what it gives, and by which steps.

    `terms` and `output` have no ellipsis. `is_rearrangement` says that one operand is only viewed, `is_elementwise`
    that nothing of two operands is summed; `layout` is the order in memory of a result of a product, and the way back.
    """

    equation: str
    terms: tuple[str, ...]
    output: str
    dtype: np.dtype
    wide: np.dtype
    product: StackedProduct | None
    is_rearrangement: bool
    is_elementwise: bool
    layout: tuple[_Axes, _Axes] | None


@functools.lru_cache(512)
def einsum_plan(
    equation: str, operands: tuple[tuple[tuple[int, ...], np.dtype], ...]
) -> EinsumPlan:
    """The plan for operands of these shapes and dtypes; raises `ScriptError` for those that the equation refuses."""
    given = [Operand(*each) for each in operands]
    text = parse_equation(equation, [each.shape for each in given])
    terms, output = _subscripts_of(text, given)
    rearranges = len(given) == 1 and set(terms[0]) == set(output)
    dtype = given[0].dtype if rearranges else einsum_dtype(terms, output, given)
    wide = FLOAT if dtype in SLOW_DTYPES else dtype
    is_product = len(given) == 2 and output and wide is not BOOL
    product = stacked_product(terms, output, given) if is_product else None
    return EinsumPlan(
        text,
        tuple(terms),
        output,
        dtype,
        wide,
        product if product is not None and product.sums else None,
        rearranges,
        _is_elementwise(terms, output),
        _layout(terms, output, given),
    )


def _subscripts_of(equation: str, operands: Sequence[Operand]) -> tuple[list[str], str]:
    """The subscripts of each operand and of the output, without ellipses."""
    inputs, arrow, output = equation.partition("->")
    terms = inputs.split(",")
    if not arrow:
        letters = sorted(each for each in inputs if each.isalpha() and inputs.count(each) == 1)
        output = ("..." if "." in inputs else "") + "".join(letters)
    ranks = [len(each.shape) for each in operands]
    hidden = (rank - len(term) + 3 for term, rank in zip(terms, ranks, strict=True) if "." in term)
    extent = len(output) - 3 + max(hidden, default=0) if "." in output else len(output)
    texts = [_spelled_out(term, rank) for term, rank in zip(terms, ranks, strict=True)]
    return texts, _spelled_out(output, extent)


def _spelled_out(subscripts: str, dimensions: int) -> str:
    """Subscripts with characters in the place of an ellipsis that count its dimensions from the last one."""
    before, dots, behind = subscripts.partition("...")
    missing = dimensions - len(before) - len(behind)
    return before + "".join(map(chr, range(missing, 0, -1))) + behind if dots else subscripts


# -- Products of matrices ------------------------------------------------------------------------


def _agree(terms: Sequence[str], operands: Sequence[Operand]) -> bool:
    """Whether each letter stands for one extent: nothing is broadcast."""
    extents: dict[str, int] = {}
    return all(
        extents.setdefault(letter, extent) == extent
        for term, operand in zip(terms, operands, strict=True)
        for letter, extent in zip(term, operand.shape, strict=True)
    )


def stacked_product(
    terms: Sequence[str], output: str, operands: Sequence[Operand]
) -> StackedProduct | None:
    """Two operands as stacks of matrices; None where a letter stands twice in one, is summed in one alone, or has two
    extents.
    """
    first, second = terms
    if (
        not _agree(terms, operands)
        or _has_diagonals(terms)
        or any(
            each not in output and (each not in first or each not in second)
            for each in first + second
        )
    ):
        return None
    shared = [each for each in first if each in second and each in output]
    summed = [each for each in first if each in second and each not in output]
    rows = [each for each in first if each not in second]
    columns = [each for each in second if each not in first]
    extents = dict(zip(first, operands[0].shape)) | dict(zip(second, operands[1].shape))
    stack, terms_of_sum, *matrix = (
        tuple([extents[each] for each in letters]) for letters in (shared, summed, rows, columns)
    )
    row_count, column_count = map(math.prod, matrix)
    count = math.prod(terms_of_sum)
    found = [*shared, *rows, *columns]
    return StackedProduct(
        bool(summed),
        (
            tuple(map(first.index, [*shared, *rows, *summed])),
            tuple(map(second.index, [*shared, *summed, *columns])),
        ),
        ((*stack, row_count, count), (*stack, count, column_count)),
        (*stack, *matrix[0], *matrix[1]),
        tuple(map(found.index, output)),
    )


def _has_diagonals(terms: Sequence[str]) -> bool:
    return any(len(set(term)) < len(term) for term in terms)


# -- Where the result lies -----------------------------------------------------------------------


def _is_elementwise(terms: Sequence[str], output: str) -> bool:
    """Whether nothing of two operands is summed, and they make a tensor of rows at least."""
    if len(terms) != 2 or len(output) < 2 or _has_diagonals(terms):
        return False
    return all(letter in output for term in terms for letter in term)


def _layout(
    terms: Sequence[str], output: str, operands: Sequence[Operand]
) -> tuple[_Axes, _Axes] | None:
    """The order of a product's dimensions in memory: first what both operands have, then each one's own."""
    if len(terms) != 2 or len(output) < 2 or _has_diagonals(terms):
        return None
    wide = [
        {each for each, extent in zip(term, operand.shape, strict=True) if extent != 1}
        for term, operand in zip(terms, operands, strict=True)
    ]
    shared = [letter for letter in output if letter in wide[0] and letter in wide[1]]
    rows = [letter for letter in output if letter in wide[0] and letter not in wide[1]]
    columns = [letter for letter in output if letter not in wide[0]]
    if rows and columns and output.index(columns[-1]) < output.index(rows[0]):
        rows, columns = columns, rows
    order = [*shared, *rows, *columns]
    back = tuple([order.index(letter) for letter in output])
    return tuple([output.index(letter) for letter in order]), back
