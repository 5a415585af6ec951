"""Lists in which data decides: elements at places that it tells, and what is computed of lists of its numbers.

What is asked of such a list is asked of the tensor of its elements. A list of tensors, or of tuples and lists of
tensors and numbers, is asked element by element, so its elements have to be alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

import numpy as np

from tsc.compiler.exir import refusals
from tsc.compiler.exir.pytrees import tree_flatten
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.exporting.control_flow.conditions import Condition
from tsc.runtime.exporting.control_flow.listed_numbers import holds_late_numbers, tensor_of_list
from tsc.runtime.exporting.control_flow.wide_numbers import like, number_in, tensor_of
from tsc.runtime.exporting.data_numbers import DataNumber
from tsc.runtime.exporting.errors import ExportError
from tsc.runtime.exporting.recorder import Recorder
from tsc.runtime.operators import load
from tsc.runtime.values.tensor import Tensor

_MOST_ELEMENTS: Final = 1000
_CODES: Final = {bool: 11, int: 4, float: 7}


def computed_of_list(recorder: Recorder, kind: str, values: Sequence[Any]) -> Any:
    """What a node gives that asks a list of data's numbers, or asks one for what data tells; None for other nodes."""
    first = values[0] if values else None
    if kind == "aten::__getitem__" and len(values) == 2 and isinstance(values[1], DataNumber):
        return _chosen(recorder, first, values[1]) if isinstance(first, list) else None
    if not isinstance(first, list):
        return None
    listed = cast("list[Any]", first)
    if kind == "aten::__contains__" and all(map(_is_number, (*listed, values[1]))):
        return _contains(recorder, listed, values[1])
    compute = _REDUCTIONS.get(kind)
    is_flat = len(values) == 1 and listed and all(map(_is_number, listed))
    return compute(recorder, listed) if compute is not None and is_flat else None


def asks_list(kind: str, values: Sequence[Any]) -> bool:
    """Whether a node is answered here for what is in the list that it is given."""
    is_asked = kind == "aten::__contains__" or kind in _REDUCTIONS
    return is_asked and holds_late_numbers(values[0])


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | DataNumber | Condition | SymValue)


# -- Elements --------------------------------------------------------------------------------------


def _chosen(recorder: Recorder, elements: list[Any], index: DataNumber) -> Any:
    """The element at a place that data tells, negative ones from the end. Raises `ExportError` for unlike elements."""
    count, place = len(elements), int(index.hint)
    if not -count <= place < count:
        raise ScriptError("IndexError", "list index out of range")
    parts = [tree_flatten(each) for each in elements]
    spec = parts[0][1]
    if any(other != spec for _, other in parts):
        raise _unlike("that are nested alike")
    leaves = zip(*[found for found, _ in parts], strict=True)
    result = spec.unflatten([_chosen_leaf(recorder, each, index, place) for each in leaves])
    recorder.chosen += [each for value in (*elements, result) for each in _containers_in(value)]
    return result


def _containers_in(value: Any) -> Iterator[Any]:
    """The lists and dicts in a value, which may be one, too."""
    if isinstance(value, list | dict):
        yield value
    if isinstance(value, list | tuple):
        for each in cast("Sequence[Any]", value):
            yield from _containers_in(each)
    elif isinstance(value, dict):
        yield from _containers_in(list(cast("dict[Any, Any]", value).values()))


def _chosen_leaf(recorder: Recorder, leaves: tuple[Any, ...], index: DataNumber, place: int) -> Any:
    first = leaves[0]
    if all(each is first for each in leaves):
        return first
    if not all(isinstance(each, Tensor) for each in leaves) and not all(map(_is_number, leaves)):
        if all(type(each) is type(first) and each == first for each in leaves[1:]):
            return first
        raise _unlike("that are all tensors, or all numbers")
    stacked = _stacked(recorder, leaves)
    select = load().find("aten::select", "int")
    assert select is not None
    made = Tensor(np.asarray(stacked.array[place]))
    recorder.call(select, [stacked, 0, index], made)
    for each in leaves:
        if isinstance(each, Tensor):
            recorder.separations.note(made, each)
    return like(recorder, first, made)


