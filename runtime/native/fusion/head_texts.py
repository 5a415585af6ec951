"""The parts of `_native_multi_head_attention` and `_transformer_encoder_layer_fwd`, by which layers compute where no
gradient is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tsc.compiler.ir import Node, Value
from tsc.runtime.arrays.dtypes import DOUBLE, FLOAT
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.values.tensor import Tensor

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


_ENCODER: Final = """
graph(%x : Tensor, %w : Tensor, %b : Tensor, %out : Tensor, %added : Tensor, %w1 : Tensor, %b1 : Tensor,
      %w2 : Tensor, %b2 : Tensor, %inner : Tensor, %inner_bias : Tensor, %outer : Tensor, %outer_bias : Tensor):
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %no : bool = prim::Constant[value=0]()
  %width : int = prim::Constant[value={width}]()
  %heads : int = prim::Constant[value={heads}]()
  %size : int[] = prim::ListConstruct(%width)
  %epsilon : float = prim::Constant[value={epsilon}]()
  %exact : str = prim::Constant[value="none"]()
{first}
  %seen : Tensor, %unused : Tensor = aten::_native_multi_head_attention({q}, {q}, {q}, %width, %heads, %w, %b, %out, \
%added, %none, %no, %no, %none)
  %sum : Tensor = aten::add(%x, %seen, %one)
{second}
  %wide : Tensor = aten::linear({y}, %inner, %inner_bias)
  %active : Tensor = {activation}
  %fed : Tensor = aten::linear(%active, %outer, %outer_bias)
  %result : Tensor = aten::add({z}, %fed, %one)
{last}
"""
_NORM: Final = "  %{name} : Tensor = aten::layer_norm({of}, %size, %w{k}, %b{k}, %epsilon, %no)"


def encoder_text(node: Node, value: Callable[[Value], Any]) -> str:
    """Without a mask; norms come first, or after each sum."""
    x = value(node.inputs[0])
    given = [value(node.named_input(name)) for name in ("mask", "use_gelu", "norm_first", "eps")]
    mask, use_gelu, norm_first, epsilon = given
    if mask is not None or type(x) is not Tensor or x.array.dtype not in (FLOAT, DOUBLE):
        raise NotLowered
    first, second = (
        _NORM.format(name=f"norm{k}", of="%x" if k == 1 else "%sum", k=k) for k in (1, 2)
    )
    after = _NORM.format(name="norm1", of="%sum", k=1), _NORM.format(name="done", of="%result", k=2)
    return _ENCODER.format(
        width=value(node.inputs[1]),
        heads=value(node.inputs[2]),
        epsilon=float(epsilon),
        first=first if norm_first else "",
        q="%norm1" if norm_first else "%x",
        second=second if norm_first else after[0],
        y="%norm2" if norm_first else "%norm1",
        z="%sum" if norm_first else "%norm1",
        activation="aten::gelu(%wide, %exact)" if use_gelu else "aten::relu(%wide)",
        last="  return (%result)" if norm_first else f"{after[1]}\n  return (%done)",
    )
