"""Regions of automatic casts: the operators that are cast are those that PyTorch casts on CPUs."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tsc.compiler.exir.autocast import LOWER, WIDE, WIDEST, cast_dtype, casts_inside, dtype_inside

HERE_ALONE = {"aten::lstm.input", "aten::nll_loss_nd"}
"""Which PyTorch casts where it calls others for them."""


def kinds(name: str) -> tuple[str | None, str | None]:
    """To what an operator's operands are cast: two of bfloat16, and one of these and one of float32."""
    halves = ["bfloat16", "bfloat16"]
    return cast_dtype(name, "bfloat16", halves), cast_dtype(
        name, "bfloat16", ["bfloat16", "float32"]
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aten::linear", ("bfloat16", "bfloat16")),
        ("aten::mse_loss", ("float32", "float32")),
        ("aten::cat", ("bfloat16", "float32")),
        ("aten::relu", (None, None)),
    ],
)
def test_operators_run_in_the_dtype_of_their_kind(name: str, expected: tuple[str, str]) -> None:
    assert kinds(name) == expected


def test_regions_of_other_devices_change_nothing() -> None:
    assert dtype_inside("float16", "cuda", "bfloat16", enabled=True) == "float16"
    assert dtype_inside("float16", "cpu", None, enabled=True) == "bfloat16"
    assert dtype_inside("float16", "cpu", "bfloat16", enabled=False) is None


def torch_names() -> set[str]:
    torch = pytest.importorskip("torch")
    every = torch._C._dispatch_get_all_op_names()
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    return {e for e in every if e.startswith("aten::") and has_kernel(e, "AutocastCPU")}


@pytest.mark.oracle
def test_the_operators_are_those_of_pytorch() -> None:
    assert torch_names() | HERE_ALONE == LOWER | WIDE | WIDEST


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_operators_made_of_others_are_decomposed_first() -> None:
    torch = pytest.importorskip("torch")

    class Products(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.unit = torch.nn.GRU(3, 3)

        def forward(self, x: Any, y: Any) -> Any:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return torch.einsum("ij,jk->ik", x, y), self.unit(x)[0]

    given = (torch.rand(3, 3), torch.rand(3, 3))
    module, content = Products(), io.BytesIO()
    torch.export.save(torch.export.export(module, given), content)
    program = tsc.load_exported(content.getvalue())
    assert casts_inside("aten::einsum")
    with pytest.raises(tsc.Error, match=r"run_decompositions.* gives a program"):
        program.module()
    arguments = [tsc.from_numpy(each.numpy()) for each in given]
    for found in (program.run_decompositions(()), program.run_decompositions()):
        for result, expected in zip(found.module()(*arguments), module(*given), strict=True):
            assert str(result.dtype) == str(expected.dtype)
            difference = torch.tensor(result.to(tsc.float32).tolist()) - expected.float()
            assert difference.abs().max() < 0.02
