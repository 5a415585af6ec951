"""Values of samples as TorchScript text: tensors become arguments, all else literals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


class NotExpressible(Exception):
    """A value that no TorchScript literal can say: a callable, an object."""


_NAMED = ("dtype", "layout", "memory_format")  # their text is the name they have in TorchScript


@dataclass
class LiteralWriter:
    """Writes values as text, and collects the tensors in them as arguments ``x0``, ``x1``, …

    `typed` writes what a schema of floats and optional tensors wants: Python's bindings turn an int
    into a float, and a list of tensors into one of optional tensors; TorchScript does not.
    """

    is_tensor: Callable[[Any], bool]
    typed: bool = False
    tensors: list[Any] = field(default_factory=list)

    def text(self, value: Any) -> str:
        """The TorchScript expression for `value`.

        Raises:
            NotExpressible: a value that is neither a tensor nor a literal.
        """
        if self.is_tensor(value):
            self.tensors.append(value)
            return f"x{len(self.tensors) - 1}"
        if isinstance(value, tuple) and type(value).__name__ != "Size":
            return self._tuple(value)
        if isinstance(value, (list, tuple)):
            return self._list(value)
        if isinstance(value, slice):
            return self._slice(value)
        if self.typed and type(value) is int:
            return scalar_text(float(value))
        return scalar_text(value)

    def _slice(self, value: slice) -> str:
        parts = [value.start, value.stop, *([] if value.step is None else [value.step])]
        return ":".join("" if part is None else self.text(part) for part in parts)

    def _tuple(self, value: tuple[Any, ...]) -> str:
        if not value:
            return "torch.jit.annotate(List[int], [])"
        comma = "," if len(value) == 1 else ""
        return f"({', '.join(map(self.text, value))}{comma})"

    def _list(self, value: Any) -> str:
        if not value:
            return "torch.jit.annotate(List[int], [])"
        text = f"[{', '.join(map(self.text, value))}]"
        if self.typed and any(map(self.is_tensor, value)):
            return f"torch.jit.annotate(List[Optional[Tensor]], {text})"
        return text


def scalar_text(value: Any) -> str:
    """A number, string, None, Ellipsis, dtype, layout, memory format or device as text.

    Raises:
        NotExpressible: anything else.
    """
    if getattr(value, "shape", None) == ():  # a scalar of NumPy
        value = value.item()
    kind = type(value).__name__
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if value is Ellipsis:
        return "..."
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"float('{value}')"
    if isinstance(value, complex):
        return f"complex({scalar_text(value.real)}, {scalar_text(value.imag)})"
    if kind in _NAMED:
        return str(value)
    if kind == "device":
        return f"torch.device('{value}')"
    raise NotExpressible(f"a {kind} has no literal")
