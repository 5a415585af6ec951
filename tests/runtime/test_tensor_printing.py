"""Tensors print as PyTorch printed them when its answers were recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tsc.runtime.values.tensor import Tensor

from .printing_samples import PRINTING_SAMPLES, read

RECORDED = Path(__file__).parent / "recorded" / "printing.json"


def printed(text: str) -> str:
    array, requires_grad = read(text)
    tensor = Tensor(array)
    tensor.requires_grad = requires_grad
    return repr(tensor)


@pytest.fixture(scope="module")
def recorded() -> dict[str, str]:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", PRINTING_SAMPLES)
def test_a_tensor_prints_as_in_pytorch(text: str, recorded: dict[str, str]) -> None:
    assert printed(text) == recorded[text]
