"""The parts of operators that look for elements of all dimensions together, and of quantiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.ir import Node, Value, is_constant
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.values.tensor import Tensor

_FLAT: Final = """
graph(%x : Tensor):
  %minus : int = prim::Constant[value=-1]()
  %zero : int = prim::Constant[value=0]()
  %no : bool = prim::Constant[value=0]()
  %all : int[] = prim::ListConstruct(%minus)
  %flat : Tensor = aten::reshape(%x, %all)
{found}
  return (%result)
"""
_PLACE: Final = "  %result : Tensor = {kind}(%flat, %zero, %no)"
_MIDDLE: Final = "  %result : Tensor, %place : Tensor = {kind}(%flat, %zero, %no)"


def flat_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Of `argmax`, `argmin` and `median` of all elements. Raises NotLowered."""
    if len(node.inputs) > 1 and value(node.named_input("keepdim")):
        raise NotLowered
    found = _MIDDLE if node.kind == "aten::median" else _PLACE
    return _FLAT.format(found=found.format(kind=node.kind))


# -- Quantiles ---------------------------------------------------------------------------------

_QUANTILES: Final = """
graph(%x : Tensor{parameter}):
  %begin : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %last : int = prim::Constant[value=-1]()
  %no : bool = prim::Constant[value=0]()
  %none : NoneType = prim::Constant()
  %half : float = prim::Constant[value=0.5]()
  %axis : int = prim::Constant[value={axis}]()
{rows}
  %ordered : Tensor, %places : Tensor = aten::sort(%rows, %last, %no)
{ends}
  %step : Tensor = aten::sub(%high, %low, %one)
  %part : Tensor = aten::mul(%weight, %step)
  %upwards : Tensor = aten::add(%low, %part, %one)
  %rest : Tensor = aten::rsub(%weight, %one, %one)
  %others : Tensor = aten::mul(%step, %rest)
  %downwards : Tensor = aten::sub(%high, %others, %one)
  %is_near : Tensor = aten::lt(%weight, %half)
  %between : Tensor = aten::where(%is_near, %upwards, %downwards)
  %is_exact : Tensor = aten::eq(%weight, %begin)
  %chosen : Tensor = aten::where(%is_exact, %low, %between)
  %greatest : Tensor = aten::slice(%ordered, %last, %last, %none, %one)
{shaped}
  %is_number : Tensor = aten::eq(%most_shaped, %most_shaped)
  %result : Tensor = aten::where(%is_number, %shaped, %most_shaped)
  return (%result)
"""
_FLAT_ROWS: Final = """
  %all : int[] = prim::ListConstruct(%last)
  %rows : Tensor = aten::reshape(%x, %all)"""
_ROWS_ALONG: Final = "  %rows : Tensor = aten::movedim(%x, %axis, %last)"
_SEVERAL: Final = """
  %shaped : Tensor = aten::movedim(%chosen, %last, %begin)
  %most_shaped : Tensor = aten::movedim(%greatest, %last, %begin)"""
_ONE: Final = """
  %shaped : Tensor = aten::select(%chosen, %last, %begin)
  %most_shaped : Tensor = aten::select(%greatest, %last, %begin)"""
_OF_NUMBER: Final = """
  %number : float = prim::Constant[value={number}]()
  %own : int = prim::Constant[value={dtype}]()
  %sizes : int[] = prim::ListConstruct(%one)
  %q : Tensor = aten::full(%sizes, %number, %own, %none, %none, %none)"""
_ENDS: Final = """
  %most : int = prim::Constant[value={most}]()
  %dtype : int = prim::Constant[value=4]()
  %ranks : Tensor = aten::mul(%q, %most)
  %below : Tensor = aten::floor(%ranks)
  %above : Tensor = aten::ceil(%ranks)
  %weight : Tensor = aten::sub(%ranks, %below, %one)
  %first : Tensor = aten::to(%below, %dtype, %no, %no, %none)
  %second : Tensor = aten::to(%above, %dtype, %no, %no, %none)
  %low : Tensor = aten::index_select(%ordered, %last, %first)
  %high : Tensor = aten::index_select(%ordered, %last, %second)"""


def quantile_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Between neighbours in order, along a dimension or of all elements. Raises NotLowered."""
    x, q, axis, keeps, method = (value(each) for each in node.inputs)
    rank = x.array.ndim
    extent = x.array.size if axis is None else x.array.shape[axis]
    is_tensor = isinstance(q, Tensor)
    if method != "linear" or keeps or rank == 0 or extent < 2:
        raise NotLowered
    if x.array.dtype not in (FLOAT, DOUBLE) or not (is_tensor or is_constant(node.inputs[1])):
        raise NotLowered
    given = "" if is_tensor else _OF_NUMBER.format(number=float(q), dtype=x.dtype.code)
    has_one = not is_tensor or q.array.ndim == 0
    return _QUANTILES.format(
        parameter=", %q : Tensor" if is_tensor else "",
        axis=0 if axis is None else axis,
        rows=_FLAT_ROWS if axis is None else _ROWS_ALONG,
        ends=given + _ENDS.format(most=extent - 1),
        shaped=_ONE if has_one else _SEVERAL,
    )
