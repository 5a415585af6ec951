"""Modules with hooks: what is exported does what a call of the module does."""

from __future__ import annotations

import io
from typing import Any

import pytest

import tsc
from tests.serialization.test_loading import archive

HEAD = """class M(Module):
  __parameters__ = []
  __buffers__ = []
  __forward_pre_hooks__ = ["before", ]
  __forward_hooks__ = ["after", ]
  def forward(self: __torch__.M,
    x: Tensor,
    n: float=3.) -> Tensor:
    return torch.mul(x, n)
"""
BEFORE = """  def before(self: __torch__.M,
    input: Tuple[Tensor]) -> {result}:
    x, = input
    {text}
"""
AFTER = """  def after(self: __torch__.M,
    input: Tuple[Tensor],
    output: Tensor) -> Tensor:
    x, = input
    return torch.add(output, x)
"""


def module(result: str, text: str) -> Any:
    return tsc.load(archive(HEAD + BEFORE.format(result=result, text=text) + AFTER))


HOOKS = {
    "tensor": ("Tensor", "return torch.neg(x)"),
    "tuple": ("Tuple[Tensor]", "return (torch.exp(x),)"),
    "nothing": ("NoneType", "return None"),
}


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_run_around_forward(name: str) -> None:
    m = module(*HOOKS[name])
    program = tsc.export(m, (tsc.tensor([1.0, 2.0]),))
    content = io.BytesIO()
    tsc.save_exported(program, content)
    for each in (program.module(), tsc.load_exported(content.getvalue()).module()):
        assert each(tsc.tensor([0.5, -2.0])).tolist() == m(tsc.tensor([0.5, -2.0])).tolist()


def test_the_method_alone_has_no_hooks() -> None:
    m = module(*HOOKS["tensor"])
    program = tsc.export(m.forward, (tsc.tensor([1.0, 2.0]),))
    assert program.module()(tsc.ones(2)).tolist() == [3.0, 3.0]


def test_another_number_of_arguments_is_refused() -> None:
    m = module("Tuple[Tensor, float]", "return (x, 2.)")
    with pytest.raises(tsc.ExportError, match="gives 2 arguments in the place of 1") as caught:
        tsc.export(m, (tsc.tensor([1.0, 2.0]),))
    assert caught.value.hint
