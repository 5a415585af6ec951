"""Activations write into their input, where nobody else ever sees it."""

from __future__ import annotations

from typing import Final

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.schema import OperatorTable
from tsc.compiler.types import TensorType

ACTIVATIONS: Final[dict[str, bool]] = {
    **dict.fromkeys(("aten::sigmoid", "aten::tanh"), True),
    **dict.fromkeys(
        (
            *("aten::celu", "aten::elu", "aten::gelu", "aten::glu", "aten::hardshrink"),
            *("aten::hardsigmoid", "aten::hardswish", "aten::hardtanh", "aten::leaky_relu"),
            *("aten::prelu", "aten::relu6", "aten::relu", "aten::rrelu", "aten::selu"),
            "aten::silu",
        ),
        False,
    ),
}
"""Activations, and whether their result may be of another dtype than the input."""


def functional_to_inplace_activation(graph: Graph, *, operators: OperatorTable) -> bool:
    """Returns whether an activation was replaced."""
    changed = False
    aliases: AliasDb | None = None
    for node in graph.all_nodes():
        if node.kind not in ACTIVATIONS or f"{node.kind}_" not in operators:
            continue
        aliases = aliases or AliasDb(graph)
        if _may_write(node, aliases):
            _replace(node, operators)
            changed = True
    return changed


def _may_write(node: Node, aliases: AliasDb) -> bool:
    value = node.inputs[0]
    if ACTIVATIONS[node.kind] and not _same_dtype(value, node.output):
        return False
    return value.use_count == 1 and is_only_its_nodes(value, aliases)


def _same_dtype(a: Value, b: Value) -> bool:
    if not isinstance(a.type, TensorType) or not isinstance(b.type, TensorType):
        return False
    return a.type.dtype is not None and a.type.dtype == b.type.dtype


def is_only_its_nodes(value: Value, aliases: AliasDb) -> bool:
    """Whether a value is new memory, made by a node that does nothing else."""
    node = value.node
    if node.blocks or node.has_attribute("Subgraph") or has_side_effects(node):
        return False
    if node.kind in (prim.Param, prim.Constant):
        return False
    if node.kind == prim.ListConstruct:
        return True
    return not any(aliases.may_contain_alias(each, value) for each in node.inputs)


def _replace(node: Node, operators: OperatorTable) -> None:
    value = node.inputs[0]
    overload = "" if node.operator is None else node.operator.overload_name
    made = node.graph.create(f"{node.kind}_", node.inputs, range=node.range).insert_before(node)
    made.operator = operators.find(f"{node.kind}_", overload)
    made.output.copy_metadata(node.output)
    node.output.replace_all_uses_with(value)
    node.destroy()
