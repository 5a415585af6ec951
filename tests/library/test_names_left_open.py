"""Texts that use ``torch`` without importing it may be a user's or serialized: calls tell which."""

from __future__ import annotations

import pytest

import tsc


def graph(body: str, head: str = "") -> str:
    unit = tsc.CompilationUnit(f"{head}def f(x: Tensor):\n    {body}\n")
    return str(unit.f.graph)


@pytest.mark.parametrize("head", ["", "import torch\n"])
def test_the_result_of_unique_consecutive_is_a_tensor_unless_more_is_asked_for(head: str) -> None:
    assert "_consecutive_return_output" in graph("return torch.unique_consecutive(x)", head)
    body = "return torch.unique_consecutive(x, return_counts=True)"
    assert "_consecutive_return_counts" in graph(body, head)


def test_serialized_code_takes_the_results_of_the_operator_apart() -> None:
    body = "a, b, c = torch.unique_consecutive(x, False, True, None)\n    return a"
    assert "aten::unique_consecutive" in graph(body)


@pytest.mark.parametrize("head", ["", "import torch\n"])
def test_stft_of_a_user_is_centered(head: str) -> None:
    assert 'name="stft"' in graph("return torch.stft(x, 10, return_complex=True)", head)


def test_stft_of_serialized_code_is_the_operator() -> None:
    body = "return torch.stft(x, 10, None, None, None, False, None, True)"
    assert "aten::stft" in graph(body)
