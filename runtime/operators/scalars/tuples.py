"""Tuples: taking them apart. Making one, and slicing one, is an instruction (see
`runtime.execution.node_kernels`).
"""

from __future__ import annotations

from typing import Any

from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import operator


@operator("prim::TupleIndex(Any tup, int i) -> Any")
def tuple_index(tup: tuple[Any, ...], i: int) -> Any:
    try:
        return tup[i]
    except IndexError:
        raise ScriptError("RuntimeError", "Tuple index out of range") from None


@operator("prim::TupleUnpack(Any tup) -> ...")
def tuple_unpack(tup: tuple[Any, ...]) -> Any:
    """The elements as several results; one alone is a single result."""
    return tup[0] if len(tup) == 1 else tup
