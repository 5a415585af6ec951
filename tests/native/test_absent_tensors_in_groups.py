"""Operands of groups that may be None, as the bias of a layer that an archive holds: native code for either."""

from __future__ import annotations

import numpy as np
import pytest

import tsc
from tsc.runtime.execution.executor_mode import chosen_plan

pytestmark = pytest.mark.usefixtures("code_at_once")

pytest.importorskip("llvmlite")

LAYERS = {
    "convolution": ("torch.conv1d(x, w, b, [1], [1], [1]).relu()", (2, 4, 7), (5, 4, 3), (5,)),
    "image": ("torch.conv2d(x, w, b).relu()", (1, 3, 6, 6), (4, 3, 3, 3), (4,)),
    "product": ("torch.linear(x, w, b).tanh()", (3, 4), (5, 4), (5,)),
    "rows": ("torch.layer_norm(x, [4], w, b) * 2.0", (3, 4), (4,), (4,)),
    "channels": ("torch.group_norm(x, 2, w, b) * 2.0", (2, 4, 5), (4,), (4,)),
    "batch": (
        "torch.batch_norm(x, w, b, abs(x).mean([0, 2]), abs(x).mean([0, 2]), False, 0.1, 1e-5, False)",
        *((2, 4, 5), (4,), (4,)),
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_with_bias_and_without(name: str, made_code: list[bool]) -> None:
    body, *shapes = LAYERS[name]
    source = f"def f(x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:\n    return {body}\n"
    generator = np.random.default_rng(0)
    x, w, b = (tsc.tensor(generator.standard_normal(each).tolist()) for each in shapes)
    given = [(x, w, b), (x, w, None), (x * 2.0, w, b), (x, w, None)]
    with chosen_plan("bytecode"):
        wanted = [tsc.CompilationUnit(source).f(*each) for each in given]
    with chosen_plan("native"):
        function = tsc.CompilationUnit(source).f
        found = [function(*each) for each in given]
    for made, expected in zip(found, wanted):
        np.testing.assert_allclose(made.numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
    assert made_code == [True, True]
