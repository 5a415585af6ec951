"""Has a graph make lists and dictionaries that know what they hold, where its program asks for it.

Python's lists and dictionaries do not know the types they were made with. Only ``isinstance`` with a
list or dictionary type, on a value of which the type is not known, needs them: the functions that ask
so, and all that they call, then run with typed containers (see `runtime.values.typed_containers`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from tsc.compiler.ir import Graph, Node, Value
from tsc.compiler.ir.symbols import prim
from tsc.compiler.pipelines import WITH_TYPES, Pass
from tsc.compiler.types import Type, TypeKind
from tsc.runtime.values.typed_containers import KEEP_TYPE, with_types

_CONTAINERS = (TypeKind.ListType, TypeKind.DictType)
_HANDING_ON = frozenset(
    {
        KEEP_TYPE,
        prim.If,
        prim.Loop,
        prim.CallFunction,
        prim.CallMethod,
        prim.TupleConstruct,
        prim.TupleUnpack,
        prim.TupleIndex,
        prim.TupleSlice,
        prim.ListUnpack,
        prim.Uninitialized,
        prim.unchecked_cast,
        prim.unchecked_unwrap_optional,
        "aten::_unwrap_optional",
    }
)
"""Kinds of nodes whose outputs are typed as soon as what they are given is."""


def asks_for_types(node: Node) -> bool:
    """Whether a node asks for the type of a list or dictionary."""
    if node.kind != prim.isinstance:
        return False
    types = cast("Iterable[Type]", node.attribute("types"))
    return any(map(_has_container, types))


def _has_container(type: Type) -> bool:
    return type.kind in _CONTAINERS or any(map(_has_container, type.contained))


def keep_types(graph: Graph) -> bool:
    """Has every list and dictionary typed when it is made. Returns whether there are any."""
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind in _HANDING_ON:
            continue
        for output in node.outputs:
            if output.has_uses and with_types(output.type) is not None:
                _keep_type(output)
                changed = True
    return changed


KEEP_TYPES: Final = Pass(*WITH_TYPES, keep_types)


def _keep_type(value: Value) -> None:
    graph = value.node.graph
    keep = graph.create(KEEP_TYPE, [value], range=value.node.range)
    keep.insert_after(value.node)
    keep.output.set_type(value.type)
    for use in list(value.uses):
        if use.node is not keep:
            use.node.replace_input(use.offset, keep.output)
