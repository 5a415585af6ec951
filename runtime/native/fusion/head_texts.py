"""The parts of `_native_multi_head_attention`, by which layers compute where no gradient is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.ir import Node, Value
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.instructions import NotLowered

_PROJECTED: Final = """
  %from_{name} : int = prim::Constant[value={begin}]()
  %to_{name} : int = prim::Constant[value={end}]()
  %weight_{name} : Tensor = aten::slice(%weight, %zero, %from_{name}, %to_{name}, %one)
  %bias_{name} : Tensor = aten::slice(%bias, %zero, %from_{name}, %to_{name}, %one)
  %row_{name} : Tensor = aten::linear(%{name}, %weight_{name}, %bias_{name})
  %parts_{name} : Tensor = aten::view(%row_{name}, %parts)
  %heads_{name} : Tensor = aten::transpose(%parts_{name}, %one, %two)"""
_LAYER: Final = """
graph(%q : Tensor, %k : Tensor, %v : Tensor, %weight : Tensor, %bias : Tensor, %out : Tensor, %added : Tensor):
  %zero : int = prim::Constant[value=0]()
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %none : NoneType = prim::Constant()
  %never : float = prim::Constant[value=0.]()
  %no : bool = prim::Constant[value=0]()
  %parts : int[] = prim::Constant[value={parts}]()
  %whole : int[] = prim::Constant[value={whole}](){projected}
  %seen : Tensor = aten::scaled_dot_product_attention(%heads_q, %heads_k, %heads_v, %none, %never, %no, %none, %no)
  %turned : Tensor = aten::transpose(%seen, %one, %two)
  %joined : Tensor = aten::reshape(%turned, %whole)
  %result : Tensor = aten::linear(%joined, %out, %added)
  return (%result)
"""


def layer_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Without a mask, and without the weights of attention as a second result."""
    query, mask, needs_weights = (value(node.inputs[place]) for place in (0, 9, 10))
    heads, dtype = value(node.inputs[4]), query.array.dtype
    if mask is not None or needs_weights or dtype not in (FLOAT, DOUBLE):
        raise NotLowered
    batch, length, features = query.array.shape
    projected = "".join(
        _PROJECTED.format(name=name, begin=place * features, end=(place + 1) * features)
        for place, name in enumerate("qkv")
    )
    return _LAYER.format(
        parts=[batch, length, heads, features // heads],
        whole=[batch, length, features],
        projected=projected,
    )
