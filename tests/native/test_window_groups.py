"""Small convolutions and poolings with what surrounds them, as native code and by bytecode: the same results."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")


import tsc

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
    "wide rows": ("F.conv2d(x, w, b, padding=1)", (2, 3, 6, 37), (6, 3, 3, 3)),
    "rows of one channel": ("F.conv2d(x, w, padding=1, groups=6)", (2, 6, 11, 21), (6, 1, 3, 3)),
    "rows of one channel, apart": (
        "F.conv2d(x, w, b, [2, 2], [2, 2], groups=6)",
        (2, 6, 12, 35),
        (6, 1, 5, 5),
    ),
    "planes where they lie": ("F.conv2d(x, w, b)", (1, 5, 8, 8), (6, 5, 1, 1)),
    "long rows": ("F.conv1d(x[:, :, 0], w.flatten(2), b, dilation=3)", (2, 4, 1, 90), WEIGHT),
    "conv1d": ("F.conv1d(x[:, :, 0], w.flatten(2), b, 2, 1)", IMAGE, WEIGHT),
    "max_pool2d": ("F.max_pool2d(F.relu(x), 2)", IMAGE, WEIGHT),
    "one image": ("F.max_pool2d(F.relu(x[0]), 3, 1, 1) + 1.0", IMAGE, WEIGHT),
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


MAYBE = """import torch.nn.functional as F
from typing import Optional
def f(x: Tensor, w: Tensor, b: Optional[Tensor]):
    return F.relu(F.conv2d(x * 0.5, w, b, padding=1)) + 1.0
"""


@pytest.mark.parametrize("size", [3, 12])
def test_a_bias_that_may_be_missing(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """As modules of PyTorch have it: code is made for calls with one, and for others."""
    found = launches(monkeypatch)
    random = np.random.default_rng(2)
    x, w, b = tensors(random, (2, 4, size, size), (6, 4, 3, 3), (6,), dtype="float32")
    for bias in (b, None, b * 2.0):
        check(MAYBE, [x, w, bias])
    assert found == [True] * 3


def test_a_bias_goes_and_comes_back() -> None:
    random = np.random.default_rng(3)
    x, w, b = tensors(random, (1, 4, 9, 9), (6, 4, 3, 3), (6,), dtype="float32")
    f = tsc.CompilationUnit(MAYBE).f
    with_bias, without = (f(x, w, each).numpy().copy() for each in (b, None))
    assert np.abs(with_bias - without).max() > 0.1
    for _ in range(4):
        np.testing.assert_allclose(f(x, w, b).numpy(), with_bias, 2e-5, 2e-5)
        np.testing.assert_allclose(f(x, w, None).numpy(), without, 2e-5, 2e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(30))
def test_random_convolutions(seed: int, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels, steps, margins, dilations and groups, of images that lie in any order of their axes; those with
    neighbouring channels have results that lie so, and are left to the operators.
    """
    random = np.random.default_rng(seed)

    def pair(low: int, high: int) -> list[int]:
        return [int(each) for each in random.integers(low, high, 2)]

    kernel, steps, dilation = pair(1, 5), pair(1, 4), pair(1, 4)
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    margins = [int(random.integers(0, size)) for size in reach]
    extents = [size + int(random.integers(0, 24)) for size in reach]
    groups = int(random.choice([1, 2, 3]))
    channels = groups * int(random.choice([1, 2, 5]))
    outputs = groups * int(random.integers(1, 12))
    order = [int(each) for each in random.permutation(4)]
    shape = (int(random.integers(1, 4)), channels, *extents)
    laid = tuple(shape[axis] for axis in order)
    settings = f"{steps}, {margins}, {dilation}, {groups}"
    source = (
        "def f(x: Tensor, w: Tensor, b: Tensor):\n"
        f"    y = x.permute({[order.index(axis) for axis in range(4)]})\n"
        f"    return torch.relu(torch.conv2d(y, w, b, {settings})) - 1.0\n"
    )
    found = launches(monkeypatch)
    weight = (outputs, channels // groups, *kernel)
    check(source, tensors(random, laid, weight, (outputs,), dtype=dtype))
    assert found == [order != [0, 2, 3, 1]]


def test_nan_is_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    (x,) = tensors(np.random.default_rng(1), (1, 2, 6, 6), dtype="float32")
    x[0, 0, 1, 1] = float("nan")
    x[0, 1, 4, 5] = float("-inf")
    check("def f(x: Tensor):\n    return torch.max_pool2d(x * 2.0, [2, 2]) - 1.0\n", [x])


SHARED = {
    "one image": ("F.conv2d(x, w, b, padding=1)", (1, 24, 40, 37), (20, 24, 3, 3)),
    "one image where it lies": ("F.conv2d(x, w, b)", (1, 96, 30, 30), (70, 96, 1, 1)),
    "by steps": ("F.conv2d(x, w, b, [2, 2], [1, 1])", (1, 12, 60, 60), (20, 12, 3, 3)),
    "channels alone": ("F.conv2d(x, w, b, padding=2, groups=90)", (1, 90, 28, 28), (90, 1, 5, 5)),
    "several images": ("F.conv2d(x, w, b, padding=1)", (5, 8, 24, 24), (20, 8, 3, 3)),
    "one axis": (
        "F.conv1d(x[:, :, 0], w.flatten(2), b, dilation=7)",
        (1, 32, 1, 700),
        (40, 32, 1, 3),
    ),
    "maxima": ("torch.max_pool2d(x, [3, 3], [2, 2], [1, 1])", (2, 24, 41, 43), (6, 1, 1, 1)),
    "maxima, dilated": (
        "torch.max_pool2d(x, [3, 3], [1, 1], [1, 1], [2, 2])",
        (1, 24, 41, 43),
        (6, 1, 1, 1),
    ),
    "averages": ("F.avg_pool2d(x, 3, 2, 1)", (2, 24, 41, 43), (6, 1, 1, 1)),
    "averages of rows": ("F.avg_pool1d(x[0], 4)", (1, 24, 41, 43), (6, 1, 1, 1)),
}


@pytest.mark.parametrize("form", SHARED)
def test_threads_share_what_is_large(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one image its tiles or outputs, else images and channels, each thread with memory of its own."""
    text, image, weight = SHARED[form]
    source = (
        "from torch.nn import functional as F\n"
        f"def f(x: Tensor, w: Tensor, b: Tensor):\n    return torch.relu({text}) * 0.5\n"
    )
    arguments = tensors(np.random.default_rng(3), image, weight, (weight[0],), dtype="float32")
    found = launches(monkeypatch)
    before, results = tsc.get_num_threads(), set[bytes]()
    try:
        for threads in (1, 2, 4):
            tsc.set_num_threads(threads)
            check(source, arguments)
            f = tsc.CompilationUnit(source).f
            results |= {f(*arguments).numpy().tobytes() for _ in range(8)}
    finally:
        tsc.set_num_threads(before)
    assert len(results) == 1
    assert all(found) and found
