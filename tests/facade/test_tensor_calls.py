"""Functions and attributes of tensors in Python, as PyTorch 2.13 answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc

X = tsc.tensor([1.0, 2.0])
N = tsc.tensor([3, 4])


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: tsc.add(1, X), "tensor([2., 3.])"),
        (lambda: tsc.sub(1, X), "tensor([ 0., -1.])"),
        (lambda: tsc.mul(2, N), "tensor([6, 8])"),
        (lambda: tsc.mul(2.5, N), "tensor([ 7.5000, 10.0000])"),
        (lambda: tsc.multiply(True, N), "tensor([3, 4])"),
        (lambda: tsc.div(1, N), "tensor([0.3333, 0.2500])"),
        (lambda: tsc.true_divide(1, X), "tensor([1.0000, 0.5000])"),
        (lambda: tsc.floor_divide(7, N), "tensor([2, 1])"),
        (lambda: tsc.add(1, X, alpha=2), "tensor([3., 5.])"),
        (lambda: tsc.add(1, 2), "tensor(3)"),
        (lambda: tsc.add(0.5, tsc.tensor(1, dtype=tsc.int32)), "tensor(1.5000)"),
        (lambda: tsc.as_tensor(3), "tensor(3)"),
        (lambda: tsc.as_tensor([1, 2]), "tensor([1, 2])"),
        (lambda: tsc.as_tensor([1, 2], dtype=tsc.float32), "tensor([1., 2.])"),
        (lambda: tsc.as_tensor(True), "tensor(True)"),
    ],
)
def test_functions_take_numbers(call: Callable[[], Any], text: str) -> None:
    assert str(call()) == text


def test_as_tensor_shares_what_is_there() -> None:
    array = np.zeros(2, np.float32)
    shared = tsc.as_tensor(array)
    array[0] = 5.0
    assert shared.tolist() == [5.0, 0.0]
    assert tsc.as_tensor(X) is X
    assert tsc.as_tensor(X, dtype=tsc.float64).dtype == tsc.float64


@pytest.mark.parametrize("name", ["eq", "gt", "max", "atan2", "fmod"])
def test_others_want_a_tensor_first(name: str) -> None:
    with pytest.raises(TypeError):
        getattr(tsc, name)(1, X)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("itemsize", 4), ("nbytes", 8), ("is_cuda", False), ("is_cpu", True)],
        *[("is_meta", False), ("is_sparse", False), ("is_quantized", False)],
    ],
)
def test_attributes_are_those_of_programs(name: str, value: object) -> None:
    assert getattr(X, name) == value


@pytest.mark.parametrize("convert", [int, float, complex])
def test_several_elements_are_no_number(convert: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="only one element tensors can be converted"):
        convert(X)
    assert convert(tsc.tensor([2.0])) == 2
