"""What is known of tensors apart from their elements: dtype, sizes, strides, device, and when it follows from what.

Where nothing in a graph may give a tensor other metadata in place, what it is found to be at one point of the program
it is at every point.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.alias_tracker import NOWHERE, Locations
from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.schema import Effects
from tsc.compiler.schema.operator import OWN_NAMESPACES
from tsc.compiler.types import NUMBER, ListType, TensorType, Type

_RESHAPING: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("as_strided_", "detach_", "requires_grad_", "resize_", "resize_as_", "set_", "set_data"),
        *(
            "resize_as_sparse_",
            "squeeze_",
            "swapaxes_",
            "swapdims_",
            "t_",
            "transpose_",
            "unsqueeze_",
        ),
    )
)
"""Operators that give the tensor itself other metadata."""
_UNKNOWN: Final = frozenset(
    {
        *(prim.CallFunction, prim.CallMethod, prim.PythonOp, prim.IgnoredPythonOp),
        *(prim.fork, prim.awaitable, "aten::wait", prim.awaitable_wait),
    }
)
"""Nodes that lead to code that is not in the graph."""
_BY_ELEMENTS: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("nonzero", "nonzero_numpy", "argwhere", "masked_select", "index", "unique_dim"),
        *("_unique", "_unique2", "unique", "unique_consecutive", "unique_dim_consecutive"),
        *("repeat_interleave", "one_hot", "bincount", "histogramdd", "_pack_padded_sequence"),
        *("_pad_packed_sequence", "tensor_split", "combinations", "linalg_lstsq", "bucketize"),
        *("to_sparse", "_nested_tensor_from_mask", "segment_reduce", "embedding_bag"),
        *("adaptive_max_pool2d", "normal", "result_type", "can_cast", "nms"),
    )
)
"""Operators the shape of whose result may depend on the elements of a tensor, or on more than metadata."""
METADATA_READERS: Final = frozenset(
    {
        *(prim.dtype, prim.device, prim.is_cuda, prim.layout, "prim::itemsize", "prim::is_cpu"),
        *("prim::shape", "aten::result_type"),
        *(f"aten::{name}" for name in ("size", "sym_size", "dim", "numel", "len", "stride")),
        *(f"aten::is_{name}" for name in ("floating_point", "complex", "signed", "same_size")),
        "aten::element_size",
    }
)
"""Operators that ask of a tensor something else than its elements."""
_STRUCTURES: Final = frozenset(
    {
        *(prim.ListConstruct, prim.ListUnpack, prim.TupleConstruct, prim.TupleUnpack),
        *(prim.TupleIndex, prim.TupleSlice, prim.ConstantChunk),
    }
)


class UnsteadyTensors:
    """The tensors of a graph that may have other metadata at one point of the program than at another.

    Those are what a node changes, what may share memory with it, and all that calls and tasks may get hold of.
    """

    def __init__(self, graph: Graph, aliases: AliasDb | None = None) -> None:
        changing = [node for node in graph.all_nodes() if changes_metadata(node)]
        self._aliases = (aliases or AliasDb(graph)) if changing else None
        self._locations: Locations = NOWHERE
        self._may_be_known_outside = any(node.kind in _UNKNOWN for node in changing)
        if self._aliases is not None:
            self._locations = self._locations.union(
                *map(self._aliases.written_locations, changing),
                *(
                    self._aliases.reachable_locations(value)
                    for node in changing
                    if node.kind in _UNKNOWN
                    for value in node.inputs
                ),
            )

    def __contains__(self, value: Value) -> bool:
        if self._aliases is None:
            return False
        locations = self._aliases.reachable_locations(value)
        if self._may_be_known_outside and self._aliases.are_wildcards(locations):
            return True
        return not self._locations.isdisjoint(locations)


def changes_metadata(node: Node) -> bool:
    """Whether a tensor may have other metadata behind the node than before it; a call or wait may do anything."""
    if node.kind in _RESHAPING or node.kind in _UNKNOWN:
        return True
    if node.operator is None:
        return False
    if not node.kind.startswith(OWN_NAMESPACES):
        return True
    arguments = node.operator.schema.arguments
    return any(
        each.kwarg_only and each.alias_info is not None and each.alias_info.writes
        for each in arguments
    )


def is_complete(type: Type) -> bool:
    """Whether a type tells all there is to be known of a tensor, but for its elements and its gradient."""
    if not isinstance(type, TensorType) or type.sizes is None or type.strides is None:
        return False
    return None not in (*type.sizes, *type.strides, type.dtype, type.device)


def follows_from_inputs(node: Node, is_known: set[Value]) -> bool:
    """Whether the outputs of a node are known as soon as its inputs are.

    To know a tensor is to know its metadata; to know anything else is to know its value. `is_known` holds the values
    that are; constants are anyway.
    """
    if node.blocks or not node.inputs or _goes_by_elements(node):
        return False
    unknown = [
        offset
        for offset, value in enumerate(node.inputs)
        if value not in is_known and value.node.kind != prim.Constant
    ]
    if node.kind in _STRUCTURES:
        return not unknown
    if node.operator is None or not node.kind.startswith(OWN_NAMESPACES):
        return False
    if node.operator.effects is Effects.SIDE_EFFECT:
        return False
    if all(_holds_tensors(output.type) for output in node.outputs):
        takes_tensors = any(_holds_tensors(value.type) for value in node.inputs)
        return takes_tensors and all(_is_factor(node, offset) for offset in unknown)
    reads_elements = any(_holds_tensors(value.type) for value in node.inputs)
    is_pure = node.operator.effects is Effects.PURE
    return not unknown and is_pure and (not reads_elements or node.kind in METADATA_READERS)


def _goes_by_elements(node: Node) -> bool:
    """Whether the shape of a result may depend on elements: of ``where``, if it is asked for the places."""
    return node.kind in _BY_ELEMENTS or (node.kind == "aten::where" and len(node.inputs) == 1)


def _is_factor(node: Node, offset: int) -> bool:
    """Whether an input is a number that tensors are computed with: its type counts, but not its value."""
    assert node.operator is not None
    arguments = node.operator.schema.arguments
    return (
        offset < len(arguments)
        and arguments[offset].type == NUMBER
        and node.inputs[offset].type != NUMBER
    )


def _holds_tensors(type: Type) -> bool:
    element = type.element if isinstance(type, ListType) else type
    return isinstance(element, TensorType)
