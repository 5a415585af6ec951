"""Results lie in memory as PyTorch's do: what ``view`` takes and ``reshape`` copies depends on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import tsc
from tsc.runtime.values.tensor import Tensor

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
EXPRESSIONS = (Path(__file__).parent / "layout_expressions.txt").read_text().splitlines()


def _numbers(*sizes: int) -> Any:
    return torch.rand(*sizes, generator=torch.Generator().manual_seed(0)) + 0.1


INPUTS: dict[str, Callable[[], Any]] = {
    "row_major": lambda: _numbers(2, 3, 4),
    "last_two_swapped": lambda: _numbers(2, 4, 3).transpose(1, 2),
    "reversed": lambda: _numbers(4, 3, 2).transpose(0, 2),
    "first_two_swapped": lambda: _numbers(3, 2, 4).transpose(0, 1),
    "expanded": lambda: _numbers(2, 1, 4).expand(2, 3, 4),
    "expanded_around": lambda: _numbers(3)[None, :, None].expand(2, 3, 4),
    "sliced": lambda: _numbers(2, 3, 8)[:, :, ::2],
    "sliced_and_reversed": lambda: _numbers(4, 3, 5)[:, :, :2].permute(2, 1, 0),
    "one_first": lambda: _numbers(2, 1, 4).transpose(0, 1),
    "images": lambda: _numbers(2, 3, 4, 5),
    "channels_last": lambda: _numbers(2, 3, 4, 5).contiguous(memory_format=torch.channels_last),
    "heads": lambda: _numbers(2, 4, 3, 5).transpose(1, 2),
    "expanded_mask": lambda: _numbers(2, 5)[:, None, None, :].expand(2, 1, 4, 5),
    "sliced_channels_last": lambda: _numbers(2, 6, 4, 5).contiguous(
        memory_format=torch.channels_last
    )[:, ::2],
}
EMPTY: dict[str, Callable[[], Any]] = {
    "no_rows": lambda: torch.zeros(0, 3, 4),
    "no_columns": lambda: torch.zeros(2, 0, 4),
    "nothing_inside": lambda: torch.zeros(2, 3, 0),
    "no_images": lambda: torch.zeros(0, 3, 4, 5),
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_strides_are_those_of_pytorch(expression: str) -> None:
    assert _compared(expression, INPUTS)


OF_EMPTY = [*EXPRESSIONS, "x.unsqueeze(0)", "x[:, None]", "x.mT", "x.T"]
APART = ("F.conv1d(", "torch.ops.aten.convolution(", 'torch.einsum("bij,bi->jib"')
"""Where an empty result has PyTorch's shape in row-major order, and PyTorch another one: convolutions without channels
or images, and an einsum that computes nothing."""


@pytest.mark.parametrize("expression", [each for each in OF_EMPTY if not each.startswith(APART)])
def test_strides_of_empty_results_are_those_of_pytorch(expression: str) -> None:
    _compared(expression, EMPTY)


RECORDED = [
    "F.conv2d(x, torch.ones(2, 3, 2, 2))",
    "F.conv_transpose2d(x, torch.ones(3, 2, 2, 2))",
    "F.max_pool2d(x, 2)",
    "F.batch_norm(x, None, None, training=True)",
    "F.scaled_dot_product_attention(x, x, x)",
    "F.scaled_dot_product_attention(x, x, x, is_causal=True)",
    "F.scaled_dot_product_attention(x, x, torch.ones(2, 3, 4, 7))",
    "F.scaled_dot_product_attention(x, x, x, torch.ones(4, 4))",
]


@pytest.mark.parametrize("expression", RECORDED)
def test_strides_stay_where_gradients_are_recorded(expression: str) -> None:
    assert _compared(expression, INPUTS, requires_grad=True)


def _compared(
    expression: str, inputs: dict[str, Callable[[], Any]], *, requires_grad: bool = False
) -> int:
    """Compare the strides of results for inputs; how many PyTorch takes."""
    text = expression.replace("F.", "torch.nn.functional.")
    source = f"def f(x: Tensor):\n    return {text}\n"
    theirs, ours = torch.jit.CompilationUnit(source), tsc.CompilationUnit(source)
    compared = 0
    for name, make in inputs.items():
        x = make()
        try:
            expected = theirs.f(x.detach().requires_grad_(requires_grad))
        except RuntimeError:
            continue  # the operator does not take so many dimensions
        result = ours.f(tsc.from_numpy(x.numpy()).requires_grad_(requires_grad))
        assert _strides(result) == _their_strides(expected), name
        compared += 1
    return compared


def _strides(tensor: Tensor) -> list[int]:
    """The strides in elements of the dimensions that have more than one."""
    return [stride for stride, extent in zip(tensor.stride(), tensor.shape) if extent != 1]


def _their_strides(tensor: Any) -> list[int]:
    return [stride for stride, extent in zip(tensor.stride(), tensor.shape) if extent != 1]
