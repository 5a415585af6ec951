"""Operators in groups that are made of others: cells of recurrent layers, attention, losses, cross products.

A group has the operator itself, so that its checks and errors are its own; native code is made of its parts.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from tsc.compiler.ir import Graph, Node, Value, constant_value, is_constant, prim
from tsc.compiler.ir.inline import insert_graph
from tsc.compiler.ir.ir_parser import parse_ir
from tsc.compiler.types import TypeKind
from tsc.runtime.native.expressions.pointwise_nodes import kind_of_result
from tsc.runtime.native.fusion.composite_texts import (
    DOT,
    GRU,
    LOGARITHM_OF_DETERMINANT,
    LSTM,
    OUTER,
    attention_text,
    average_text,
    chosen_text,
    contraction_text,
    cross_text,
    distances_text,
    scattered_text,
    triangle_text,
)
from tsc.runtime.native.fusion.head_texts import encoder_text, layer_text
from tsc.runtime.native.fusion.order_texts import flat_text, quantile_text
from tsc.runtime.native.fusion.rolled_texts import rolled_text
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

ValueOf = Callable[[Value], Any]
"""What values of a group were when it ran."""


@dataclass(frozen=True, slots=True)
class _Composite:
    """Whether a node of the kind is one, and the parts for what its values were; they take its tensors in order. Raises
    NotLowered where there are none.
    """

    takes: Callable[[Node], bool]
    text: Callable[[Node, ValueOf], str]


def is_composite(node: Node) -> bool:
    """Whether a node is one of them that its parts are known of."""
    found = _COMPOSITES.get(kind_of_result(node))
    return found is not None and found.takes(node)


def expand(node: Node, value: ValueOf) -> dict[Value, Value]:
    """Puts its parts behind a composite node. Tells for each result of parts, which is in use now, the operator's own;
    results that are None stay. Raises NotLowered.
    """
    text = _COMPOSITES[node.kind].text(node, value)
    with node.graph.insert_at(node.next):
        made = insert_graph(node.graph, _parsed(text), list(_operands(node, value)))
    own: dict[Value, Value] = {}
    there = [each for each in node.outputs if value(each) is not None]
    for result, part in zip(there, made, strict=True):
        result.replace_all_uses_with(part)
        own[part] = result
    return own


def _operands(node: Node, value: ValueOf) -> Iterator[Value]:
    """The tensors that a node is given, and what lists of them are made of."""
    for each in node.inputs:
        if each.node.kind == prim.ListConstruct:
            yield from (part for part in each.node.inputs if isinstance(value(part), Tensor))
        elif isinstance(value(each), Tensor) or node.kind in _CELLS:
            yield each


@functools.cache
def _parsed(text: str) -> Graph:
    return parse_ir(text, load())


# -- Which nodes -------------------------------------------------------------------------------


def _has_pair(node: Node) -> bool:
    """Whether the state of a cell is a list of two tensors, made for it alone."""
    return is_own_list(node.inputs[1]) and len(node.inputs[1].node.inputs) == 2


def is_own_list(value: Value) -> bool:
    """Whether a list is made for a node alone."""
    return value.node.kind == prim.ListConstruct and len(value.uses) == 1


def _is_attention(node: Node) -> bool:
    """Without dropout, and heads that share keys."""
    dropout, is_causal, scale, shares = node.inputs[4:8]
    if not all(map(is_constant, (dropout, is_causal, scale, shares))):
        return False
    return constant_value(dropout) == 0.0 and not constant_value(shares)


def _is_choosing(node: Node) -> bool:
    """Without weights of classes."""
    return all(map(is_constant, node.inputs[2:])) and constant_value(node.inputs[2]) is None


def _is_plain_choosing(node: Node) -> bool:
    """Without smoothing, too."""
    return _is_choosing(node) and constant_value(node.inputs[5]) == 0.0


def _is_contraction(node: Node) -> bool:
    """Of several tensors, one after another."""
    return (
        is_constant(node.inputs[0])
        and is_own_list(node.inputs[1])
        and len(node.inputs[1].node.inputs) > 2
    )


def _scatters_number(node: Node) -> bool:
    return len(node.inputs) == 4 and node.inputs[3].type.kind is not TypeKind.TensorType


def _has_known_diagonal(node: Node) -> bool:
    return is_constant(node.inputs[1])


def _is_of_all(node: Node) -> bool:
    """Of all dimensions together."""
    return not node.has_named_input("dim") or node.get("dim") is None


def _always(_node: Node) -> bool:
    return True


def _as_it_is(text: str) -> Callable[[Node, ValueOf], str]:
    """The same parts for all arguments."""
    return lambda _node, _value: text


_CELLS: Final = ("aten::gru_cell", "aten::lstm_cell")
_COMPOSITES: Final = {
    "aten::gru_cell": _Composite(_always, _as_it_is(GRU)),
    "aten::lstm_cell": _Composite(_has_pair, _as_it_is(LSTM)),
    "aten::logdet": _Composite(_always, _as_it_is(LOGARITHM_OF_DETERMINANT)),
    "aten::cdist": _Composite(_always, distances_text),
    "aten::triu": _Composite(_has_known_diagonal, triangle_text),
    "aten::tril": _Composite(_has_known_diagonal, triangle_text),
    "aten::outer": _Composite(_always, _as_it_is(OUTER)),
    "aten::dot": _Composite(_always, _as_it_is(DOT)),
    "aten::scaled_dot_product_attention": _Composite(_is_attention, attention_text),
    "aten::cross_entropy_loss": _Composite(_is_plain_choosing, chosen_text),
    "aten::nll_loss_nd": _Composite(_is_choosing, chosen_text),
    "aten::nll_loss": _Composite(_is_choosing, chosen_text),
    "aten::linalg_cross": _Composite(_always, cross_text),
    "aten::cross": _Composite(_always, cross_text),
    "aten::scatter": _Composite(_scatters_number, scattered_text),
    "aten::einsum": _Composite(_is_contraction, contraction_text),
    "aten::_native_multi_head_attention": _Composite(_always, layer_text),
    "aten::_transformer_encoder_layer_fwd": _Composite(_always, encoder_text),
    "aten::argmax": _Composite(_is_of_all, flat_text),
    "aten::argmin": _Composite(_is_of_all, flat_text),
    "aten::median": _Composite(_is_of_all, flat_text),
    "aten::quantile": _Composite(_always, quantile_text),
    "aten::roll": _Composite(_always, rolled_text),
    "aten::adaptive_avg_pool1d": _Composite(_always, average_text),
    "aten::adaptive_avg_pool2d": _Composite(_always, average_text),
}
"""By the kinds of nodes."""
