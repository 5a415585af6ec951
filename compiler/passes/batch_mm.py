"""Products of matrices that are added up, or share a factor, are computed in one go.

A sum of at least 4 products becomes a `prim::MMTreeReduce`, at least 8 products with the same left or right factor a
`prim::MMBatchSide`. Graphs in which anything is written to are left as they are.
"""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Block, Graph, Node, Value, constant_value, prim
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.schema import OperatorTable

_PRODUCT: Final = "aten::mm"
_FEWEST_SUMMANDS: Final = 4
_FEWEST_WITH_A_SIDE: Final = 8


def batch_mm(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether products were batched; if so, dead code is gone too."""
    if any(node.schema is not None and node.schema.is_mutable for node in graph.all_nodes()):
        return False
    batching = _Batching(graph, operators)
    changed = False
    for block in [graph.block, *(each for node in graph.all_nodes() for each in node.blocks)]:
        changed |= batching.batch_sums(block)
        changed |= batching.batch_sides(block)
    if changed:
        eliminate_dead_code(graph)
    return changed


class _Batching:
    def __init__(self, graph: Graph, operators: OperatorTable) -> None:
        self._graph = graph
        self._operators = operators
        self._alias_db = AliasDb(graph)

    def batch_sums(self, block: Block) -> bool:
        roots = _large_sums(block)
        for root in roots:
            products = _summands(root)
            factors = [value for side in (0, 1) for value in _factors(products, side)]
            made = self._insert(prim.MMTreeReduce, factors, 1, root)
            root.output.replace_all_uses_with(made.output)
        return bool(roots)

    def batch_sides(self, block: Block) -> bool:
        changed = False
        for side in (0, 1):
            groups: dict[Value, list[Node]] = {}
            for node in block.nodes():
                if node.kind == _PRODUCT and node.output.has_uses:
                    groups.setdefault(node.inputs[side], []).append(node)
            for shared, products in groups.items():
                changed |= self._batch_side(shared, products, side)
        return changed

    def _batch_side(self, shared: Value, products: list[Node], side: int) -> bool:
        apart = _independent(products)
        if len(apart) < _FEWEST_WITH_A_SIDE:
            return False
        first, *others = apart
        moved = [
            each for each in others if self._alias_db.move_before_topologically_valid(each, first)
        ]
        batch = [first, *moved]
        made = self._insert(
            prim.MMBatchSide, [shared, *_factors(batch, 1 - side)], len(batch), first
        )
        made.set_attribute("side", side)
        for product, output in zip(batch, made.outputs, strict=True):
            product.output.replace_all_uses_with(output)
            product.destroy()
        return True

    def _insert(self, kind: str, inputs: list[Value], outputs: int, place: Node) -> Node:
        made = self._graph.create(kind, inputs, outputs, range=place.range).insert_before(place)
        made.operator = self._operators.find(kind)
        return made


def _factors(products: list[Node], side: int) -> list[Value]:
    return [product.inputs[side] for product in products]


def _large_sums(block: Block) -> list[Node]:
    """The sums of enough products that are no part of a larger one."""
    counts: dict[Node, int] = {}
    parts: set[Node] = set()
    for node in block.nodes():
        if node.kind == _PRODUCT:
            counts[node] = 1
        elif _is_plain_sum(node):
            summands = [value.node for value in node.inputs[:2] if value.use_count == 1]
            if len(summands) == 2 and all(each in counts for each in summands):
                counts[node] = sum(counts[each] for each in summands)
                parts.update(summands)
    return [node for node in counts if node not in parts and counts[node] >= _FEWEST_SUMMANDS]


def _summands(root: Node) -> list[Node]:
    """The products that a sum adds up, from right to left."""
    found: list[Node] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.kind == _PRODUCT:
            found.append(node)
        else:
            pending += [value.node for value in node.inputs[:2]]
    return found


def _is_plain_sum(node: Node) -> bool:
    if node.kind != "aten::add" or len(node.inputs) != 3:
        return False
    alpha = constant_value(node.inputs[2])
    return alpha is not True and alpha in (1, 1.0)


def _independent(products: list[Node]) -> list[Node]:
    """Those of some products of a block that need none of the others, the first one among them."""
    first, last = products[0], products[-1]
    wanted, chosen = set(products), [first]
    needing = {first.output}
    node = first
    while node is not last:
        node = node.next
        inside = [node, *(each for block in node.blocks for each in block.all_nodes())]
        if any(value in needing for each in inside for value in each.inputs):
            needing.update(node.outputs)
        elif node in wanted:
            chosen.append(node)
            needing.add(node.output)
    return chosen
