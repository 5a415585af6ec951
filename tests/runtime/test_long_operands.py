"""Operators that go other ways on long operands than on the short ones of the samples."""

from __future__ import annotations

import numpy as np
import pytest

import tsc
from tsc.runtime.numerics.linear_algebra import lu
from tsc.runtime.numerics.neural.blocks import BLOCK_ELEMENTS, in_blocks

PROGRAM = tsc.CompilationUnit("""
import torch
from torch import Tensor
from typing import List, Tuple

def median(x: Tensor) -> Tuple[Tensor, Tensor]:
    return x.median(1)

def stable_order(x: Tensor) -> Tensor:
    return x.argsort(dim=0, stable=True)

def running(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    values, places = x.cummax(1)
    return x.cumsum(1), values, places

def lstm(x: Tensor, state: Tensor, weights: List[Tensor]) -> Tensor:
    return torch.lstm(x, [state, state], weights, False, 1, 0.0, False, False, False)[0]
""")


def test_median_is_the_middle_of_a_stable_sort_or_the_first_nan() -> None:
    rows = np.random.default_rng(0).integers(0, 9, (40, 101)).astype(np.float32)
    rows[3, 50] = rows[3, 60] = np.nan
    values, places = PROGRAM.median(tsc.from_numpy(rows))
    expected = np.argsort(rows, 1, "stable")[:, 50]
    expected[3] = 50
    np.testing.assert_array_equal(places.numpy(), expected)
    np.testing.assert_array_equal(values.numpy(), rows[range(40), expected])


@pytest.mark.parametrize("extent", [100, 1 << 16, (1 << 16) + 1, 1 << 40])
def test_integers_near_and_far_apart_have_a_stable_order(extent: int) -> None:
    numbers = np.random.default_rng(0).integers(-extent // 2, extent // 2, 5000)
    numbers[:2] = -extent // 2, extent - extent // 2 - 1
    order = PROGRAM.stable_order(tsc.from_numpy(numbers)).numpy()
    np.testing.assert_array_equal(order, np.argsort(numbers, kind="stable"))


def test_running_sums_of_an_odd_number_of_rows_and_places_of_maxima() -> None:
    rows = np.random.default_rng(0).integers(0, 50, (5, 300)).astype(np.float32)
    rows[2, 100] = np.nan
    sums, values, places = (each.numpy() for each in PROGRAM.running(tsc.from_numpy(rows)))
    np.testing.assert_array_equal(sums, np.cumsum(rows, 1))
    np.testing.assert_array_equal(values, np.maximum.accumulate(rows, 1))
    np.testing.assert_array_equal(np.take_along_axis(rows, places, 1), values)
    assert (np.diff(places[[0, 1, 3, 4]], axis=1) >= 0).all()
    assert places[2, 99] < 100
    assert (places[2, 100:] == 100).all()


@pytest.mark.parametrize("shape", [(70, 70), (90, 40), (40, 90), (3, 70, 50)])
def test_lu_factors_multiply_to_the_matrix(shape: tuple[int, ...]) -> None:
    matrix = np.random.default_rng(0).standard_normal(shape)
    packed, pivots, status = lu.factor(matrix)
    lower, upper = lu.unpack(packed)
    permutation = lu.permutation_matrix(pivots, shape[-2], matrix.dtype)
    np.testing.assert_allclose(permutation @ lower @ upper, matrix, atol=1e-12)
    assert not status.any()
    assert np.abs(lower).max() <= 1


def test_halves_of_long_rows_are_worked_on_block_by_block() -> None:
    whole = np.random.default_rng(0).standard_normal((5, BLOCK_ELEMENTS), dtype=np.float32)
    halves = np.split(whole, 2, 1)
    np.testing.assert_array_equal(in_blocks(np.add, *halves), halves[0] + halves[1])


@pytest.mark.parametrize("dtype", [tsc.float16, tsc.bfloat16])
def test_lstm_of_half_precision_is_near_that_of_float32(dtype: tsc.dtype) -> None:
    shapes = (6, 2, 4), (1, 2, 4), (16, 4), (16, 4)
    x, state, *weights = (
        tsc.from_numpy(np.random.default_rng(0).standard_normal(s, dtype=np.float32))
        for s in shapes
    )
    half = PROGRAM.lstm(x.to(dtype), state.to(dtype), [w.to(dtype) for w in weights])
    assert half.dtype is dtype
    expected = PROGRAM.lstm(x, state, weights).numpy()
    np.testing.assert_allclose(half.to(tsc.float32).numpy(), expected, atol=0.05)
