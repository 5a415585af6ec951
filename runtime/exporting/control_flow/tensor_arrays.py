"""Lists of which data tells how long they are: what a loop or branch that data decides puts in, or takes out.

Such a list holds one thing, a `TensorArray`: its elements, stacked along a new first dimension. So it stays the list
that the program knows, and what is asked of it is asked of the tensor. Elements are tensors of one size, or numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of
from tsc.runtime.arrays.dtypes import CODE_OF_NUMPY, DTYPE_OF_CODE
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.wide_numbers import like, number_in, tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber, TensorArray, hinted
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

_END: Final = (1 << 63) - 1
_PROTOTYPES: Final[dict[type, Any]] = {int: 0, float: 0.0, bool: False}
_HOLDING: Final = frozenset(
    {
        *("prim::TupleConstruct", "prim::ListConstruct", "prim::DictConstruct"),
        *("prim::unchecked_cast", "aten::_unwrap_optional", "aten::__is__", "aten::__isnot__"),
    }
)
"""They do not ask what a list holds."""


@dataclass(frozen=True, slots=True)
class ElementForm:
    """What elements of a list are: their type, dtype and sizes, of which some may be symbols."""

    kind: type
    dtype: np.dtype[Any]
    sizes: tuple[Any, ...]


# -- Lists that become such ------------------------------------------------------------------------


def array_in(value: Any) -> TensorArray | None:
    """What a list holds whose length data tells; None for anything else."""
    if isinstance(value, list) and len(cast("list[Any]", value)) == 1:
        (held,) = cast("list[Any]", value)
        return held if isinstance(held, TensorArray) else None
    return None


def form_of_elements(
    elements: Sequence[Any], known: Callable[[Tensor], FakeTensor]
) -> ElementForm | None:
    """The form of the first element of a list; None if it has none, or one of another type."""
    array = array_in(elements)
    if array is not None:
        return ElementForm(array.kind, array.stacked.array.dtype, known(array.stacked).size[1:])
    kind = _kind(elements[0]) if elements else None
    if kind is None:
        return None
    if kind is not Tensor:
        return ElementForm(kind, np.array(kind()).dtype, ())
    return ElementForm(kind, elements[0].array.dtype, known(elements[0]).size)


def array_of_elements(
    recorder: Recorder, elements: Sequence[Any], form: ElementForm
) -> TensorArray | None:
    """The elements of a list as such; None if they are unlike each other, or a size is known only in a branch."""
    if not elements:
        return _empty(recorder, form)
    if any(_kind(each) is not form.kind for each in elements):
        return None
    parts: list[Tensor] = [tensor_of(recorder, each) for each in elements]
    model = parts[0].array
    if any(e.array.shape != model.shape or e.array.dtype != form.dtype for e in parts):
        return None
    stacked = np.stack([each.array for each in parts])
    return array_with_sources(
        recorder, recorder.run("aten::stack", "", [parts, 0], stacked), form.kind, parts
    )


def _empty(recorder: Recorder, form: ElementForm) -> TensorArray | None:
    for each in form.sizes:
        if isinstance(each, SymValue) and not recorder.size_nodes.is_known(each):
            return None
    found = np.zeros((0, *map(hint_of, form.sizes)), form.dtype)
    values = [[0, *form.sizes], 0, CODE_OF_NUMPY[form.dtype]]
    return TensorArray(recorder.run("aten::full", "", values, found), form.kind)


def _kind(value: Any) -> type | None:
    if isinstance(value, Tensor):
        return Tensor
    if isinstance(value, bool | Condition):
        return bool
    held = hint_of(value.hint if isinstance(value, DataNumber) else value)
    return type(held) if isinstance(held, int | float) else None


def array_with_sources(
    recorder: Recorder, stacked: Tensor, kind: type, sources: Iterable[Tensor]
) -> TensorArray:
    """Elements that are copies of what `sources` hold, writes to which must not be missed; numbers have none."""
    found = TensorArray(stacked, kind, tuple(sources) if kind is Tensor else ())
    for each in found.sources:
        recorder.separations.note(stacked, each)
    return found


# -- What is asked of them ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """A list with its elements, of which a node asks something."""

    recorder: Recorder
    elements: list[Any]
    array: TensorArray

    @property
    def stacked(self) -> Tensor:
        return self.array.stacked

    @property
    def is_tried(self) -> bool:
        """Whether a branch or loop is captured that this run may not take: a list may be empty in it."""
        return bool(self.recorder.inside) and not self.stacked.array.size

    def run(self, name: str, overload: str, values: Sequence[Any], found: np.ndarray) -> Tensor:
        return self.recorder.run(name, overload, values, found)

    def held(self, tensor: Tensor, *added: Tensor) -> TensorArray:
        """Other elements, made of these, and of some more."""
        sources = (*self.array.sources, self.stacked, *added)
        return array_with_sources(self.recorder, tensor, self.array.kind, sources)

    def hold(self, tensor: Tensor, *added: Tensor) -> list[Any]:
        """Have others in the list."""
        self.elements[:] = [self.held(tensor, *added)]
        return self.elements

    def element_of(self, value: Any) -> Tensor:
        """An element to be, of the form of the others. Raises `ExportError`."""
        tensor, model = tensor_of(self.recorder, value), self.stacked.array
        if _kind(value) is not self.array.kind or tensor.array.dtype != model.dtype:
            raise refused("of one dtype")
        if tensor.array.shape != model.shape[1:]:
            raise refused("of one size")
        if self.recorder.is_taken_over(tensor):
            raise refused("that nobody writes to in the loop: give it a clone()")
        return tensor

    def as_element(self, tensor: Tensor) -> Any:
        return like(self.recorder, _PROTOTYPES.get(self.array.kind), tensor)

    def slice(self, start: Any, end: Any, step: int = 1) -> Tensor:
        found = self.stacked.array[hinted(start) : hinted(end) : step]
        return self.run("aten::slice", "Tensor", [self.stacked, 0, start, end, step], found)


_Answer: TypeAlias = "Callable[..., Any]"


def answer_of_array(recorder: Recorder, kind: str, values: Sequence[Any]) -> Any:
    """What a node gives for such a list. Raises `ExportError` for what cannot be asked of one."""
    array = array_in(values[0])
    answer = None if array is None else ANSWERS.get(kind)
    if array is None or answer is None:
        raise ExportError(
            f"{kind} takes a list of which data tells how long it is",
            hint="make a tensor of it, with torch.stack, torch.cat or torch.tensor, and go on with that",
            refusal=refusals.CHANGED_OUTSIDE,
        )
    return answer(_Asked(recorder, values[0], array), *values[1:])


def asks_array(kind: str, values: Sequence[Any]) -> bool:
    """Whether a node asks what such a list holds."""
    return kind not in _HOLDING and any(array_in(each) is not None for each in values)


def refused(which: str) -> ExportError:
    """Of elements that are unlike the others."""
    return ExportError(
        f"data decides how long a list is: it can hold elements {which}",
        hint="give the elements one form, or write into a tensor that has room for all turns",
        refusal=refusals.CHANGED_OUTSIDE,
    )


def _append(asked: _Asked, value: Any) -> list[Any]:
    element = asked.element_of(value)
    return asked.hold(_joined(asked, [asked.stacked, _row(asked, element)]), element)


def _insert(asked: _Asked, index: Any, value: Any) -> None:
    if index != 0:
        raise refused("put in at its beginning or end")
    element = asked.element_of(value)
    asked.hold(_joined(asked, [_row(asked, element), asked.stacked]), element)


def _extend(asked: _Asked, others: list[Any]) -> list[Any]:
    added = _array_like(asked, others)
    if added is None:
        return asked.elements
    sources = (*added.sources, added.stacked)
    return asked.hold(_joined(asked, [asked.stacked, added.stacked]), *sources)


def _sum_of_lists(asked: _Asked, others: list[Any]) -> list[Any]:
    return _extend(_Asked(asked.recorder, [asked.array], asked.array), others)


def _array_like(asked: _Asked, others: list[Any]) -> TensorArray | None:
    found = array_in(others)
    if found is not None or not others:
        return found
    for each in others:
        asked.element_of(each)
    known = asked.recorder.known(asked.stacked)
    form = ElementForm(asked.array.kind, asked.stacked.array.dtype, known.size[1:])
    return array_of_elements(asked.recorder, others, form)


def _row(asked: _Asked, element: Tensor) -> Tensor:
    return asked.run("aten::unsqueeze", "", [element, 0], element.array[None])


def _joined(asked: _Asked, parts: list[Tensor]) -> Tensor:
    found = np.concatenate([each.array for each in parts])
    return asked.run("aten::cat", "", [parts, 0], found)


def _length(asked: _Asked) -> Any:
    sizes = asked.recorder.sizes
    size = asked.recorder.known(asked.stacked).size[0]
    return size if sizes is None else sizes.plain(size)


def _element(asked: _Asked, index: Any) -> Any:
    count, place = len(asked.stacked.array), int(hinted(index))
    if not -count <= place < count and not (asked.is_tried and isinstance(index, DataNumber)):
        raise ScriptError("IndexError", "list index out of range")
    if not count and isinstance(index, DataNumber):
        return _element_of_none(asked, index)
    select = load().find("aten::select", "int")
    assert select is not None
    made = Tensor(asked.stacked.array[place, ...])
    asked.recorder.call(select, [asked.stacked, 0, index], made)
    for each in asked.array.sources:
        asked.recorder.separations.note(made, each)
    return asked.as_element(made)


def _element_of_none(asked: _Asked, index: DataNumber) -> Any:
    """An element in a turn that this run does not take, as the list is empty: one that other runs have."""
    model, held = asked.stacked.array, tensor_of(asked.recorder, index)
    places = asked.run("aten::unsqueeze", "", [held, 0], held.array[None])
    empty = np.zeros((1, *model.shape[1:]), model.dtype)
    row = asked.run("aten::index_select", "", [asked.stacked, 0, places], empty)
    return asked.as_element(asked.run("aten::squeeze", "dim", [row, 0], row.array[0, ...]))


def _pop(asked: _Asked, index: Any = -1) -> Any:
    if index not in (0, -1):
        raise refused("taken out at its beginning or end")
    found = _element(asked, index)
    asked.hold(asked.slice(1, _END) if index == 0 else asked.slice(0, -1))
    return found


def _set(asked: _Asked, index: Any, value: Any) -> list[Any]:
    element, place = asked.element_of(value), hinted(index)
    found = asked.stacked.array.copy()
    found[place] = element.array
    values = [asked.stacked, element, 0, index]
    return asked.hold(asked.run("aten::select_scatter", "", values, found), element)


def _copy(asked: _Asked) -> list[Any]:
    return [asked.array]


def _slice(asked: _Asked, start: Any, end: Any, step: Any = 1) -> list[Any]:
    first, last = 0 if start is None else start, _END if end is None else end
    return [asked.held(asked.slice(first, last, step))]


def _reverse(asked: _Asked) -> None:
    found = asked.stacked.array[::-1]
    asked.hold(asked.run("aten::flip", "", [asked.stacked, [0]], np.ascontiguousarray(found)))


def _clear(asked: _Asked) -> None:
    asked.hold(asked.slice(0, 0))


def _stack(asked: _Asked, dim: int = 0) -> Tensor:
    return _ordered(asked, dim if dim >= 0 else dim + asked.stacked.array.ndim)


def _cat(asked: _Asked, dim: int = 0) -> Tensor:
    if asked.stacked.array.ndim < 2:
        raise refused("of at least one dimension to be concatenated")
    place = dim if dim >= 0 else dim + asked.stacked.array.ndim - 1
    ordered = _ordered(asked, place)
    shape = ordered.array.shape
    found = ordered.array.reshape(*shape[:place], -1, *shape[place + 2 :])
    return asked.run("aten::flatten", "using_ints", [ordered, place, place + 1], found)


def _ordered(asked: _Asked, dim: int) -> Tensor:
    """The elements side by side along a dimension, in a tensor of its own."""
    order = [*range(1, dim + 1), 0, *range(dim + 1, asked.stacked.array.ndim)]
    moved, found = asked.stacked, asked.stacked.array.transpose(order)
    if dim:
        moved = asked.run("aten::permute", "", [moved, order], found)
    return asked.run("aten::clone", "", [moved, 0], np.ascontiguousarray(found))


def _tensor(asked: _Asked, dtype: Any = None, *_: Any) -> Tensor:
    """What ``torch.tensor`` makes of a list of numbers: float32 of floats, unless it is told."""
    narrow = np.float32 if asked.array.kind is float else asked.stacked.array.dtype
    code = CODE_OF_NUMPY[np.dtype(narrow)] if dtype is None else dtype
    found = asked.stacked.array.astype(DTYPE_OF_CODE[code].numpy)
    return asked.run("aten::to", "dtype", [asked.stacked, code, False, True], found)


def _sum(asked: _Asked) -> DataNumber:
    return _reduced(asked, "aten::sum", asked.stacked.array)


def _most(asked: _Asked) -> DataNumber:
    return _reduced(asked, "aten::max", _some(asked))


def _least(asked: _Asked) -> DataNumber:
    return _reduced(asked, "aten::min", _some(asked))


def _some(asked: _Asked) -> np.ndarray:
    """The elements, of which there have to be some where this run goes."""
    found = asked.stacked.array
    if not len(found) and not asked.is_tried:
        raise ScriptError("RuntimeError", "an empty list has no largest and no smallest element")
    return found if len(found) else np.zeros(1, found.dtype)


def _reduced(asked: _Asked, name: str, elements: np.ndarray) -> DataNumber:
    if asked.array.kind not in (int, float):
        raise refused("that are numbers, to be compared or added")
    found = getattr(np, name.removeprefix("aten::"))(elements)
    return number_in(asked.recorder, asked.run(name, "", [asked.stacked], np.asarray(found)))


def _contains(asked: _Asked, item: Any) -> Condition:
    """Whether a number is one of the elements."""
    if asked.array.kind is Tensor:
        raise refused("that are numbers, to be looked for")
    wanted = tensor_of(asked.recorder, item)
    equal = asked.stacked.array == wanted.array
    found = asked.run("aten::eq", "Tensor", [asked.stacked, wanted], equal)
    return Condition(asked.run("aten::any", "", [found], np.asarray(equal.any())))


ANSWERS: Final[dict[str, _Answer]] = {
    "aten::append": _append,
    "aten::insert": _insert,
    "aten::extend": _extend,
    "aten::add_": _extend,
    "aten::add": _sum_of_lists,
    "aten::len": _length,
    "aten::__contains__": _contains,
    "aten::__getitem__": _element,
    "aten::pop": _pop,
    "aten::_set_item": _set,
    "aten::copy": _copy,
    "aten::list": _copy,
    "aten::slice": _slice,
    "aten::reverse": _reverse,
    "aten::clear": _clear,
    "aten::stack": _stack,
    "aten::cat": _cat,
    "aten::tensor": _tensor,
    "aten::sum": _sum,
    "prim::max": _most,
    "prim::min": _least,
}
