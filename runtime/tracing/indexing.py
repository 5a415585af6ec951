"""Indexing while a trace runs: ``x[1:, n]`` is a row of views, and what is left of the key an index.

As PyTorch's binding does it: integers select, slices slice, None makes a dimension; tensors, lists and masks
wait for the end. Numbers that are tensors stay what they are computed from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from tsc.runtime.context import trace_state
from tsc.runtime.tracing.recorder import Recorder

_LAST = sys.maxsize


class KeyReader:
    """Applies keys to tensors. `tensor_of` makes the tensor of a list, of numbers, or of a bool."""

    def __init__(self, recorder: Recorder, tensor_of: Callable[[Any], Any]) -> None:
        self._recorder = recorder
        self._is_tensor = recorder.library.is_tensor
        self._tensor_of = tensor_of

    def get(self, tensor: Any, key: Any) -> Any:
        """``tensor[key]``"""
        view, positions = self._viewed(tensor, key)
        if positions:
            return self._recorder.call("index", view, positions, overload="Tensor")
        return self._recorder.call("alias", view) if view is tensor else view

    def set(self, tensor: Any, key: Any, value: Any, value_tensor: Callable[[Any], Any]) -> None:
        """``tensor[key] = value``; `value_tensor` makes a tensor of a number."""
        source = value if self._is_tensor(value) else value_tensor(value)
        view, positions = self._viewed(tensor, key)
        call = self._recorder.call
        if positions:
            trimmed = _without_leading_ones(self._sizes(source))
            if len(trimmed) != len(self._sizes(source)):
                source = call("view", source, trimmed)
            call("index_put_", view, positions, source, False)
        elif len(self._sizes(source)) == 0 and len(self._sizes(view)) > 0:
            call("fill_", view, source, overload="Tensor")
        else:
            call("copy_", view, self._expanded(source, view), False)

    def _expanded(self, source: Any, view: Any) -> Any:
        if self._sizes(source) == self._sizes(view):
            return source
        trimmed = _without_leading_ones(self._sizes(source))
        call = self._recorder.call
        source = call("view", source, trimmed)
        if trimmed != list(self._sizes(view)):
            source = call("expand", source, list(self._sizes(view)), False)
        return source

    def _position(self, part: Any) -> Any:
        return self._tensor_of([part] if isinstance(part, bool) else part)

    def _sizes(self, tensor: Any) -> tuple[int, ...]:
        with trace_state.paused():
            return tuple(tensor.shape)

    def _viewed(self, tensor: Any, key: Any) -> tuple[Any, list[Any]]:
        """The basic part of a key applied, and the tensors left for ``aten::index``."""
        parts = _parts(key, self._is_tensor)
        consumed = sum(self._consumed(part) for part in parts)
        view, dimension = tensor, 0
        positions: list[Any] = []
        for part in parts:
            if part is Ellipsis:
                dimension += len(self._sizes(tensor)) - consumed
                continue
            if part is None:
                view = self._recorder.call("unsqueeze", view, dimension)
            elif isinstance(part, slice):
                view = self._sliced(view, dimension, part)
            elif self._is_number(part):
                view = self._recorder.call("select", view, dimension, _index(part), overload="int")
                continue
            else:
                if isinstance(part, bool):
                    view = self._recorder.call("unsqueeze", view, dimension)
                position = part if self._is_tensor(part) else self._position(part)
                positions += [None] * (dimension - len(positions)) + [position]
                dimension += self._consumed(part) or 1
                continue
            dimension += 1
        return view, positions

    def _sliced(self, view: Any, dimension: int, part: slice) -> Any:
        start = 0 if part.start is None else _index(part.start)
        stop = _LAST if part.stop is None else _index(part.stop)
        step = 1 if part.step is None else _index(part.step)
        return self._recorder.call("slice", view, dimension, start, stop, step, overload="Tensor")

    def _is_number(self, part: Any) -> bool:
        """An int, or a tensor that stands for one."""
        if self._is_tensor(part):
            return len(self._sizes(part)) == 0 and not _is_mask(part)
        return not isinstance(part, bool) and hasattr(part, "__index__")

    def _consumed(self, part: Any) -> int:
        """How many dimensions of the tensor a part of the key speaks of."""
        if part is None or part is Ellipsis or isinstance(part, bool):
            return 0
        if self._is_tensor(part) and _is_mask(part):
            return len(self._sizes(part))
        return 1


def _index(value: Any) -> Any:
    """An int; a tensor stays one."""
    return value if hasattr(value, "dtype") else value.__index__()


def _is_mask(tensor: Any) -> bool:
    return str(tensor.dtype) in ("torch.bool", "torch.uint8")


def _parts(key: Any, is_tensor: Callable[[Any], bool]) -> Sequence[Any]:
    if isinstance(key, tuple):
        return key
    if isinstance(key, list) and len(key) < 32 and any(_is_part(each, is_tensor) for each in key):
        return key
    return (key,)


def _is_part(element: Any, is_tensor: Callable[[Any], bool]) -> bool:
    """What makes a list a key of several parts rather than a list of numbers."""
    return (
        element is None
        or element is Ellipsis
        or isinstance(element, slice | list | tuple)
        or is_tensor(element)
    )


def _without_leading_ones(shape: Sequence[int]) -> list[int]:
    sizes = [int(each) for each in shape]
    while sizes and sizes[0] == 1:
        sizes.pop(0)
    return sizes
