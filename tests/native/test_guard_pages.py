"""Kernels of groups touch nothing in front of their arguments and nothing behind them: there are pages that fail."""

from __future__ import annotations

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from .fuzzing import said
from .guarded_memory import IS_POSSIBLE, GuardedMemory
from .test_product_groups import COPIES, check
from .test_product_groups import FORMS as PRODUCTS
from .test_window_groups import BIAS
from .test_window_groups import FORMS as WINDOWS

pytestmark = pytest.mark.skipif(not IS_POSSIBLE, reason="pages are guarded on Linux")


def programs() -> dict[str, tuple[str, list[tuple[int, ...]]]]:
    """By name: what is computed of x, y and z, and their shapes."""
    found = {name: (text, list(shapes)) for name, (text, *shapes) in PRODUCTS.items()}
    for name, (text, *shapes) in WINDOWS.items():
        renamed = text.replace(", w", ", y").replace(", b", ", z").replace("(w", "(y")
        found[f"windows: {name}"] = (renamed, [*shapes, BIAS])
    found |= {name: (text, [(4, 6), (4, 6), (1,)]) for name, text in COPIES.items()}
    return found


@pytest.mark.parametrize("at_begin", [False, True])
@pytest.mark.parametrize("name", programs())
def test_nothing_else_is_touched(name: str, at_begin: bool) -> None:
    """Neither of arguments, nor of results, nor of what is between them."""
    text, shapes = programs()[name]
    source = (
        "import torch.nn.functional as F\n"
        f"def f(x: Tensor, y: Tensor, z: Tensor):\n    return torch.relu({text}) * 0.5 + 1.0\n"
    )

    def judge(_: int, guard: GuardedMemory) -> None:
        random = np.random.default_rng(0)
        with guard.guarding(at_begin=at_begin):
            check(source, [tsc.from_numpy(random.standard_normal(shape)) for shape in shapes])

    assert said(judge) is None
