"""Operators that tell what tensors hold as something else than a tensor."""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.metadata import METADATA_READERS
from tsc.compiler.exir.exportable_types import holds_tensors, is_open
from tsc.compiler.ir import Node
from tsc.compiler.schema import Operator

_SEARCHES: Final = frozenset({"aten::__contains__", "aten::index", "aten::count", "aten::remove"})
"""Compare the elements of a list: of tensors in it, too."""


def reads_elements(node: Node, operator: Operator | None) -> bool:
    """Whether a result that is no tensor tells what a tensor holds; sizes and dtypes do not."""
    if operator is None or node.kind.startswith("prim::") or node.kind in METADATA_READERS:
        return False
    schema = operator.schema
    if any(is_open(each.type) for each in schema.arguments):
        return node.kind in _SEARCHES
    return bool(schema.returns) and not any(holds_tensors(each.type) for each in schema.returns)
