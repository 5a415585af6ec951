"""Operators in groups that read and write memory: each is a step of its own, of one or several kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tsc.compiler.ir import Node, Value
from tsc.runtime.native.fusion.group_kernel import Kernel
from tsc.runtime.native.fusion.products import MULTIPLYING, is_product, multiplied, product_kernels
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.windows import (
    CONVOLVING,
    POOLING,
    convolution_kernels,
    convolved,
    is_convolution,
    is_pooling,
    pooled,
    pooling_kernels,
)


@dataclass(frozen=True, slots=True)
class MemoryStep:
    """Whether a node of the kind is one, the tensors that it reads, and its kernels."""

    takes: Callable[[Node], bool]
    operands: Callable[[Node, RecordedGroup], list[Value]]
    kernels: Callable[[Node, RecordedGroup], list[Kernel]]


_STEPS: Final = {
    **dict.fromkeys(MULTIPLYING, MemoryStep(is_product, multiplied, product_kernels)),
    **dict.fromkeys(CONVOLVING, MemoryStep(is_convolution, convolved, convolution_kernels)),
    **dict.fromkeys(POOLING, MemoryStep(is_pooling, pooled, pooling_kernels)),
}
"""By the kinds of nodes."""


def memory_step(node: Node) -> MemoryStep | None:
    """How a node is run; None if it is no such step."""
    found = _STEPS.get(node.kind)
    return found if found is not None and found.takes(node) else None
