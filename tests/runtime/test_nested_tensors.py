"""Nested tensors: made of a left-aligned mask, padded again, and closed to all other operators."""

from __future__ import annotations

import pytest

import tsc

UNIT = tsc.CompilationUnit("""
def is_left_aligned(t: Tensor, mask: Tensor) -> bool:
    return torch._nested_tensor_from_mask_left_aligned(t, mask)

def padded(t: Tensor, mask: Tensor, padding: float, size: Optional[List[int]] = None) -> Tensor:
    nested = torch._nested_tensor_from_mask(t, mask)
    assert nested.is_nested and nested.dim() == 3
    return nested.to_padded_tensor(padding, size)

def added(t: Tensor, mask: Tensor) -> Tensor:
    return torch._nested_tensor_from_mask(t, mask) + 1
""")
T = tsc.tensor([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]])


def mask(*rows: list[int]) -> tsc.Tensor:
    return tsc.tensor([list(map(bool, row)) for row in rows])


def test_left_aligned_masks_have_no_gaps() -> None:
    assert UNIT.is_left_aligned(T, mask([1, 1, 0], [0, 0, 0]))
    assert not UNIT.is_left_aligned(T, mask([1, 0, 1], [1, 1, 1]))
    assert not UNIT.is_left_aligned(T, mask([0, 1, 1], [1, 1, 1]))


def test_padding_is_as_wide_as_the_longest_or_as_asked_for() -> None:
    kept = mask([1, 1, 0], [1, 0, 0])
    assert UNIT.padded(T, kept, 0.5).tolist() == [[[1.0], [2.0]], [[4.0], [0.5]]]
    assert UNIT.padded(T, kept, 0.0, [2, 3, 1]).tolist() == [[[1], [2], [0]], [[4], [0], [0]]]


@pytest.mark.parametrize(
    ("given", "size", "message"),
    [
        (mask([1, 0, 1], [1, 1, 1]), None, "Mask must be left-aligned without gaps"),
        (mask([1, 1], [1, 1]), None, "Mask size should match input size"),
        (tsc.tensor([True, True]), None, "Padding mask should be 2D"),
        (tsc.tensor([[1.0, 1.0, 1.0]] * 2), None, "ScalarType Bool, but got Float"),
        (mask([1, 1, 1], [1, 1, 1]), [2, 2, 1], "Truncation is not supported"),
    ],
)
def test_what_does_not_fit_is_refused(given: object, size: object, message: str) -> None:
    with pytest.raises(tsc.ScriptError, match=message):
        UNIT.padded(T, given, 0.0, size)


def test_other_operators_say_that_they_take_none() -> None:
    with pytest.raises(tsc.ScriptError, match="not available for nested tensors"):
        UNIT.added(T, mask([1, 1, 0], [1, 0, 0]))
