"""Native code of a group for arguments of one kind: their dtypes, shapes and strides, and types of numbers."""

from __future__ import annotations

from array import array as words
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from tsc.runtime.native.interpreter import WORD, address_of, builtin_function
from tsc.runtime.native.kernel_library import KernelFunction, entry_library, library_of
from tsc.runtime.native.object_layout import object_layout
from tsc.runtime.native.parallel_rows import run_in_parts, worthwhile_parts
from tsc.runtime.native.recorded_group import RecordedGroup
from tsc.runtime.values.tensor import Tensor

_REFUSALS: Final = (Error, ArithmeticError, LookupError, TypeError, ValueError, MemoryError)
_LARGE: Final = 1 << 14
"""Elements from which on other threads of Python may run meanwhile."""


@dataclass(frozen=True, slots=True)
class _LoadedKernel:
    """A kernel in memory, the words that tell its layout, and where its arrays begin among those of all kernels."""

    function: Any
    layout: int
    extent: int
    first: int
    elements: int


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
        self._kernels = self._loaded(kernels)
        self._makers = [_maker(group.array(value)) for value in group.graph.outputs]
        self.is_large = any(each.elements >= _LARGE for each in kernels)
        table = self._table(kernels, inputs, recording)
        self.enter = builtin_function(entry_library(layout).address("entry"), table)

    def results(self, inputs: Sequence[Any]) -> Any:
        """What the group returns; None for other inputs than it was made for."""
        made = [make() for make in self._makers]
        enter = self._enter_large if self.is_large else self.enter
        if not enter(*inputs, *made):
            return None
        return Tensor(made[0]) if len(made) == 1 else tuple([Tensor(each) for each in made])

    def _enter_large(self, *arguments: Any) -> bool:
        """The same as `enter`; the kernels run on several cores, and while other threads do."""
        buffer = np.empty(self._points + len(arguments), np.int64)
        if not self.enter(*arguments, buffer):
            return False
        pointers = buffer.ctypes.data
        numbers = pointers + WORD * self._points
        for each in self._kernels:
            parts = worthwhile_parts(each.extent, each.elements)
            begin = pointers + WORD * each.first
            run_in_parts(each.function, begin, each.layout, each.extent, numbers, parts)
        return True

    # -- What the door finds ---------------------------------------------------------------------

    def _loaded(self, kernels: Sequence[Kernel]) -> list[_LoadedKernel]:
        loaded: list[_LoadedKernel] = []
        first = 0
        for kernel in kernels:
            library = library_of(kernel.text)
            self._held.append(library)
            function = KernelFunction(library.address(kernel.name))
            layout = self._kept(kernel.space.layout())
            extent = kernel.space.extents[0]
            loaded.append(_LoadedKernel(function, layout, extent, first, kernel.elements))
            first += len(kernel.sources)
        return loaded

    def _kept(self, numbers: Sequence[int]) -> int:
        """Where these words lie in memory."""
        made = words("q", numbers)
        self._held.append(made)
        return made.buffer_info()[0]

    def _table(self, kernels: Sequence[Kernel], inputs: Sequence[Any], recording: bool) -> bytes:
        input_rows = [word for each in inputs for word in self._input_row(each, recording)]
        sources = [each for kernel in kernels for each in kernel.sources]
        pointer_rows = [word for each in sources for word in self._pointer_row(each, len(inputs))]
        kernel_rows: list[int] = []
        for each in self._kernels:
            kernel_rows += [address_of(each.function), each.layout, 0, each.extent, each.first]
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
