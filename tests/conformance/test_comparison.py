"""Results agree in dtype, shape, values and structure, or the first difference is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .comparison import Described, difference


def tensor(values: Any, dtype: str = "torch.float32") -> Described:
    return Described(dtype, np.array(values, np.float32))


def test_values_within_the_tolerance_agree() -> None:
    assert difference(tensor([1.0, 1000.0]), tensor([1.00001, 1000.05])) is None


def test_a_value_beyond_the_tolerance_is_named_with_its_place() -> None:
    found = difference(tensor([[1.0, 2.0]]), tensor([[1.0, 2.1]]))
    assert found is not None
    assert found.startswith("1 of 2 values differ, first at [0, 1]")


def test_what_large_numbers_leave_is_not_exact() -> None:
    assert difference(tensor([5000.0, 0.0]), tensor([5000.0, 0.0005])) is None
    assert difference(tensor([5000.0, 0.0]), tensor([5000.0, 0.001])) is not None


def test_undefined_numbers_agree_and_infinities_have_signs() -> None:
    assert difference(tensor([np.nan, np.inf]), tensor([np.nan, np.inf])) is None
    assert difference(tensor([np.inf]), tensor([-np.inf])) is not None


def test_complex_parts_are_compared() -> None:
    one, other = (Described("torch.complex64", np.array([1 + y * 1j])) for y in (1, 2))
    assert difference(one, one) is None
    assert difference(one, other) is not None


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (tensor([1.0], "torch.float64"), "dtype torch.float64 instead of torch.float32"),
        (tensor([[1.0]]), "shape [1, 1] instead of [1]"),
        (1.0, "a float instead of a tensor"),
    ],
)
def test_a_tensor_of_another_kind_is_told(got: Any, expected: str) -> None:
    assert difference(tensor([1.0]), got) == expected


def test_values_do_not_count_where_memory_is_not_written() -> None:
    assert difference(tensor([1.0]), tensor([7.0]), compare_values=False) is None
    assert difference(tensor([1.0]), tensor([7.0, 1.0]), compare_values=False) is not None


def test_the_parts_of_a_sequence_are_compared_in_turn() -> None:
    expected = (tensor([1.0]), [2, "a"])
    assert difference(expected, (tensor([1.0]), [2, "a"])) is None
    assert difference(expected, (tensor([1.0]), [2, "b"])) == "part 1: part 1: 'b' instead of 'a'"
    assert difference(expected, (tensor([1.0]),)) == "1 values instead of 2"


def test_a_list_is_no_tuple_and_an_int_no_bool() -> None:
    assert difference([1], (1,)) == "a tuple instead of a list"
    assert difference(1, True) == "a bool instead of a int"
