"""Which nodes do more than compute their outputs."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import aten, prim

_SIDE_EFFECTS: Final = frozenset(
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
        prim.TimePoint,
        prim.BailOut,
        aten.warn,
        aten.wait,
        "aten::save",
        "aten::manual_seed",
        "aten::_print",
        # What they answer, or set, belongs to the process rather than to the program.
        "aten::is_grad_enabled",
        "aten::set_grad_enabled",
        "aten::is_autocast_enabled",
        "aten::is_autocast_cpu_enabled",
        "aten::get_autocast_dtype",
        "aten::_get_cpu_capability",
    }
)
_JUMPS: Final = frozenset(
    {
        prim.Store,
        prim.BreakStmt,
        prim.ContinueStmt,
        prim.ReturnStmt,
        prim.LoopContinuation,
    }
)

_OWN_NAMESPACES: Final = ("aten::", "prim::")
"""Of operators that users bring along, nothing is known: they may do anything."""


def has_side_effects(node: Node) -> bool:
    """Whether the node must run, as often as it does, even when nobody uses its outputs.

    Writing to its arguments is a matter of their aliases, and not meant here.
    """
    if node.kind in _SIDE_EFFECTS or node.kind in _JUMPS:
        return True
    return node.operator is not None and not node.kind.startswith(_OWN_NAMESPACES)
