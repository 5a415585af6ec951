"""Calls of lowered modules: each is an operator of its own."""

from __future__ import annotations

from tsc.compiler.exir.delegation.lowered_module import LoweredModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.translation.scope import Scope, Translated, TranslationError, arguments_of


def translate_delegate(scope: Scope, node: Node) -> Translated:
    """``executorch_call_delegate(lowered_module, *operands)``: its results, as several values."""
    lowered, *operands = arguments_of(node, 1)
    module = scope.subgraph(lowered)
    if not isinstance(module, LoweredModule):
        raise TranslationError(f"{node.name} calls a graph that was given to no backend")
    returns = module.operator.schema.returns
    inputs = [scope.value(each) for each in operands]
    call = scope.graph.insert_node(scope.graph.create(module.operator, inputs, len(returns)))
    for output, each in zip(call.outputs, returns, strict=True):
        output.set_type(each.type)
    return list(call.outputs)
