"""The cheapest way to run a node: what its operator offers where types and constants allow it."""

from __future__ import annotations

from tsc.compiler.ir import Node
from tsc.runtime.execution.node_kernels import Kernel, kernel_of


def fast_kernel(node: Node) -> Kernel:
    """The cheapest callable that does what a node does."""
    choose = None if node.operator is None else node.operator.fast_form
    chosen = None if choose is None else choose(node)
    return chosen or kernel_of(node)
