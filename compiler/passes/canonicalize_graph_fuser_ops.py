"""Forms that are easy to fuse: numbers instead of tensors without dimensions, chunks of a number that is known.

`aten::chunk` whose list is only taken apart becomes a `prim::ConstantChunk` with an output for each chunk.
"""

from __future__ import annotations

from tsc.compiler.ir import Graph, Node, Value, constant_value, prim
from tsc.compiler.passes.canonicalize_ops import NumberOf, canonicalize_ops
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.schema import OperatorTable

_CONSTANT_CHUNK = "prim::ConstantChunk"


def canonicalize_graph_fuser_ops(
    graph: Graph, *, operators: OperatorTable, number_of: NumberOf
) -> bool:
    """Returns whether anything changed, the dead code included."""
    changed = canonicalize_ops(graph, operators=operators, number_of=number_of)
    for node in graph.all_nodes():
        if node.kind == "aten::chunk":
            changed |= _take_apart(node, operators)
    return eliminate_dead_code(graph) or changed


def _take_apart(node: Node, operators: OperatorTable) -> bool:
    chunks, dim = constant_value(node.inputs[1]), constant_value(node.inputs[2])
    if not isinstance(chunks, int) or not isinstance(dim, int):
        return False
    parts = _parts(node, chunks)
    if parts is None:
        return False
    graph = node.graph
    made = graph.create(_CONSTANT_CHUNK, [node.inputs[0]], chunks, range=node.range)
    made.insert_before(node)
    made.set_attribute("chunks", chunks).set_attribute("dim", dim)
    made.operator = operators.find(_CONSTANT_CHUNK)
    for value, offset in parts:
        made.outputs[offset].set_type(value.type)
        value.replace_all_uses_with(made.outputs[offset])
    return True


def _parts(node: Node, chunks: int) -> list[tuple[Value, int]] | None:
    """The values that are chunks, each with its number; None if the list is used otherwise."""
    parts: list[tuple[Value, int]] = []
    for use in node.output.uses:
        user = use.node
        if user.kind == prim.ListUnpack and len(user.outputs) == chunks:
            parts += [(value, offset) for offset, value in enumerate(user.outputs)]
            continue
        index = constant_value(user.inputs[1]) if user.kind == "aten::select" else None
        if not isinstance(index, int) or use.offset != 0 or not 0 <= index < chunks:
            return None
        parts.append((user.output, index))
    return parts
