"""Numbers the warnings of a program, so that each is given once, as Python's own are."""

from __future__ import annotations

from itertools import count
from typing import Final

from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.symbols import aten

_next_warning: Final = count()
"""Counts across all programs compiled: a warning is one of the whole process."""


def annotate_warns(graph: Graph) -> bool:
    """Returns whether there was a warning without a number."""
    changed = False
    for node in graph.all_nodes():
        if node.kind == aten.warn and not node.has_attribute("warn_id"):
            node.set_attribute("warn_id", next(_next_warning))
            changed = True
    return changed
