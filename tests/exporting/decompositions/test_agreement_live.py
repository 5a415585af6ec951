"""Archives and modules of PyTorch become PyTorch's operators in PyTorch's order, and give the same results there."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("torch")

from .agreement import EQUAL, captured, of_pytorch, outcome  # noqa: E402

OTHERWISE = {
    "speech_front.forward[0]": "stft is kept as one operator",
    "traced_viewed_attention.forward[0]": "PyTorch takes another way of attention for this mask",
    "linear_algebra": "PyTorch orders the effects of inverses by tokens",
    "SizeArithmetic": "a difference of sizes is a sum with a negative number",
}


def test_of_archives() -> None:
    found = {name: outcome(content) for name, content in captured()}
    assert sum(each is not None for each in found.values()) >= 70
    others = {name for name, each in found.items() if each not in (EQUAL, None)}
    assert others <= OTHERWISE.keys()


def test_of_modules_of_pytorch() -> None:
    found = {name: outcome(content) for name, content in of_pytorch()}
    assert sum(each is not None for each in found.values()) >= 60
    others = {name for name, each in found.items() if each not in (EQUAL, None)}
    assert others <= OTHERWISE.keys()
