"""Kernels of groups touch nothing in front of their arguments and nothing behind them: there are pages that fail."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np
import pytest

import tsc

pytest.importorskip("llvmlite")

from tsc.runtime.native.fusion import fusion_groups

from .test_product_groups import COPIES, check
from .test_product_groups import FORMS as PRODUCTS
from .test_window_groups import BIAS
from .test_window_groups import FORMS as WINDOWS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mprotect is looked up by name")
_FORBIDDEN = 0


def guarded(values: np.ndarray, *, at_end: bool) -> tuple[Any, mmap.mmap]:
    """A tensor with these values, and its memory, whose last element (or first) is next to a page that fails."""
    page = mmap.PAGESIZE
    size = -(-max(values.nbytes, 1) // page) * page
    memory = mmap.mmap(-1, size + 2 * page)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for place in (begin, begin + page + size):
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(place), page, _FORBIDDEN) == 0
    offset = page + (size - values.nbytes if at_end else 0)
    array = np.frombuffer(memory, values.dtype, values.size, offset).reshape(values.shape)
    array[...] = values
    return tsc.from_numpy(array), memory


def programs() -> dict[str, tuple[str, list[tuple[int, ...]]]]:
    """By name: what is computed of x, y and z, and their shapes."""
    found = {name: (text, list(shapes)) for name, (text, *shapes) in PRODUCTS.items()}
    for name, (text, *shapes) in WINDOWS.items():
        renamed = text.replace(", w", ", y").replace(", b", ", z").replace("(w", "(y")
        found[f"windows: {name}"] = (renamed, [*shapes, BIAS])
    found |= {name: (text, [(4, 6), (4, 6), (1,)]) for name, text in COPIES.items()}
    return found


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("name", programs())
def test_nothing_else_is_touched(name: str, at_end: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fusion_groups, "_WORTH_COMPILING", 0.0)
    text, shapes = programs()[name]
    random = np.random.default_rng(0)
    made = [guarded(random.standard_normal(shape), at_end=at_end) for shape in shapes]
    source = (
        "import torch.nn.functional as F\n"
        f"def f(x: Tensor, y: Tensor, z: Tensor):\n    return torch.relu({text}) * 0.5 + 1.0\n"
    )
    check(source, [tensor for tensor, _ in made])
