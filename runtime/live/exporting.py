"""``tsc.export``, which is two things: PyTorch's ``torch.export.export``, and the decorator ``torch.jit.export``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from tsc.runtime.exporting import capture
from tsc.runtime.live import markers


def export(
    program: Any,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    method: str = "forward",
    dynamic_shapes: Any = None,
    strict: bool = False,
) -> Any:
    """What a compiled function or module does with arguments like these, as an exported program.

    On a function alone, it is the decorator of ``torch.jit``: compile a method of a module though nothing calls it.
    The arguments and errors are those of `tsc.runtime.exporting.capture.export`.
    """
    if args is None and kwargs is None and _is_decorated(program):
        return markers.export(program)
    return capture.export(
        program, args or (), kwargs, method=method, dynamic_shapes=dynamic_shapes, strict=strict
    )


def _is_decorated(program: Any) -> bool:
    """Whether it is a function of Python, which is no compiled one."""
    return inspect.isroutine(program) or type(program) is property
