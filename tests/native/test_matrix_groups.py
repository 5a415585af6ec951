"""Small square matrices in groups, as native code and by bytecode: the same results, strides and errors."""

from __future__ import annotations

import numpy as np
import pytest

import tsc
from tsc.runtime.context.errors import ScriptError

from .test_product_groups import check, tensors

pytest.importorskip("llvmlite")

pytestmark = pytest.mark.usefixtures("code_at_once")

FORMS = {
    "inverse": "torch.inverse(s) @ x",
    "inv": "torch.linalg.inv(s.transpose(-1, -2) * 2.0)",
    "solve": "torch.linalg.solve(s, x) * 2.0",
    "solve for a vector": "torch.linalg.solve(s[:, :], x[:, 0]) + 1.0",
    "det": "torch.det(s) * 2.0",
    "logdet": "torch.logdet(s @ s.transpose(-1, -2))",
    "outer": "torch.outer(s[0], x[:, 0]) + torch.dot(s[0], x[:, 0])",
    "cholesky": "torch.linalg.cholesky(s @ s.transpose(-1, -2)) @ x",
}
SHAPES = {1: ((1, 1), (1, 2)), 2: ((2, 2), (2, 3)), 4: ((4, 4), (4, 2)), 7: ((7, 7), (7, 7))}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rows", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_matrices(form: str, rows: int, dtype: str, made_code: list[bool]) -> None:
    source = f"def f(s: Tensor, x: Tensor):\n    return {FORMS[form]}\n"
    s, x = tensors(np.random.default_rng(rows), *SHAPES[rows], dtype=dtype)
    turned = np.roll(np.eye(rows) * 3, 1, 0).astype(s.array.dtype)
    check(source, [s * 0.3 + tsc.from_numpy(turned), x])
    assert all(made_code)


@pytest.mark.parametrize("form", ["inverse", "solve", "det", "cholesky"])
def test_stacks(form: str, made_code: list[bool]) -> None:
    source = f"def f(s: Tensor, x: Tensor):\n    return {FORMS[form]}\n"
    s, x = tensors(np.random.default_rng(0), (3, 2, 4, 4), (3, 2, 4, 5), dtype="float32")
    check(source, [s * 0.2 + tsc.from_numpy(np.eye(4, dtype=np.float32)), x])
    assert all(made_code)


@pytest.mark.parametrize("form", ["inverse", "solve", "det", "cholesky"])
def test_what_cannot_be_divided(form: str) -> None:
    source = f"def f(s: Tensor, x: Tensor):\n    return {FORMS[form]}\n"
    s, x = tensors(np.random.default_rng(0), (3, 3), (3, 2), dtype="float32")
    check(source, [s * 0.1 + tsc.from_numpy(np.eye(3, dtype=np.float32)), x])
    nothing = tsc.from_numpy(np.zeros((3, 3), np.float32))
    if form == "det":
        check(source, [nothing, x])
    else:
        with pytest.raises(ScriptError, match=r"singular|positive"):
            check(source, [nothing, x])
