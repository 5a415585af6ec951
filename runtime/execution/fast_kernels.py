"""The cheapest way to run a node: what its operator offers where types and constants allow it."""

from __future__ import annotations

from tsc.compiler.ir import Node
from tsc.compiler.schema import Operator
from tsc.runtime.execution.node_kernels import Kernel, kernel_of
from tsc.runtime.operators.fast_forms import FastForm, form_on_numbers


def fast_kernel(node: Node) -> Kernel:
    """The cheapest callable that does what a node does."""
    choose = None if node.operator is None else _fast_form(node.operator)
    chosen = None if choose is None else choose(node)
    return chosen or kernel_of(node)


def _fast_form(operator: Operator) -> FastForm | None:
    """The one that is declared, or the one that follows from what is computed."""
    if operator.fast_form is not None or operator.expression is None:
        return operator.fast_form
    return form_on_numbers(operator.expression)
