"""Native code of a group for arguments of one kind: their dtypes, shapes and strides, and types of numbers."""

from __future__ import annotations

import ctypes
import functools
from array import array as words
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Graph
from tsc.compiler.source import Error
from tsc.runtime.arrays.array import Array
from tsc.runtime.native.fused_program import Kernel, kernels_of
from tsc.runtime.native.group_entry import (
    FLOAT,
    INTEGER,
    MOST_ARGUMENTS,
    MOST_POINTERS,
    PLAIN_TENSOR,
    TENSOR,
)
from tsc.runtime.native.instructions import NotLowered
from tsc.runtime.native.kernel_library import KernelFunction, entry_library, library_of
from tsc.runtime.native.object_layout import object_layout
from tsc.runtime.native.parallel_rows import run_in_parts, worthwhile_parts
from tsc.runtime.native.recorded_group import RecordedGroup
from tsc.runtime.values.tensor import Tensor

_FAST_CALL: Final = 0x80
_REFUSALS: Final = (Error, ArithmeticError, LookupError, TypeError, ValueError, MemoryError)
_LARGE: Final = 1 << 14
"""Elements from which on other threads of Python may run meanwhile."""


class _Definition(ctypes.Structure):
    """How CPython is told of a built-in function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


class GroupLaunch:
    """`enter` takes the arguments and the arrays for results; it says whether it has computed them."""

    __slots__ = ("_held", "_kernels", "_makers", "_points", "enter", "is_large")

    def __init__(self, group: RecordedGroup, inputs: Sequence[Any], *, recording: bool) -> None:
        """Of a group that has run with these inputs. Raises NotLowered."""
        layout = object_layout()
        kernels = kernels_of(group)
        self._points = sum(len(each.sources) for each in kernels)
        if layout is None or self._points > MOST_POINTERS:
            raise NotLowered
        if len(inputs) + len(group.graph.outputs) > MOST_ARGUMENTS:
            raise NotLowered
        self._held: list[Any] = []
        self._kernels = [self._loaded(each) for each in kernels]
        self._makers = [_maker(group.array(value)) for value in group.graph.outputs]
        self.is_large = any(each.elements >= _LARGE for each in kernels)
        table = self._table(kernels, inputs, recording)
        self.enter = _door(
            ctypes.addressof(_definition(entry_library(layout).address("entry"))), table
        )

    def results(self, inputs: Sequence[Any]) -> Any:
        """What the group returns; None for other inputs than it was made for."""
        made = [make() for make in self._makers]
        if self.is_large:
            return self._large(inputs, made)
        if not self.enter(*inputs, *made):
            return None
        return Tensor(made[0]) if len(made) == 1 else tuple([Tensor(each) for each in made])

    def _large(self, inputs: Sequence[Any], made: list[Array]) -> Any:
        """Kernels run while other threads do."""
        count = len(inputs)
        buffer = np.empty(self._points + count, np.int64)
        if not self.enter(*inputs, *made, buffer):
            return None
        pointers = buffer.ctypes.data
        numbers = pointers + 8 * self._points
        for function, layout, extent, first, elements in self._kernels:
            parts = worthwhile_parts(extent, elements)
            run_in_parts(function, pointers + 8 * first, layout, extent, numbers, parts)
        return (
            Tensor(made[0]) if count and len(made) == 1 else tuple([Tensor(each) for each in made])
        )

    # -- What the door finds ---------------------------------------------------------------------

    def _loaded(self, kernel: Kernel) -> tuple[Any, int, int, int, int]:
        library = library_of(kernel.text)
        self._held.append(library)
        layout = self._kept(kernel.space.layout())
        function = KernelFunction(library.address(kernel.name))
        return function, layout, kernel.space.extents[0], 0, kernel.elements

    def _kept(self, numbers: Sequence[int]) -> int:
        """Where these words lie in memory."""
        made = words("q", numbers)
        self._held.append(made)
        return made.buffer_info()[0]

    def _table(self, kernels: Sequence[Kernel], inputs: Sequence[Any], recording: bool) -> bytes:
        input_rows = [word for each in inputs for word in self._input_row(each, recording)]
        pointer_rows: list[int] = []
        kernel_rows: list[int] = []
        first = 0
        for k, (kernel, loaded) in enumerate(zip(kernels, self._kernels)):
            function, layout, extent, _, elements = loaded
            self._kernels[k] = (function, layout, extent, first, elements)
            address = ctypes.cast(function, ctypes.c_void_p).value
            kernel_rows += [address or 0, layout, 0, extent, first]
            pointer_rows += [
                word for each in kernel.sources for word in self._pointer_row(each, len(inputs))
            ]
            first += len(kernel.sources)
        counts = [len(inputs), len(self._makers), self._points, len(kernels)]
        rows = [self._kept(each) for each in (input_rows, pointer_rows, kernel_rows)]
        return words("q", [*counts, *rows]).tobytes()

    def _input_row(self, value: Any, recording: bool) -> list[int]:
        type = id(value.__class__)
        if not isinstance(value, Tensor):
            return [FLOAT if isinstance(value, float) else INTEGER, type, 0, 0, 0]
        a = value.array
        self._held.append(a.dtype)
        kind = PLAIN_TENSOR if recording else TENSOR
        return [kind, type, id(a.dtype), a.ndim, self._kept([*a.shape, *a.strides, 0])]

    def _pointer_row(self, source: Any, inputs: int) -> list[int]:
        if source.kind == "constant":
            self._held.append(source.constant)
            return [-1, source.constant.ctypes.data + source.bytes]
        owner = source.offset + (inputs if source.kind == "result" else 0)
        return [owner, source.bytes]


@functools.cache
def _definition(address: int) -> _Definition:
    """Kept for good: functions look at theirs when they are let go of."""
    return _Definition(b"fused", address, _FAST_CALL, None)


@functools.cache
def _make_function() -> Any:
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )


def _door(definition: int, table: bytes) -> Callable[..., bool]:
    """A built-in function whose own object is the table."""
    return _make_function()(definition, table, None)


def _maker(result: Array) -> Callable[[], Array]:
    """Makes an array that lies in memory as this one does."""
    empty, shape, dtype = np.empty, result.shape, result.dtype
    if result.flags.c_contiguous:
        return lambda: empty(shape, dtype)
    order = sorted(range(result.ndim), key=lambda axis: (-result.strides[axis], axis))
    inner = tuple(shape[axis] for axis in order)
    back = tuple(int(axis) for axis in np.argsort(order))
    return lambda: empty(inner, dtype).transpose(back)


def launch_of(graph: Graph, inputs: Sequence[Any], *, recording: bool) -> GroupLaunch | None:
    """The code of a group for inputs of one kind; None if there is none, or its operators refuse them."""
    try:
        return GroupLaunch(RecordedGroup(graph, inputs), inputs, recording=recording)
    except (NotLowered, *_REFUSALS):
        return None