def _stacked(recorder: Recorder, leaves: Sequence[Any]) -> Tensor:
    if all(isinstance(each, bool | int | float) for each in leaves):
        table = Tensor(np.array(leaves))
        recorder.note_constant(table, is_fresh=False)
        return table
    parts: list[Tensor] = [tensor_of(recorder, each) for each in leaves]
    model = parts[0].array
    if any(e.array.shape != model.shape or e.array.dtype != model.dtype for e in parts):
        raise _unlike("of one size and dtype")
    return recorder.run("aten::stack", "", [parts, 0], np.stack([each.array for each in parts]))


def _unlike(which: str) -> ExportError:
    return ExportError(
        f"data decides which element of a list is taken: that can be one of elements {which}",
        hint="give the elements one form: pad tensors to one size, or choose with if and elif",
        refusal=refusals.ELEMENT,
    )


def elements_of(recorder: Recorder, tensor: Tensor) -> Any:
    """What ``tensor.tolist()`` gives: as many numbers as there are elements, nested. Raises `ExportError` for many."""
    known, sizes = recorder.known(tensor), recorder.sizes
    if sizes is not None:
        for size in known.size:
            sizes.fix(size)
    if tensor.array.size > _MOST_ELEMENTS:
        raise ExportError(
            f"the {tensor.array.size} elements of a tensor become a list of numbers",
            hint="compute with the tensor",
            refusal=refusals.ELEMENT,
        )
    return _listed(recorder, tensor)


def _listed(recorder: Recorder, tensor: Tensor) -> Any:
    if tensor.array.ndim == 0:
        is_bool = tensor.array.dtype == np.bool_
        return Condition(tensor) if is_bool else number_in(recorder, tensor)
    rows = [
        recorder.run("aten::select", "int", [tensor, 0, place], tensor.array[place, ...])
        for place in range(len(tensor.array))
    ]
    return [_listed(recorder, each) for each in rows]


# -- Computed of all -------------------------------------------------------------------------------


def _contains(recorder: Recorder, elements: list[Any], item: Any) -> Condition | bool:
    if not elements:
        return False
    wanted = tensor_of(recorder, item)
    found = [_equal(recorder, tensor_of(recorder, each), wanted) for each in elements]
    return _folded(recorder, "aten::logical_or", np.logical_or, found)


def _equal(recorder: Recorder, first: Tensor, second: Tensor) -> Tensor:
    return recorder.run("aten::eq", "Tensor", [first, second], np.equal(first.array, second.array))


def _folded(
    recorder: Recorder, name: str, compute: Callable[..., Any], parts: Sequence[Tensor]
) -> Condition:
    found = parts[0]
    for each in parts[1:]:
        found = recorder.run(name, "", [found, each], compute(found.array, each.array))
    return Condition(found)


def _tensor(recorder: Recorder, elements: list[Any]) -> Tensor:
    """All of them, 64 bits wide."""
    kinds = {type(each.hint) if hasattr(each, "hint") else type(each) for each in elements}
    kind = float if float in kinds else int if int in kinds else bool
    return tensor_of_list(recorder, elements, _CODES[kind])


def _sum(recorder: Recorder, elements: list[Any]) -> DataNumber:
    tensor = _tensor(recorder, elements)
    return number_in(recorder, recorder.run("aten::sum", "", [tensor], tensor.array.sum()))


def _most(recorder: Recorder, elements: list[Any]) -> DataNumber:
    tensor = _tensor(recorder, elements)
    return number_in(recorder, recorder.run("aten::max", "", [tensor], tensor.array.max()))


def _least(recorder: Recorder, elements: list[Any]) -> DataNumber:
    tensor = _tensor(recorder, elements)
    return number_in(recorder, recorder.run("aten::min", "", [tensor], tensor.array.min()))


def _any(recorder: Recorder, elements: list[Any]) -> Condition:
    parts = [tensor_of(recorder, each) for each in elements]
    return _folded(recorder, "aten::logical_or", np.logical_or, parts)


def _all(recorder: Recorder, elements: list[Any]) -> Condition:
    parts = [tensor_of(recorder, each) for each in elements]
    return _folded(recorder, "aten::logical_and", np.logical_and, parts)


_REDUCTIONS: Final[dict[str, Callable[[Recorder, list[Any]], Any]]] = {
    "aten::sum": _sum,
    "prim::max": _most,
    "prim::min": _least,
    "aten::any": _any,
    "aten::all": _all,
}
