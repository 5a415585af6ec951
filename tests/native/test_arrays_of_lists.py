"""Arrays of nested lists are filled by native code as they are without it; what it does not take is left to that."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.arrays import nested_lists
from tsc.runtime.arrays.dtypes import BOOL, DOUBLE, FLOAT, LONG
from tsc.runtime.arrays.nested_lists import array_of_numbers
from tsc.runtime.context.errors import ScriptError

LARGE = [2**62, -(2**63), 2**63 - 1, -1, 0, 2**30, -(2**30), 1 - 2**30]
TAKEN: list[tuple[Any, np.dtype]] = [
    (LARGE, LONG),
    ([LARGE, LARGE[::-1]], LONG),
    ([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]], LONG),
    ([], LONG),
    ([[], []], FLOAT),
    ([[[]], [[]]], BOOL),
    ([0.1, -0.0, float("inf"), float("nan"), 1e300, -1e300, 1e-46], FLOAT),
    ([[0.1], [1e300]], DOUBLE),
    ([[True, False], [False, False]], BOOL),
]
LEFT: list[tuple[Any, np.dtype]] = [
    ([1, True], LONG),
    ([1, 2**63], LONG),
    ([1, 2.5], LONG),
    ([1, [2]], LONG),
    ([1.5, 2], FLOAT),
    ([True, 1], BOOL),
    ([[1], (2,)], LONG),
    ([[1, 2], [3]], LONG),
    ([[1, 2], []], LONG),
    ([[1], 2], LONG),
    ([[], [1]], LONG),
    ([[[1], [2]], [[3]]], LONG),
]


@pytest.fixture
def fill(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The native code, which whoever asks has at once."""
    pytest.importorskip("llvmlite")
    code = importlib.import_module("tsc.runtime.native.borders.border_code")
    for name in ("_LOOKS", "_PAYS"):
        monkeypatch.setattr(code, name, -1)
    monkeypatch.setattr(code.BACKGROUND, "is_immediate", True)
    return importlib.import_module("tsc.runtime.native.borders.numbers").array_filler(0)


def without_code(data: Any, dtype: np.dtype, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    with monkeypatch.context() as patch:
        patch.setattr(nested_lists, "_FILLING", nested_lists._Filling())
        return array_of_numbers(data, dtype)


@pytest.mark.parametrize(("data", "dtype"), TAKEN)
def test_arrays_are_the_same(
    data: Any, dtype: np.dtype, fill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = without_code(data, dtype, monkeypatch)
    made = np.empty(expected.shape, dtype)
    assert fill(data, made)
    assert made.tobytes() == expected.tobytes()
    assert array_of_numbers(data, dtype).shape == expected.shape


@pytest.mark.parametrize(("data", "dtype"), LEFT)
def test_other_lists_are_left(data: Any, dtype: np.dtype, fill: Any) -> None:
    assert not fill(data, np.empty(nested_lists._shape_of_first(data), dtype))


def test_ragged_lists_are_refused_by_the_program(fill: Any) -> None:
    unit = tsc.CompilationUnit("def f(x: List[List[int]]):\n    return torch.tensor(x)\n")
    for _ in range(3):
        assert unit.f([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
        assert unit.f([]).shape == (0,)
        with pytest.raises(ScriptError, match=r"Expected sequence of length 2 at dim 1 .got 1"):
            unit.f([[1, 2], [3]])
