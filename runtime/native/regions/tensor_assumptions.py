"""What tensors may be before they are seen: a group is made where some dtype and the ranks that indexing
tells would do.

What they are is found when code is made; where it has no native form after all, the group runs as a Python function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tsc.compiler.ir import Graph, LoopView, Use, Value, prim
from tsc.runtime.arrays.dtypes import FLOAT, LONG
from tsc.runtime.native.regions.tensor_forms import TensorSpec
from tsc.runtime.native.regions.tensor_specs import tensor_places

_DTYPES: Final = (FLOAT, LONG)
_READERS: Final = frozenset({"aten::size", "aten::len", "aten::dim", "aten::numel"})


def assumptions(graph: Graph) -> Iterator[Mapping[Value, TensorSpec]]:
    """Dtypes and ranks to try; none where tensors are used as wholes."""
    tensors = [graph.inputs[place] for place in tensor_places(graph)]
    ranks = {value: _rank(value) for value in tensors}
    for dtype in _DTYPES if tensors else _DTYPES[:1]:
        yield {value: (dtype, rank) for value, rank in ranks.items()}


def _rank(value: Value) -> int:
    """How many indices are put to a tensor one after another."""
    ranks = [1 + _rank(use.node.output) for use in value.uses if use.node.kind == "aten::select"]
    loops = [use for use in value.uses if use.node.kind == prim.Loop]
    ranks += [_rank(LoopView(use.node).body_block.inputs[use.offset - 1]) for use in loops]
    return max(ranks, default=0)


def depth_of_rows(value: Value) -> int | None:
    """How many indices are put to a tensor, at least, before something is computed of the whole of what is left; None
    if nothing is.
    """
    found = [depth for use in value.uses if (depth := _depth_at(use)) is not None]
    return min(found, default=None)


def _depth_at(use: Use) -> int | None:
    if use.node.kind == "aten::select":
        depth = depth_of_rows(use.node.output)
        return None if depth is None else 1 + depth
    if use.node.kind == prim.Loop:
        return depth_of_rows(LoopView(use.node).body_block.inputs[use.offset - 1])
    return None if use.node.kind in _READERS else 0
