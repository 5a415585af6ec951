"""Cells and attention in groups, as native code and by bytecode: the same results and strides."""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.context.errors import ScriptError

from .test_product_groups import check, tensors

pytestmark = pytest.mark.usefixtures("code_at_once")

pytest.importorskip("llvmlite")

CELLS = {
    "gru_cell": "torch.gru_cell(x * 2.0, h, a, b, p, q)",
    "gru_cell without bias": "torch.gru_cell(x, h, a, b) * 2.0",
    "lstm_cell": "torch.lstm_cell(x * 2.0, [h, torch.tanh(h)], a, b, p, q)",
    "lstm_cell without bias": "torch.lstm_cell(x, [h, h], a, b)[1] + h",
}
UNPACKED = """
def f(x: Tensor, w: Tensor):
    rows, columns = x.shape
    return torch.mm(x, w).view(columns, rows).relu() + 1.0
"""
ATTENTION = {
    "plain": "torch.scaled_dot_product_attention(x, y, z) * 2.0",
    "causal": "torch.scaled_dot_product_attention(x * 0.5, y, z, None, 0.0, True)",
    "heads": (
        "torch.scaled_dot_product_attention(x.transpose(1, 2), y.transpose(1, 2),"
        " z.transpose(1, 2)).transpose(1, 2) + x"
    ),
    "masked": "torch.scaled_dot_product_attention(x, y, z, y[0, 0, 0, 0] > x[:, :, :, :5]) + 1.0",
}


@pytest.mark.parametrize("form", CELLS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cells(form: str, dtype: str) -> None:
    gates = 3 if form.startswith("gru") else 4
    shapes = [(4, 7), (4, 9), (9 * gates, 7), (9 * gates, 9), (9 * gates,), (9 * gates,)]
    source = (
        "def f(x: Tensor, h: Tensor, a: Tensor, b: Tensor, p: Tensor, q: Tensor):\n"
        f"    return {CELLS[form]}\n"
    )
    check(source, tensors(np.random.default_rng(0), *shapes, dtype=dtype))


@pytest.mark.parametrize("form", ATTENTION)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_attention(form: str, dtype: str) -> None:
    source = f"def f(x: Tensor, y: Tensor, z: Tensor):\n    return {ATTENTION[form]}\n"
    shape = (2, 5, 5, 8)
    check(source, tensors(np.random.default_rng(0), shape, shape, shape, dtype=dtype))


def test_unpacked_sizes_are_counted() -> None:
    x, w = tensors(np.random.default_rng(0), (4, 6), (6, 6), dtype="float32")
    check(UNPACKED, [x, w])
    with pytest.raises(ScriptError):
        check(UNPACKED, [x.unsqueeze(0), w])
