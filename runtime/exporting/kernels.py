"""Runs the kernel of a node, and has its failures be those of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tsc.compiler.ir import Node
from tsc.compiler.source import Error
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.node_kernels import kernel_of


def run_kernel(node: Node, values: Sequence[Any]) -> Any:
    """What a node gives on these values. Raises `ScriptError` where it fails."""
    try:
        with np.errstate(all="ignore"):
            return kernel_of(node)(*values)
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        if isinstance(error, Error):
            raise
        raise ScriptError("RuntimeError", f"{node.kind}: {error}") from error
