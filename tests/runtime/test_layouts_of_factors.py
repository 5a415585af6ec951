"""Factors and solutions lie in memory column by column, as LAPACK leaves them in PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import tsc

SQUARE = np.eye(3, dtype=np.float32) * 3 + 0.5
BATCH = np.stack([SQUARE, SQUARE * 2])
TALL = np.arange(12, dtype=np.float32).reshape(4, 3) ** 0.5
CASES = [
    ("torch.linalg.cholesky_ex(a)[0]", SQUARE, (1, 3)),
    ("torch.linalg.cholesky_ex(a, upper=True)[0]", BATCH, (9, 1, 3)),
    ("torch.cholesky(a, upper=True)", SQUARE, (1, 3)),
    ("torch.linalg.svd(a)[0]", TALL, (1, 4)),
    ("torch.linalg.svd(a)[2]", BATCH, (9, 1, 3)),
    ("torch.linalg.svd(a, full_matrices=False)[0]", TALL, (1, 4)),
    ("torch.svd(a)[0]", TALL, (1, 4)),
    ("torch.svd(a)[2]", TALL, (3, 1)),
    ("torch.linalg.eigh(a)[1]", SQUARE, (1, 3)),
    ("torch.linalg.eigh(a)[1]", BATCH, (9, 1, 3)),
    ("torch.linalg.lstsq(a, a)[0]", SQUARE, (1, 3)),
    ("torch.linalg.lstsq(a, a)[0]", TALL, (1, 4)),
    ("torch.linalg.tensorinv(a, ind=1)", SQUARE, (1, 3)),
    ("torch.linalg.eig(a)[1]", SQUARE, (1, 3)),
    ("torch.linalg.eig(a)[1]", BATCH[:0], (9, 1, 3)),
    ("torch.linalg.svd(a, full_matrices=False)[0]", BATCH[..., :0], (3, 1, 3)),
    ("torch.linalg.lstsq(a, a[..., :0])[0]", SQUARE, (1, 3)),
    ("torch.linalg.lstsq(a, a[..., :0])[0]", BATCH[:0, :2], (3, 1, 3)),
    ("torch.linalg.solve_triangular(a, a[..., :0], upper=True)", SQUARE, (1, 3)),
    ("torch.geqrf(a)[0]", SQUARE[:0], (1, 1)),
    ("torch.linalg.householder_product(a, a[0, :])", SQUARE[:, :0], (1, 3)),
]


@pytest.mark.parametrize(("expression", "array", "strides"), CASES)
def test_columns_are_contiguous(
    expression: str, array: np.ndarray, strides: tuple[int, ...]
) -> None:
    source = f"import torch\n\ndef f(a: torch.Tensor):\n    return {expression}\n"
    assert tuple(tsc.CompilationUnit(source).f(array).stride()) == strides
