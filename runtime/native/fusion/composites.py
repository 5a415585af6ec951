"""Operators in groups that are made of others: cells of recurrent layers, and attention.

A group has the operator itself, so that its checks and errors are its own; native code is made of its parts.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from tsc.compiler.ir import Graph, Node, Value, constant_value, is_constant, prim
from tsc.compiler.ir.inline import insert_graph
from tsc.compiler.ir.ir_parser import parse_ir
from tsc.runtime.operators import load

_GATES: Final = """
graph(%x : Tensor, %h : Tensor, {state}%w_ih : Tensor, %w_hh : Tensor, %b_ih : Tensor?, %b_hh : Tensor?):
  %last : int = prim::Constant[value=-1]()
  %one : int = prim::Constant[value=1]()
  %count : int = prim::Constant[value={count}]()
  %given : Tensor = aten::linear(%x, %w_ih, %b_ih)
  %before : Tensor = aten::linear(%h, %w_hh, %b_hh)
"""
_LSTM: Final = (
    _GATES.format(state="%c : Tensor, ", count=4)
    + """
  %sums : Tensor = aten::add(%given, %before, %one)
  %gates : Tensor[] = aten::chunk(%sums, %count, %last)
  %g0 : Tensor, %g1 : Tensor, %g2 : Tensor, %g3 : Tensor = prim::ListUnpack(%gates)
  %in : Tensor = aten::sigmoid(%g0)
  %forget : Tensor = aten::sigmoid(%g1)
  %new : Tensor = aten::tanh(%g2)
  %out : Tensor = aten::sigmoid(%g3)
  %kept : Tensor = aten::mul(%forget, %c)
  %taken : Tensor = aten::mul(%in, %new)
  %cell : Tensor = aten::add(%kept, %taken, %one)
  %shown : Tensor = aten::tanh(%cell)
  %hidden : Tensor = aten::mul(%out, %shown)
  return (%hidden, %cell)
"""
)
_GRU: Final = (
    _GATES.format(state="", count=3)
    + """
  %of_x : Tensor[] = aten::chunk(%given, %count, %last)
  %x0 : Tensor, %x1 : Tensor, %x2 : Tensor = prim::ListUnpack(%of_x)
  %of_h : Tensor[] = aten::chunk(%before, %count, %last)
  %h0 : Tensor, %h1 : Tensor, %h2 : Tensor = prim::ListUnpack(%of_h)
  %resetting : Tensor = aten::add(%x0, %h0, %one)
  %reset : Tensor = aten::sigmoid(%resetting)
  %updating : Tensor = aten::add(%x1, %h1, %one)
  %update : Tensor = aten::sigmoid(%updating)
  %known : Tensor = aten::mul(%reset, %h2)
  %made : Tensor = aten::add(%x2, %known, %one)
  %new : Tensor = aten::tanh(%made)
  %rest : Tensor = aten::sub(%h, %new, %one)
  %kept : Tensor = aten::mul(%rest, %update)
  %hidden : Tensor = aten::add(%kept, %new, %one)
  return (%hidden)
"""
)
_ATTENTION: Final = """
graph(%q : Tensor, %k : Tensor, %v : Tensor):
  %last : int = prim::Constant[value=-1]()
  %rows : int = prim::Constant[value=-2]()
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %lowest : float = prim::Constant[value=-inf]()
  %width : int = aten::size(%q, %last)
  %root : float = aten::sqrt(%width)
  %columns : Tensor = aten::transpose(%k, %rows, %last)
  %products : Tensor = aten::matmul(%q, %columns)
  {scores} : Tensor = aten::div(%products, %root)
{mask}
  %weights : Tensor = aten::softmax(%shown, %last, %none)
  %result : Tensor = aten::matmul(%weights, %v)
  return (%result)
"""
_CAUSAL: Final = """
  %queries : int = aten::size(%q, %rows)
  %keys : int = aten::size(%k, %rows)
  %places : Tensor = aten::arange(%queries, %none, %none, %none, %none)
  %place : Tensor = aten::unsqueeze(%places, %one)
  %others : Tensor = aten::arange(%keys, %none, %none, %none, %none)
  %is_later : Tensor = aten::gt(%others, %place)
  %shown : Tensor = aten::masked_fill(%scores, %is_later, %lowest)
"""


def is_composite(node: Node) -> bool:
    """Whether a node is one of them that its parts are known of."""
    return _parts_of(node) is not None


def expand(graph: Graph) -> dict[Value, Value]:
    """Puts parts behind composite nodes. Tells for each result of parts, which is in use now, the operator's own."""
    own: dict[Value, Value] = {}
    for node in list(graph.nodes()):
        text = _parts_of(node)
        if text is None:
            continue
        with graph.insert_at(node.next):
            made = insert_graph(graph, _parsed(text), list(_operands(node)))
        for result, part in zip(node.outputs, made, strict=True):
            result.replace_all_uses_with(part)
            own[part] = result
    return own


def _parts_of(node: Node) -> str | None:
    match node.kind:
        case "aten::gru_cell":
            return _GRU
        case "aten::lstm_cell" if _is_pair(node.inputs[1]):
            return _LSTM
        case "aten::scaled_dot_product_attention":
            return _attention(node)
        case _:
            return None


def _is_pair(value: Value) -> bool:
    """Whether a list is made of two tensors, for a node alone."""
    return (
        value.node.kind == prim.ListConstruct
        and len(value.node.inputs) == 2
        and len(value.uses) == 1
    )


def _attention(node: Node) -> str | None:
    """Without a mask that is given, a scale that is given, dropout, and heads that share keys."""
    settings = node.inputs[3:]
    if not all(map(is_constant, settings)):
        return None
    mask, dropout, is_causal, scale, shares = map(constant_value, settings)
    if mask is not None or dropout != 0.0 or scale is not None or shares:
        return None
    if is_causal:
        return _ATTENTION.format(scores="%scores", mask=_CAUSAL)
    return _ATTENTION.format(scores="%shown", mask="")


def _operands(node: Node) -> Iterator[Value]:
    """What the parts are given: tensors, and the lists of them element by element."""
    given = node.inputs[:3] if node.kind == "aten::scaled_dot_product_attention" else node.inputs
    for value in given:
        if value.node.kind == prim.ListConstruct:
            yield from value.node.inputs
        else:
            yield value


@functools.cache
def _parsed(text: str) -> Graph:
    return parse_ir(text, load())
