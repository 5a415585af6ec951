"""The order of results in memory, with strides that PyTorch gives."""

from __future__ import annotations

import numpy as np
import pytest

import tsc
from tsc.runtime.arrays.memory_layout import (
    are_channels_last_sequences,
    is_channels_last,
    laid_out,
    made_like,
)

ROWS = np.zeros((2, 3, 4))
SWAPPED = np.zeros((2, 4, 3)).transpose(0, 2, 1)
EXPANDED = np.broadcast_to(np.zeros((2, 1, 4)), (2, 3, 4))
CASES = [
    ((ROWS, SWAPPED), (12, 4, 1)),
    ((SWAPPED, ROWS), (12, 1, 3)),
    ((EXPANDED,), (12, 4, 1)),
    ((np.zeros(4), SWAPPED), (12, 1, 3)),
    ((EXPANDED, SWAPPED), (12, 1, 3)),
]


@pytest.mark.parametrize(("operands", "strides"), CASES)
def test_the_first_operand_that_can_decides(
    operands: tuple[np.ndarray, ...], strides: tuple[int, ...]
) -> None:
    result = np.arange(24.0).reshape(2, 3, 4)
    found = laid_out(np.asfortranarray(result), *operands)
    assert tuple(each // 8 for each in found.strides) == strides
    assert (found == result).all()


def test_a_result_in_order_is_not_copied() -> None:
    assert laid_out(ROWS, ROWS, SWAPPED) is ROWS
    assert made_like(SWAPPED, np.ones).strides == SWAPPED.strides


def test_channels_are_last_where_they_lie_innermost() -> None:
    images = np.zeros((2, 4, 5, 3)).transpose(0, 3, 1, 2)
    assert is_channels_last(images)
    assert not is_channels_last(np.zeros((2, 3, 4, 5)))
    assert not is_channels_last(np.zeros((2, 1, 1, 1)))
    assert are_channels_last_sequences(np.zeros((2, 5, 3)).transpose(0, 2, 1))


def test_heads_that_were_attended_to_can_be_viewed_as_rows() -> None:
    unit = tsc.CompilationUnit(
        "def f(x: Tensor):\n"
        "    heads = x.view(2, 5, 2, 4).transpose(1, 2)\n"
        "    mixed = torch.nn.functional.scaled_dot_product_attention(heads, heads, heads)\n"
        "    return mixed.transpose(1, 2).view(2, 5, 8)\n"
    )
    assert unit.f(tsc.tensor(np.ones((2, 5, 8)))).tolist() == np.ones((2, 5, 8)).tolist()
