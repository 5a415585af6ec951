"""Running single nodes on constants, for the compiler's constant propagation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from numpy import errstate

from tsc.compiler.ir import Node
from tsc.compiler.source import Error
from tsc.runtime.execution.node_kernels import has_kernel, kernel_of
from tsc.runtime.execution.predicted_sizes import predicted_size
from tsc.runtime.execution.tracebacks import note_operator

_LARGEST: Final = 1 << 20
"""Bytes of a text or container that is worth to be made beforehand."""


def evaluate(node: Node, inputs: Sequence[object]) -> list[object] | None:
    """The outputs of a node for these inputs, or None when it raises or nothing here can run it."""
    if node.blocks or not has_kernel(node):
        return None
    if predicted_size(node.kind, inputs) > _LARGEST:
        return None  # made when the program runs, under the limits of that
    try:
        with errstate(all="ignore"):
            result = kernel_of(node)(*inputs)
    except (Error, ArithmeticError, LookupError, TypeError, ValueError, MemoryError):
        return None
    except AttributeError:
        return None  # in a branch that is never taken, a value may be of another type than it says
    except Exception as error:
        note_operator(error, node)
        raise
    if len(node.outputs) == 1:
        return [result]
    return list(result) if node.outputs else []
