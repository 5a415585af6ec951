"""Runs at compile time what depends on constants only, where that makes tensors and lists as well.

Left alone is what is ever written to, what draws random numbers, and questions for the types that lists hold.
What the graph returns may be a constant afterwards: every call returns the same tensor then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.determinism import is_nondeterministic
from tsc.compiler.ir import Graph, Node, Value, constant_value, prim
from tsc.compiler.passes.propagate_constants import Evaluate, propagate
from tsc.compiler.types import OptionalType, TupleType, Type, TypeKind, optional

TensorTypeOf = Callable[[object], "Type | None"]
"""The type of a tensor that is known; None for what is no tensor."""


def propagate_all_constants(
    graph: Graph, *, evaluate: Evaluate, tensor_type_of: TensorTypeOf
) -> bool:
    """Returns whether anything changed; if so, dead code is gone too."""
    alias_db = AliasDb(graph)

    def is_settled(node: Node) -> bool:
        if _asks_of_container(node):
            return False
        held = all(_can_be_held(value.type) for value in node.outputs)
        return held and not is_nondeterministic(node) and not alias_db.node_has_writers(node)

    def type_of(value: Value, constant: object) -> Type | None:
        known = value.node.inputs[0] if _is_widened(value.node) else value
        return _type_of(constant, known.type, tensor_type_of)

    return propagate(graph, evaluate, is_settled, type_of)


def _asks_of_container(node: Node) -> bool:
    """Whether the answer depends on a type that a constant list does not tell by itself."""
    if node.kind not in (prim.isinstance, prim.unchecked_cast):
        return False
    known = node.inputs[0]
    is_cast = node.kind == prim.unchecked_cast and (
        _is_widened(node) or known.type == optional(node.output.type)
    )
    return isinstance(constant_value(known), (list, dict)) and not is_cast


def _is_widened(node: Node) -> bool:
    """Whether a value is only called by a type that holds more."""
    return node.kind == prim.unchecked_cast and node.inputs[0].type.is_subtype_of(node.output.type)


def _can_be_held(type: Type) -> bool:
    """Whether a constant can hold a value of the type."""
    if type.kind in _NOT_HELD:
        return False
    return all(map(_can_be_held, type.contained))


_NOT_HELD = frozenset(
    (
        *(TypeKind.ClassType, TypeKind.InterfaceType, TypeKind.GeneratorType),
        *(TypeKind.FutureType, TypeKind.AwaitType),
    )
)


def _type_of(constant: object, declared: Type, tensor_type_of: TensorTypeOf) -> Type | None:
    """The type of a constant, with all that is known of tensors outside of lists."""
    if isinstance(declared, OptionalType) and constant is not None:
        return _type_of(constant, declared.element, tensor_type_of)
    if isinstance(constant, tuple) and isinstance(declared, TupleType):
        members = zip(cast("tuple[object, ...]", constant), declared.contained)
        types = [_type_of(each, type, tensor_type_of) or type for each, type in members]
        return declared.with_contained(types)
    if constant is None or isinstance(constant, (list, dict, tuple)):
        return declared
    return tensor_type_of(constant)
