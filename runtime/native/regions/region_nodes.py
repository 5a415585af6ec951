"""Which nodes a region may have, as far as a node tells by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tsc.compiler.ir import Block, Node, Value, constant_value, prim
from tsc.compiler.schema import Operator
from tsc.compiler.types import BOOL, FLOAT, INT, ListType, Type, TypeKind
from tsc.runtime.native.regions.attribute_names import ATTRIBUTES
from tsc.runtime.native.regions.called_kernels import is_called_back, is_lowered, is_lowered_for
from tsc.runtime.native.regions.forms import INTEGER, REAL, TRUTH, Form, NotNative, TupleForm
from tsc.runtime.operators.registration import table

CASTS: Final = frozenset({prim.unchecked_cast, prim.unchecked_unwrap_optional})
STRUCTURE: Final = frozenset(
    {prim.Constant, prim.Uninitialized, prim.If, prim.Loop, prim.TupleConstruct, prim.TupleUnpack}
    | {prim.ListConstruct, prim.DictConstruct, prim.TupleIndex}
    | CASTS
    | ATTRIBUTES
)
_TYPES: Final[dict[Form, Type]] = {INTEGER: INT, REAL: FLOAT, TRUTH: BOOL}
IDENTITY: Final = frozenset({"aten::__is__", "aten::__isnot__"})


class NodeNotNative(NotNative):
    """The node that keeps a region from being native."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(reason)
        self.node = node


def is_last_resort(block: Block) -> bool:
    """Whether a block ends in an error and branches no more: it is left to the interpreter, whatever is in it."""
    nodes = list(block.nodes())
    raises = bool(nodes) and nodes[-1].kind == prim.RaiseException
    return raises and not any(node.blocks for node in nodes)


def tuple_place(node: Node, form: TupleForm) -> int:
    """Which item a prim::TupleIndex gives. Raises `NodeNotNative`."""
    place, count = constant_value(node.inputs[1]), len(form.items)
    if not isinstance(place, int) or not -count <= place < count:
        raise NodeNotNative(node, "the place in a tuple is not known, or there is none")
    return place % count


def is_uninitialized(value: Value) -> bool:
    """Whether a value is what a variable has that was never set."""
    return value.node.kind == prim.Uninitialized


def has_lowering(node: Node) -> bool:
    """Whether the operator of a node says how it becomes native code."""
    if node.kind in IDENTITY:
        return any(value.type.kind is TypeKind.NoneType for value in node.inputs)
    return is_lowered_for(node) or is_called_back(node)


def concrete_operator(node: Node, operands: Sequence[Form]) -> Operator:
    """The operator of a node for numbers of just these types. Raises NotNative."""
    own = node.operator
    types = [_TYPES[each] for each in operands]
    if own is not None and own.lowering is not None:
        return own
    for operator in table.operators_for(node.kind):
        if [each.type for each in operator.schema.arguments] == types and is_lowered(
            operator, types
        ):
            return operator
    raise NotNative(f"{node.kind} of these numbers has no native code")


def makes_list(node: Node) -> bool:
    """Whether the result of an operator is a new list."""
    if node.operator is None or not node.outputs or node.operator.is_mutable:
        return False
    return isinstance(node.operator.schema.returns[0].type, ListType)
