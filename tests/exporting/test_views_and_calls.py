"""Strides of views and names of calls as PyTorch's own export has them (recorded from PyTorch 2.13)."""

from __future__ import annotations

from typing import Any

import pytest

import tsc
from tsc.compiler.exir.node import Op

STRIDES = {
    "x.unsqueeze(0).transpose(0, 2)": (1, 4, 12),
    "x.unsqueeze(-1)": (4, 1, 1),
    "x[None].squeeze(0)": (4, 1),
    "x[:1].expand(3, 4)": (0, 1),
    "x.view(3, 1, 4).permute(1, 2, 0)": (4, 1, 4),
    "x.t()[1:, :2].unsqueeze(0)": (3, 1, 4),
    "x.unfold(1, 2, 2)": (4, 2, 1),
    "x.diagonal()": (5,),
    "x.chunk(2, 1)[1]": (4, 1),
}


@pytest.mark.parametrize("expression", STRIDES)
def test_views_have_the_strides_of_pytorch(expression: str) -> None:
    f = tsc.CompilationUnit(f"def f(x: Tensor):\n    return {expression}\n").f
    (result,) = tsc.export(f, (tsc.rand(3, 4),)).graph.returned
    assert result.meta["val"].stride == STRIDES[expression]


def called(text: str, *args: Any) -> list[str]:
    program = tsc.export(
        tsc.CompilationUnit(f"def f(x: Tensor, w: Tensor):\n    return {text}\n").f, args
    )
    calls = program.graph.find_nodes(Op.CALL_FUNCTION)
    return [str(each.target).removeprefix("torch.ops.aten.") for each in calls]


def test_calls_of_traces_are_those_of_python() -> None:
    x, w = tsc.rand(1, 3, 8, 8), tsc.rand(4, 3, 3, 3)
    options = "None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1, False, False, True, True"
    assert called(f"torch._convolution(x, w, {options})", x, w) == ["conv2d.default"]
    assert called("torch.upsample_nearest2d(x, [16, 16], 2., 2.)", x, w) == [
        "upsample_nearest2d.vec"
    ]
    assert called("torch.split(x, [1, 2], 1)[0]", x, w)[0] == "split_with_sizes.default"
    assert called("x.std()", x, w) == ["std.correction"]
    assert called("x.std(1, keepdim=True)", x, w) == ["std.dim"]
    assert called("x.norm()", x, w) == ["linalg_vector_norm.default"]
    assert called("torch.norm(x, dim=1)", x, w) == ["linalg_vector_norm.default"]
    assert called("torch.var(x, unbiased=False)", x, w) == ["var.default"]


def test_conversions_are_checked() -> None:
    found = called("x.double() + x.double() + w.long().double()", tsc.rand(2), tsc.rand(2))
    assert found.count("_assert_tensor_metadata.default") == 4
    program = tsc.export(
        tsc.CompilationUnit("def f(x: Tensor):\n    return x.double()\n").f, (tsc.rand(2),)
    )
    with pytest.raises(tsc.ScriptError, match="Tensor dtype mismatch"):
        program.module()(tsc.tensor([1, 2]))


def strides(expression: str, *given: Any) -> tuple[Any, ...] | None:
    names = ", ".join(f"{name}: Tensor" for name, _ in zip("xw", given))
    unit = tsc.CompilationUnit(f"import torch\n\ndef f({names}):\n    return {expression}\n")
    (result,) = tsc.export(unit.f, given).graph.returned
    return result.meta["val"].stride


def test_strides_of_dimensions_of_one_element_follow_from_the_operands() -> None:
    x = tsc.rand(3, 9, 16)
    assert strides("x[..., :8].view(3, 9, 1, 8).transpose(1, 2).cos()", x) == (72, 8, 8, 1)
    assert strides("x[:, :1].transpose(1, 2).exp() + 1", x) == (16, 1, 1)
    turned = tsc.rand(1, 1, 2, 4).transpose(0, 1)
    assert strides("x.transpose(1, 2) * w", turned, tsc.rand(1, 4)) == (8, 4, 8, 1)
