"""What calls in exported graphs write, and where their results may lie in memory of their arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tsc.compiler.exir.arguments import Argument, leaves
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.schema import Aliasing, Effects, Operator, OperatorTable
from tsc.compiler.schema.argument import Argument as SchemaArgument

_GIVES_BACK: Final = frozenset(
    {"dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout"}
)
"""Operators that may return their first argument itself, though their schemas do not say so."""
_RATES: Final = ("dropout_p", "train", "training")
"""Arguments that say whether anything random is done."""
_STATISTICS: Final = slice(3, 5)
_TRAINING: Final = 5


def operator_of(node: Node, operators: OperatorTable) -> Operator | None:
    """What a node calls, if that is an operator that tsc has."""
    target = node.target
    if not isinstance(target, Target) or not target.is_operator:
        return None
    return operators.find(target.name, target.overload)


def bound_arguments(node: Node, operator: Operator) -> Iterator[tuple[SchemaArgument, Argument]]:
    """The arguments that a node gives, with what the schema says of them."""
    for place, argument in enumerate(operator.schema.arguments):
        if place < len(node.args):
            yield argument, node.args[place]
        elif argument.name in node.kwargs:
            yield argument, node.kwargs[argument.name]


def written_nodes(node: Node, operators: OperatorTable) -> list[Node]:
    """The arguments that a call writes to; a normalization in training writes to its statistics."""
    operator = operator_of(node, operators)
    if operator is None:
        return []
    given = list(bound_arguments(node, operator))
    written = [value for argument, value in given if argument.is_write]
    if operator.aliasing is Aliasing.WRITES_STATISTICS and given[_TRAINING][1]:
        written += [value for _, value in given[_STATISTICS]]
    return _nodes(written)


def shared_nodes(node: Node, operators: OperatorTable) -> list[Node]:
    """The arguments that a result may be, or may look into."""
    if node.target == GETITEM:
        return _nodes([node.args[0]])
    operator = operator_of(node, operators)
    if operator is None:
        return []
    if operator.name.rpartition("::")[2] in _GIVES_BACK:
        return _nodes([node.args[0]])
    if not any(each.alias_info is not None for each in operator.schema.returns):
        return []
    given = bound_arguments(node, operator)
    return _nodes([value for argument, value in given if argument.alias_info is not None])


def _nodes(arguments: list[Argument]) -> list[Node]:
    return [each for each in leaves(arguments) if isinstance(each, Node)]


def is_random(node: Node, operators: OperatorTable) -> bool:
    """Whether each call gives something else."""
    operator = operator_of(node, operators)
    if operator is None or operator.effects is not Effects.RANDOM:
        return False
    given = {argument.name: value for argument, value in bound_arguments(node, operator)}
    rates = [argument for argument in operator.schema.arguments if argument.name in _RATES]
    rate = given.get(rates[0].name, rates[0].default) if rates else None
    return rate not in (0, False) or isinstance(rate, Node)


def writes_inside(node: Node, module: GraphModule, operators: OperatorTable) -> bool:
    """Whether a graph that a node branches to, or repeats, writes to something or is random."""
    graphs = [module.modules.get(str(each.target)) for each in node.input_nodes]
    return any(
        written_nodes(each, operators)
        or is_random(each, operators)
        or writes_inside(each, inner, operators)
        for inner in graphs
        if inner is not None
        for each in inner.graph.nodes
    )
