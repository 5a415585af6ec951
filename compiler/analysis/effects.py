"""Which nodes do more than compute their outputs."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir.constants import constant_value
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.schema import Aliasing, Effects
from tsc.compiler.types import BOOL, INT

_ACTIONS: Final = frozenset(
    {
        prim.Print,
        prim.RaiseException,
        prim.SetAttr,
        prim.Enter,
        prim.Exit,
        prim.CallFunction,
        prim.CallMethod,
        prim.PythonOp,
        prim.IgnoredPythonOp,
        prim.AddStatValue,
        prim.BailOut,
    }
)
"""Kinds of nodes that the compiler makes without an operator."""
WRITES_ATTRIBUTE: Final = "writes_attribute"
"""The attribute of nodes that write to a list which was an attribute of an object."""
_JUMPS: Final = frozenset(
    {
        prim.Store,
        prim.BreakStmt,
        prim.ContinueStmt,
        prim.ReturnStmt,
        prim.LoopContinuation,
    }
)
_NEVER_FAILING: Final = frozenset(
    (
        *(prim.Constant, prim.TupleConstruct, prim.TupleIndex, prim.TupleUnpack),
        *(f"aten::__{name}__" for name in ("not", "is", "isnot")),
        *("aten::dim", "aten::len", "prim::dtype", "prim::device"),
    )
)
_NUMBERS: Final = (INT, BOOL)
_NEVER_FAILING_ON_INTS: Final = frozenset(
    f"aten::{name}" for name in ("add", "sub", "mul", "neg", "eq", "ne", "lt", "le", "gt", "ge")
)


def has_side_effects(node: Node) -> bool:
    """Whether the node must run, as often as it does, even when nobody uses its outputs.

    Writing to its arguments is a matter of their aliases, and not meant here.
    """
    if node.operator is not None:
        return node.operator.effects is Effects.SIDE_EFFECT or (
            node.operator.is_mutable and node.has_attribute(WRITES_ATTRIBUTE)
        )
    return node.kind in _ACTIONS or node.kind in _JUMPS


def may_write_statistics(node: Node) -> bool:
    """Whether a normalization may be in training, which updates running statistics."""
    if node.operator is None or node.operator.aliasing is not Aliasing.WRITES_STATISTICS:
        return False
    return constant_value(node.inputs[5]) is not False


def never_fails(node: Node) -> bool:
    """Whether it is known that the node raises no error, whatever it is given."""
    if node.kind in _NEVER_FAILING_ON_INTS:
        return all(value.type in _NUMBERS for value in node.inputs)
    return node.kind in _NEVER_FAILING
