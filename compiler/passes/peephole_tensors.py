"""What the types of tensors tell is not asked when the program runs, and what changes nothing is not done.

Dimensions, sizes, dtypes and devices that a type knows become constants; `type_as` and `expand` to what a tensor is
already, transposing twice, and `x * 1` and the like give way to the tensor. Not among the passes that every graph goes
through: the types in a traced graph are those of its example, so this is for whoever knows that they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.metadata import UnsteadyTensors
from tsc.compiler.ir import Graph, Node, Value, constant_value
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.neutral_numbers import unchanged_operand
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import BOOL, DEVICE, INT, Device, ListType, TensorType, Type
from tsc.compiler.types.scalar_types import SCALAR_TYPES

Known = tuple[object, Type]
"""A constant and its type."""

_DTYPES: Final = {each.ir_name: each for each in SCALAR_TYPES}


def peephole_tensors(graph: Graph) -> bool:
    """Returns whether anything was rewritten; if so, dead code is gone too."""
    changed = False
    alias_db = AliasDb(graph)
    unsteady = UnsteadyTensors(graph, alias_db)
    for node in graph.all_nodes():
        if len(node.outputs) != 1 or not node.output.has_uses or not node.inputs:
            continue
        if node.output not in unsteady:
            changed |= _rewrite(node, alias_db)
    if changed:
        eliminate_dead_code(graph)
    return changed


def _rewrite(node: Node, alias_db: AliasDb) -> bool:
    same = _SAME_TENSOR.get(node.kind)
    value = unchanged_operand(node, alias_db) if same is None else same(node)
    if value is None:
        known = _known(node)
        if known is None:
            return False
        with node.graph.insert_at(node):
            value = node.graph.insert_constant(*known, range=node.range)
    if not may_rewrite("peephole_tensors", node):
        return False
    node.output.replace_all_uses_with(value)
    return True


# -- Properties ------------------------------------------------------------------------------


def _known(node: Node) -> Known | None:
    asked = _PROPERTIES.get(node.kind)
    type = node.inputs[0].type
    if asked is None or not isinstance(type, TensorType):
        return None
    return asked(node, type)


def _rank(_node: Node, type: TensorType) -> Known | None:
    return None if type.rank is None else (type.rank, INT)


def _sizes(node: Node, type: TensorType) -> Known | None:
    """All sizes, or that of a dimension."""
    if type.sizes is None:
        return None
    if len(node.inputs) == 1:
        return None if None in type.sizes else (list(type.sizes), ListType(INT))
    dimension = constant_value(node.inputs[1])
    if not isinstance(dimension, int) or not -len(type.sizes) <= dimension < len(type.sizes):
        return None
    size = type.sizes[dimension]
    return None if size is None else (size, INT)


def _dtype(_node: Node, type: TensorType) -> Known | None:
    return (_DTYPES[type.dtype].code, INT) if type.dtype in _DTYPES else None


def _device(_node: Node, type: TensorType) -> Known | None:
    return None if type.device is None else (Device.parse(type.device), DEVICE)


def _is_cuda(_node: Node, type: TensorType) -> Known | None:
    return None if type.device is None else (Device.parse(type.device).type == "cuda", BOOL)


def _is_floating_point(_node: Node, type: TensorType) -> Known | None:
    return _has_name(type, ("float", "bfloat"))


def _is_complex(_node: Node, type: TensorType) -> Known | None:
    return _has_name(type, ("complex",))


def _has_name(type: TensorType, beginnings: tuple[str, ...]) -> Known | None:
    """Whether the dtype is of a kind that its name tells."""
    known = None if type.dtype is None else _DTYPES.get(type.dtype)
    return None if known is None else (known.name.startswith(beginnings), BOOL)


# -- Tensors that stay as they are -----------------------------------------------------------


def _transposed_twice(node: Node) -> Value | None:
    inner = node.inputs[0].node
    return inner.inputs[0] if inner.kind == "aten::t" else None


def _of_same_type(node: Node) -> Value | None:
    """`type_as` of tensors whose dtypes and devices are known and the same."""
    first, second = (value.type for value in node.inputs[:2])
    if not isinstance(first, TensorType) or not isinstance(second, TensorType):
        return None
    if first.dtype is None or first.device is None:
        return None
    same = first.dtype == second.dtype and first.device == second.device
    return node.inputs[0] if same else None


def _of_same_sizes(node: Node) -> Value | None:
    type, sizes = node.inputs[0].type, constant_value(node.inputs[1])
    if not isinstance(type, TensorType) or type.sizes is None or not isinstance(sizes, list):
        return None
    return node.inputs[0] if list(type.sizes) == sizes else None


_PROPERTIES: Final[dict[str, Callable[[Node, TensorType], Known | None]]] = {
    "aten::dim": _rank,
    "aten::size": _sizes,
    "prim::dtype": _dtype,
    "prim::device": _device,
    "prim::is_cuda": _is_cuda,
    "aten::is_floating_point": _is_floating_point,
    "aten::is_complex": _is_complex,
}
_SAME_TENSOR: Final[dict[str, Callable[[Node], Value | None]]] = {
    "aten::t": _transposed_twice,
    "aten::type_as": _of_same_type,
    "aten::expand": _of_same_sizes,
}
