"""Native code of a group for arguments of one kind: dtypes, shapes and strides, types of numbers, and truths."""

from __future__ import annotations

from array import array as words
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.lib.array_utils import byte_bounds

from tsc.compiler.ir import Graph, Value
from tsc.compiler.source import Error
from tsc.runtime.arrays.array import Array
from tsc.runtime.native.code.interpreter import WORD, address_of, builtin_function
from tsc.runtime.native.code.kernel_library import function_of
from tsc.runtime.native.code.object_layout import object_layout
from tsc.runtime.native.code.parallel_rows import WithScratch, run_in_parts, worthwhile_parts
from tsc.runtime.native.expressions.instructions import NotLowered
from tsc.runtime.native.fusion.arena import Arena, check_dense
from tsc.runtime.native.fusion.group_entry import (
    FLOAT,
    INPUT_WORDS,
    INTEGER,
    JUST_THIS,
    MOST_ARGUMENTS,
    MOST_POINTERS,
    PLAIN_TENSOR,
    TENSOR,
    THIS_INTEGER,
    WRITTEN_PLAIN,
    WRITTEN_TENSOR,
    entry_library,
)
from tsc.runtime.native.fusion.group_kernel import Kernel, Scratch, Source, address_of_array
from tsc.runtime.native.fusion.in_place import Related, Relation
from tsc.runtime.native.fusion.recorded_group import RecordedGroup
from tsc.runtime.native.fusion.refused import Refused
from tsc.runtime.native.fusion.scheduled_kernels import kernels_of
from tsc.runtime.native.fusion.shaping_inputs import shaping_inputs
from tsc.runtime.values.tensor import Tensor

_REFUSALS: Final = (Error, ArithmeticError, LookupError, TypeError, ValueError, MemoryError)
_ADDRESS: Final = -1
"""In place of an argument: the place is an address."""
_LARGE: Final = 1 << 14
"""Elements from which on other threads of Python may run meanwhile."""
_MUCH: Final = 1 << 17
"""The same, of work that is done in registers."""


@dataclass(frozen=True, slots=True)
class _LoadedKernel:
    """A kernel in memory, the words that tell its layout, and where its arrays begin among those of all kernels."""

    function: Any
    layout: int
    extent: int
    first: int
    work: int
    shared: Any
    """What several threads call."""


