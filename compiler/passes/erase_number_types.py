"""Numbers become tensors without dimensions, and conversions between the two go.

This is for formats that know tensors only; what comes out does not run here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tsc.compiler.ir import Block, Graph, Node, Value, constant_value, prim
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.types import BOOL, COMPLEX, FLOAT, INT, NUMBER, TensorType, Type

TensorOf = Callable[[object], object]
"""The tensor without dimensions that holds a number."""

_CONVERSIONS: Final = frozenset(
    (
        *(f"aten::{name}" for name in ("Bool", "Float", "Int")),
        *(f"aten::{name}Implicit" for name in ("Float", "Int", "Scalar")),
        prim.NumToTensor,
    )
)
_TENSOR_TYPES: Final[dict[Type, TensorType]] = {
    INT: TensorType("Long", (), (), "cpu"),
    FLOAT: TensorType("Double", (), (), "cpu"),
    BOOL: TensorType("Bool", (), (), "cpu"),
    NUMBER: TensorType(None, None, None, "cpu"),
}


def erase_number_types(graph: Graph, *, tensor_of: TensorOf) -> bool:
    """Returns whether anything changed.

    Raises GraphError for complex numbers.
    """
    changed = _erase_in_block(graph.block, tensor_of)
    changed |= _erase(graph.inputs)
    if changed:
        _forget_operators(graph)
    return changed


def _forget_operators(graph: Graph) -> None:
    """No schema takes a tensor for a number."""
    for node in graph.all_nodes():
        if any(value.type in _TENSOR_TYPES.values() for value in (*node.inputs, *node.outputs)):
            node.operator = None


def _erase_in_block(block: Block, tensor_of: TensorOf) -> bool:
    changed = False
    for node in block.nodes():
        changed |= _erase(node.inputs)
        for nested in node.blocks:
            changed |= _erase_in_block(nested, tensor_of)
        if node.kind == prim.Constant:
            changed |= _erase_constant(node, tensor_of)
        elif node.kind in _CONVERSIONS:
            node.output.replace_all_uses_with(node.inputs[0])
            node.destroy()
            changed = True
        else:
            changed |= _erase(node.outputs)
    return changed


def _erase_constant(node: Node, tensor_of: TensorOf) -> bool:
    if node.output.type not in _TENSOR_TYPES:
        return False
    node.set_attribute("value", tensor_of(constant_value(node.output)))
    return True


def _erase(values: Iterable[Value]) -> bool:
    changed = False
    for value in values:
        if value.type == COMPLEX:
            raise GraphError(f"no tensor type stands for the complex number %{value.debug_name}")
        if value.type in _TENSOR_TYPES:
            value.set_type(_TENSOR_TYPES[value.type])
            changed = True
    return changed
