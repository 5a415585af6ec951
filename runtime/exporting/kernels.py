"""Runs the kernel of a node on what PyTorch would run it on; its failures are those of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tsc.compiler.ir import Node, prim
from tsc.compiler.passes.canonicalize_ops import OVERLOADS
from tsc.compiler.schema import Operator
from tsc.compiler.source import Error
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.node_kernels import kernel_of
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor


def with_number(node: Node, operator: Operator, values: Sequence[Any]) -> Sequence[Any]:
    """The values with a number in place of a constant of no dimensions, as sums and products take it.

    So PyTorch runs them (its pass CanonicalizeOps): numbers of traced programs do not take part in finding dtypes.
    """
    if operator.qualified_name not in OVERLOADS or node.inputs[1].node.kind != prim.Constant:
        return values
    first, second, *others = values
    is_number = isinstance(second, Tensor) and second.array.ndim == 0
    return [first, second.item(), *others] if is_number else values


def run_kernel(node: Node, values: Sequence[Any]) -> Any:
    """What a node gives on these values. Raises `ScriptError` where it fails."""
    try:
        with np.errstate(all="ignore"):
            return _kernel(node, values)(*values)
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        if isinstance(error, Error):
            raise
        raise ScriptError("RuntimeError", f"{node.kind}: {error}") from error


def _kernel(node: Node, values: Sequence[Any]) -> Callable[..., Any]:
    """That of the node, or of the same operator on a number."""
    name = node.operator.qualified_name if node.operator else ""
    if name not in OVERLOADS or isinstance(values[1], Tensor):
        return kernel_of(node)
    found = load().find(*OVERLOADS[name].split("."))
    assert found is not None
    return cast("Callable[..., Any]", found.kernel)
