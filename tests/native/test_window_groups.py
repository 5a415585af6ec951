"""Small convolutions and poolings with what surrounds them, as native code and by bytecode: the same results."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")


from .test_product_groups import check, launches, tensors

pytestmark = pytest.mark.usefixtures("code_at_once")

IMAGE, WEIGHT, BIAS = (2, 4, 9, 7), (6, 4, 3, 2), (6,)
FORMS = {
    "conv2d": ("F.conv2d(x, w, b)", IMAGE, WEIGHT),
    "padding and steps": ("F.conv2d(x, w, b, [2, 1], [1, 2])", IMAGE, WEIGHT),
    "dilation": ("F.conv2d(x, w, b, padding=2, dilation=2)", IMAGE, WEIGHT),
    "groups": ("F.conv2d(x, w, b, padding=1, groups=2)", IMAGE, (6, 2, 3, 2)),
    "channels alone": ("F.conv2d(x, w[:4], padding=1, groups=4)", IMAGE, (6, 1, 3, 3)),
    "one by one": ("F.conv2d(x * 2.0, w, b)", IMAGE, (6, 4, 1, 1)),
    "seen otherwise": ("F.conv2d(x.transpose(2, 3), w, b)", IMAGE, WEIGHT),
    "conv1d": ("F.conv1d(x[:, :, 0], w.flatten(2), b, 2, 1)", IMAGE, WEIGHT),
    "max_pool2d": ("F.max_pool2d(F.relu(x), 2)", IMAGE, WEIGHT),
    "pooling with padding": (
        "torch.max_pool2d(x - 3.0, [3, 3], [2, 2], [1, 1], [1, 1], True)",
        IMAGE,
        WEIGHT,
    ),
    "pooling dilated": ("torch.max_pool2d(x, [3, 2], [1, 2], [1, 1], [2, 1])", IMAGE, WEIGHT),
    "avg_pool2d": ("F.avg_pool2d(F.relu(x), 2)", IMAGE, WEIGHT),
    "averages with padding": ("torch.avg_pool2d(x, [3, 2], [2, 1], [1, 1])", IMAGE, WEIGHT),
    "avg_pool1d": ("F.avg_pool1d(x[0], 3, 2, 1)", IMAGE, WEIGHT),
    "max_pool1d": ("F.max_pool1d(x[0], 2)", IMAGE, WEIGHT),
    "layers": (
        "F.linear(F.max_pool2d(F.relu(F.conv2d(x, w, b, padding=1)), 2).flatten(1), w.flatten()[:96]"
        ".view(1, 96))",
        IMAGE,
        (6, 4, 3, 2),
    ),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("form", FORMS)
def test_forms(form: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, *shapes = FORMS[form]
    source = (
        "import torch.nn.functional as F\n"
        f"def f(x: Tensor, w: Tensor, b: Tensor):\n    return {text} * 0.5 + 1.0\n"
    )
    found = launches(monkeypatch)
    check(source, tensors(np.random.default_rng(0), *shapes, BIAS, dtype=dtype))
    assert found == [True]


def test_nan_is_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    (x,) = tensors(np.random.default_rng(1), (1, 2, 6, 6), dtype="float32")
    x[0, 0, 1, 1] = float("nan")
    x[0, 1, 4, 5] = float("-inf")
    check("def f(x: Tensor):\n    return torch.max_pool2d(x * 2.0, [2, 2]) - 1.0\n", [x])
