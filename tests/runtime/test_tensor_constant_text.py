"""Constant tensors in graphs: one number in braces, up to ten as PyTorch's C++ prints them, more as ``<Tensor>``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tsc
from tsc.runtime.values.text.tensor_constant_text import constant_text

CASES: list[tuple[Any, Any, str]] = [
    (1.5, np.float32, "{1.5}"),
    (1e-5, np.float64, "{1e-05}"),
    (True, np.bool_, "{1}"),
    (2 + 3j, np.complex64, "{(2,3)}"),
    ([[7]], np.int64, "{7}"),
    (float("inf"), np.float32, "{inf}"),
    ([2, 3, 3], np.int64, " 2  3  3 [ CPULongType{3} ]"),
    ([[2.5, 40.0]], np.float32, "  2.5000  40.0000 [ CPUFloatType{1,2} ]"),
    ([123456.5, 2e5], np.float64, "100000 *  1.2346  2.0000 [ CPUDoubleType{2} ]"),
    ([], np.float32, "[ CPUFloatType{0} ]"),
    ([[[1, 2]], [[3, 4]]], np.int32, "(1,.,.) =   1  2  (2,.,.) =   3  4 [ CPUIntType{2,1,2} ]"),
    (list(range(11)), np.int64, "<Tensor>"),
]


@pytest.mark.parametrize(("values", "dtype", "text"), CASES, ids=lambda value: str(value)[:20])
def test_the_text_is_that_of_pytorch(values: Any, dtype: Any, text: str) -> None:
    assert constant_text(np.array(values, dtype)) == text


@pytest.mark.parametrize("text", [text for _, _, text in CASES])
def test_graphs_with_the_text_are_read_again(text: str) -> None:
    graph = f"graph():\n  %0 : Tensor = prim::Constant[value={text}]()\n  return (%0)\n"
    assert str(tsc.parse_ir(graph)) == graph
