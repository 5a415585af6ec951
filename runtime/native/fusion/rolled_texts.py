"""The parts of `roll`: along each dimension, the last elements before the others."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

from tsc.compiler.ir import Node, Value

_TURN: Final = """
  %dim{step} : int = prim::Constant[value={dim}]()
  %begin{step} : int = prim::Constant[value=0]()
  %cut{step} : int = prim::Constant[value={cut}]()
  %end{step} : int = prim::Constant[value={extent}]()
  %by{step} : int = prim::Constant[value=1]()
  %last{step} : Tensor = aten::slice(%{x}, %dim{step}, %cut{step}, %end{step}, %by{step})
  %first{step} : Tensor = aten::slice(%{x}, %dim{step}, %begin{step}, %cut{step}, %by{step})
  %both{step} : Tensor[] = prim::ListConstruct(%last{step}, %first{step})
  %rolled{step} : Tensor = aten::cat(%both{step}, %dim{step})"""
_FLAT: Final = """
  %sizes : int[] = prim::Constant[value={sizes}]()
  %minus : int = prim::Constant[value=-1]()
  %all : int[] = prim::ListConstruct(%minus)
  %flat : Tensor = aten::reshape(%x, %all)"""
_SHAPED: Final = """
  %shaped : Tensor = aten::reshape(%rolled0, %sizes)"""


def rolled_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Along dimensions, or of all elements in a row where none is named."""
    x, shifts, dims = (value(each) for each in node.inputs)
    shape: tuple[int, ...] = x.array.shape
    if not dims:
        turn = _turn(0, "flat", 0, prod(shape), shifts[0])
        return _graph([_FLAT.format(sizes=list(shape)), turn, _SHAPED], "shaped")
    lines = list[str]()
    name = "x"
    for step, (shift, dim) in enumerate(zip(shifts, dims)):
        lines.append(_turn(step, name, dim % len(shape), shape[dim], shift))
        name = f"rolled{step}"
    return _graph(lines, name)


def _turn(step: int, x: str, dim: int, extent: int, shift: int) -> str:
    cut = -shift % extent if extent else 0
    return _TURN.format(step=step, x=x, dim=dim, extent=extent, cut=cut)


def _graph(lines: list[str], result: str) -> str:
    return "graph(%x : Tensor):" + "".join(lines) + f"\n  return (%{result})\n"