class GroupLaunch:
    """`enter` takes the arguments and the arrays for results; it says whether it has computed them.

    `following` is the code that is expected to be called next; `results` gives what the group returns, or None for
    other inputs than it was made for.
    """

    __slots__ = (
        *("_given", "_held", "_kernels", "_makers", "_points"),
        *("enter", "following", "is_large", "results"),
    )

    def __init__(self, group: RecordedGroup, inputs: Sequence[Any], *, recording: bool) -> None:
        """Of a group that has run with these inputs. Raises NotLowered."""
        layout = object_layout()
        kernels, stores = kernels_of(group), group.unwritten.stores
        outputs = [value for value in group.graph.outputs if value not in stores]
        absent = [value for value in outputs if group.value(value) is None]
        outputs = [value for value in outputs if value not in absent]
        self._points = sum(len(each.sources) for each in kernels)
        if layout is None or self._points > MOST_POINTERS:
            raise NotLowered
        if len(inputs) + len(outputs) >= MOST_ARGUMENTS or len(set(outputs)) < len(outputs):
            raise NotLowered
        self.following = self
        self._held: list[Any] = []
        self._kernels = self._loaded(kernels)
        self._makers = [_maker(group.array(value)) for value in outputs]
        self._given = _places_of_results(group, absent)
        self.is_large = any(each.elements >= _LARGE or each.work >= _MUCH for each in kernels)
        places = self._places(group, outputs, Arena(group, kernels))
        table = self._table(group, kernels, places, inputs, recording)
        self.enter = builtin_function(entry_library(layout).address("entry"), table)
        self.results = self._results_of_call()

    def _results_of_call(self) -> Callable[[Sequence[Any]], Any]:
        """What gives the results for inputs, or None for others than the code was made for; the usual cases have as few
        steps as can be.
        """
        if self.is_large or len(self._given) != 1:
            return self._any_results
        enter, place = self.enter, self._given[0]
        if place is not None:
            return lambda inputs: inputs[place] if enter(*inputs) else None
        make = self._makers[0]

        def new_tensor(inputs: Sequence[Any]) -> Tensor | None:
            made = make()
            return Tensor(made) if enter(*inputs, made) else None

        return new_tensor

    def _any_results(self, inputs: Sequence[Any]) -> Any:
        made = [make() for make in self._makers]
        enter = self._enter_large if self.is_large else self.enter
        if not enter(*inputs, *made):
            return None
        new = iter(made)
        given = (*inputs, None)
        results = [Tensor(next(new)) if number is None else given[number] for number in self._given]
        return results[0] if len(results) == 1 else tuple(results)

    def _enter_large(self, *arguments: Any) -> bool:
        """The same as `enter`; the kernels run on several cores, and while other threads do."""
        buffer = np.empty(self._points + 1 + len(arguments), np.int64)
        if not self.enter(*arguments, buffer):
            return False
        pointers = buffer.ctypes.data
        numbers = pointers + WORD * (self._points + 1)
        for each in self._kernels:
            parts = worthwhile_parts(each.extent, each.work)
            begin = pointers + WORD * each.first
            run_in_parts(each.shared, begin, each.layout, each.extent, numbers, parts)
            if buffer[self._points]:
                return False
        return True

    # -- What the door finds ---------------------------------------------------------------------

    def _loaded(self, kernels: Sequence[Kernel]) -> list[_LoadedKernel]:
        loaded: list[_LoadedKernel] = []
        first = 0
        for kernel in kernels:
            function = function_of(kernel.text, kernel.name)
            layout, extent = self._kept(kernel.layout), kernel.extent
            work = max(kernel.elements, kernel.work) if kernel.has_parts else 0
            shared = function
            if kernel.apart is not None:
                shared = WithScratch(
                    function_of(kernel.text, kernel.apart.name), kernel.apart.bytes
                )
            loaded.append(_LoadedKernel(function, layout, extent, first, work, shared))
            first += len(kernel.sources)
        return loaded

    def _kept(self, numbers: Sequence[int]) -> int:
        """Where these words lie in memory."""
        made = words("q", numbers)
        self._held.append(made)
        return made.buffer_info()[0]

    def _places(
        self, group: RecordedGroup, outputs: Sequence[Value], arena: Arena
    ) -> Callable[[Source], list[int]]:
        """What gives the words for a place: the argument or new array, and how many bytes from its beginning."""
        owners: dict[Value | Scratch, tuple[int, int]] = {
            value: (owner, 0) for owner, value in enumerate((*group.inputs, *outputs))
        }
        if arena.bytes:
            owner, begin = self._arena_owner(arena.bytes, len(owners))
            owners |= {value: (owner, begin + place) for value, place in arena.places.items()}

        def words_of(source: Source) -> list[int]:
            found = owners.get(source.value)
            if found is None:
                assert not isinstance(source.value, Scratch)
                found = self._constant(group.array(source.value))
            return [found[0], found[1] + source.bytes]

        return words_of

    def _arena_owner(self, bytes: int, arguments: int) -> tuple[int, int]:
        """While other threads run, each call has memory of its own."""
        if self.is_large:
            self._makers.append(lambda: np.empty(bytes, np.uint8))
            return arguments, 0
        return self._constant(np.empty(bytes, np.uint8))

    def _constant(self, array: Array) -> tuple[int, int]:
        self._held.append(array)
        return _ADDRESS, array.ctypes.data

    def _table(
        self,
        group: RecordedGroup,
        kernels: Sequence[Kernel],
        places: Callable[[Source], list[int]],
        inputs: Sequence[Any],
        recording: bool,
    ) -> bytes:
        unwritten = group.unwritten
        input_rows = [word for each in inputs for word in self._input_row(each, recording)]
        for number in shaping_inputs(group.whole):
            input_rows[number * INPUT_WORDS] = THIS_INTEGER
            input_rows[number * INPUT_WORDS + 2] = inputs[number]
        for number in unwritten.written:
            input_rows[number * INPUT_WORDS] = WRITTEN_PLAIN if recording else WRITTEN_TENSOR
        pair_rows = [word for each in unwritten.relations for word in _pair_row(each, inputs)]
        sources = [each for kernel in kernels for each in kernel.sources]
        pointer_rows = [word for each in sources for word in places(each)]
        kernel_rows: list[int] = []
        for each in self._kernels:
            kernel_rows += [address_of(each.function), each.layout, 0, each.extent, each.first]
        counts = [len(inputs), len(self._makers), self._points, len(kernels)]
        rows = [self._kept(each) for each in (input_rows, pointer_rows, kernel_rows, pair_rows)]
        return words("q", [*counts, *rows, len(unwritten.relations)]).tobytes()

    def _input_row(self, value: Any, recording: bool) -> list[int]:
        type = id(value.__class__)
        if value is None or isinstance(value, bool):
            return [JUST_THIS, type, id(value), 0, 0]
        if not isinstance(value, Tensor):
            return [FLOAT if isinstance(value, float) else INTEGER, type, 0, 0, 0]
        a = value.array
        self._held.append(a.dtype)
        kind = PLAIN_TENSOR if recording else TENSOR
        return [kind, type, id(a.dtype), a.ndim, self._kept([*a.shape, *a.strides, 0])]


