"""The lattice and the three standings of operands."""

from __future__ import annotations

import numpy as np
import pytest

import tsc
from tsc.runtime.arrays.dtypes import DTYPES, PROMOTED
from tsc.runtime.arrays.type_promotion import (
    can_cast,
    checked_number_array,
    number_array,
    pair_dtype,
    result_dtype,
)
from tsc.runtime.context.errors import ScriptError


def test_the_lattice_is_symmetric_and_associative() -> None:
    kinds = [dtype.numpy for dtype in DTYPES]
    for a in kinds:
        assert PROMOTED[a, a] is a
        for b in kinds:
            assert PROMOTED[a, b] is PROMOTED[b, a]
            for c in kinds:
                left = PROMOTED[PROMOTED[a, b], c]
                assert left is PROMOTED[a, PROMOTED[b, c]] or _is_half_and_integer(a, b, c)


def _is_half_and_integer(*kinds: np.dtype) -> bool:
    """float16 and bfloat16 meet in float32, which float16 and an integer do not reach."""
    return {"float16", "bfloat16"} <= {kind.name for kind in kinds}


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ((np.ones(2, np.float32), np.float64(1).reshape(())), "float32"),
        ((np.ones(2, np.int32), np.array(1.5, np.float64)), "float64"),
        ((np.ones(2, np.int64), 1.5), "float32"),
        ((np.ones(2, np.float16), 1.5), "float16"),
        ((np.ones(2, np.uint8), np.array(-1)), "uint8"),
        ((np.ones(2, np.bool_), 3), "int64"),
        ((np.ones(2, np.float64), 1j), "complex128"),
        ((np.array(1), 2.5), "float32"),
        ((1, 2.5), "float32"),
        ((True, 2), "int64"),
    ],
)
def test_dimensions_win_within_a_category(operands: tuple, expected: str) -> None:
    arrays = [np.asarray(x) if isinstance(x, np.generic) else x for x in operands]
    assert result_dtype(arrays).name == expected
    if all(isinstance(x, np.ndarray) for x in arrays):
        assert pair_dtype(*arrays).name == expected


def test_results_do_not_go_down_a_category() -> None:
    assert can_cast(np.dtype(np.int64), np.dtype(np.float16))
    assert not can_cast(np.dtype(np.float32), np.dtype(np.int64))
    assert not can_cast(np.dtype(np.int8), np.dtype(np.bool_))


def test_wide_unsigned_integers_meet_only_floating_point() -> None:
    unsigned = np.dtype(np.uint16)
    assert PROMOTED[unsigned, np.dtype(np.float32)].name == "float32"
    with pytest.raises(ScriptError, match="UInt16 and Int have no common dtype"):
        pair_dtype(np.ones(2, unsigned), np.ones(2, np.int32))


def test_numbers_wrap_in_arithmetic_and_are_checked_in_fills() -> None:
    assert number_array(300, np.dtype(np.uint8)) == 44
    assert number_array(2**40 + 1, np.dtype(np.int32)) == 1
    with pytest.raises(ScriptError, match="cannot be converted to type uint8_t without overflow"):
        checked_number_array(300, np.dtype(np.uint8))
    assert checked_number_array(-1, np.dtype(np.uint8)) == 255


def test_what_is_written_into_an_element_wraps() -> None:
    x, y = tsc.tensor([3, 2]).to(tsc.int8), tsc.tensor(251)
    x[0].sub_(y)
    x[1].mul_(y)
    assert x.tolist() == [8, -10]


@pytest.mark.parametrize(
    ("operation", "of_float16", "of_bfloat16"),
    [
        ("x + s", 2.48046875, 2.484375),
        ("s - x", -1.0185546875, -1.015625),
        ("x % s", 0.287109375, 0.2890625),
        ("torch.fmod(x, s)", 0.287109375, 0.2890625),
        ("x * s", 1.2802734375, 1.28125),
        ("s / x", 0.41796875, 0.41796875),
        ("s ** x", 0.57861328125, 0.578125),
        ("torch.xlogy(x, s)", -0.54736328125, -0.55078125),
        ("torch._C._nn.softshrink(x - x + 3, s)", 2.267578125, 2.265625),
        ("torch.eq(x - x + s, s)", True, True),
    ],
)
def test_numbers_beside_half_precision(
    operation: str, of_float16: float, of_bfloat16: float
) -> None:
    """They are rounded to it first, but for products, quotients and softshrink, as PyTorch does it."""
    unit = tsc.CompilationUnit(f"def f(x: Tensor, s: float):\n    return {operation}\n")
    x = tsc.tensor([1.75])
    assert unit.f(x.to(tsc.float16), 0.7316).tolist() == [of_float16]
    assert unit.f(x.to(tsc.bfloat16), 0.7316).tolist() == [of_bfloat16]
