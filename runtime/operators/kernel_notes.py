"""What kernels bear beside their code, for those who declare operators or derive further forms of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypedDict, TypeVar, Unpack

from tsc.compiler.schema import ScalarExpression

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


class Notes(TypedDict, total=False):
    """The names under which kernels bear them as attributes."""

    expression: ScalarExpression
    """Of a pointwise kernel: what it computes of one element."""
    functional: Callable[..., Any]
    """Of a kernel that is derived from another: that one."""
    plain: Callable[..., Any]
    """Of a kernel that arranges its results in memory: the one that leaves them as they were computed."""


def noted(kernel: Kernel, **notes: Unpack[Notes]) -> Kernel:
    """`kernel` itself, with `notes` as attributes."""
    vars(kernel).update(notes)
    return kernel