def _places_of_results(group: RecordedGroup, absent: Sequence[Value]) -> list[int | None]:
    """For each result the number of the argument that it is, None for a new tensor, and -1 where it is None. Raises
    NotLowered where the first one is: that says that there is nothing.
    """
    new = (value for value in group.graph.outputs if value not in group.unwritten.stores)
    places = [
        (-1 if next(new) in absent else None) if number is None else number
        for number in group.unwritten.given
    ]
    if places[0] == -1:
        raise NotLowered
    return places


def _pair_row(related: Related, inputs: Sequence[Any]) -> list[int]:
    """Two arguments, whether they are one, and the bytes before and behind the first element of each."""
    row = [related.written, related.other, related.kind is Relation.SAME]
    for number in (related.written, related.other):
        array: Array = inputs[number].array
        begin = address_of_array(array)
        row += [each - begin for each in byte_bounds(array)]
    return row


def _maker(result: Array) -> Callable[[], Array]:
    """Makes an array that lies in memory as this one does. Raises NotLowered for one that is a part of another."""
    check_dense(result)
    empty, shape, dtype = np.empty, result.shape, result.dtype
    if result.flags.c_contiguous:
        return partial(empty, shape, dtype)
    order = sorted(range(result.ndim), key=lambda axis: (-result.strides[axis], axis))
    inner = tuple(shape[axis] for axis in order)
    back = tuple(int(axis) for axis in np.argsort(order))
    return lambda: empty(inner, dtype).transpose(back)


def launch_of(graph: Graph, inputs: Sequence[Any], *, recording: bool) -> GroupLaunch | Refused:
    """The code of a group for inputs of one kind; or why there is none: its operators may refuse them, too."""
    try:
        return _launch_of_recorded(RecordedGroup(graph, inputs), inputs, recording=recording)
    except NotLowered as refused:
        return Refused(refused.kind)
    except _REFUSALS:
        return Refused()


def _launch_of_recorded(
    group: RecordedGroup, inputs: Sequence[Any], *, recording: bool
) -> GroupLaunch:
    """What is recorded is needed no more once there is code, or none."""
    try:
        return GroupLaunch(group, inputs, recording=recording)
    finally:
        group.forget()
