"""Operators that take parts of a dimension."""

from __future__ import annotations

from typing import Any, Final

from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.data_dependence import DataDependentError
from tsc.compiler.exir.symbols.shapes.rules import (
    Call,
    Size,
    Sizes,
    divided_up,
    listed,
    rule,
)
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of

_NO_END: Final = 2**63 - 1


@rule("select")
def _select(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes))
    index = call.get("index")
    if isinstance(index, int) and index < 0:
        call.environment.require(compute("operator.le", -index, sizes[dim]))
    elif index is not None:  # of one that data decides nothing is told: the operator looks itself
        call.environment.require(compute("operator.lt", index, sizes[dim]))
    del sizes[dim]
    return sizes


@rule("slice", "narrow", "slice_copy")
def _slice(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes))
    if call.operator == "aten::narrow":
        call.check(compute("operator.ge", call.get("length"), 0))
        call.check(compute("operator.le", call.get("length"), sizes[dim]))
        sizes[dim] = call.get("length")
        return sizes
    try:
        length = _between(call, sizes[dim], call.get("start", 0), call.get("end", _NO_END))
    except DataDependentError:
        sizes[dim] = call.new_size(dim, sizes[dim])
        return sizes
    step = call.get("step", 1)
    sizes[dim] = length if step == 1 else divided_up(length, step)
    return sizes


def _between(call: Call, size: Size, start: Size, end: Size) -> Size:
    if isinstance(end, int) and end == _NO_END:
        last = size
    else:
        last = _place(call, size, end)
    first = _place(call, size, start)
    ordered = call.environment.decide(compute("operator.le", first, last))
    return last - first if ordered else 0


def _place(call: Call, size: Size, index: Size) -> Size:
    """An end of a slice, within the tensor; a negative one is counted from behind."""
    if _is_negative(call, index):
        index = index + size
        return index if call.environment.decide(compute("operator.ge", index, 0)) else 0
    return call.smaller(index, size)


def _is_negative(call: Call, index: Size) -> bool:
    """By this run, unless data decides it."""
    negative = compute("operator.lt", index, 0)
    if isinstance(negative, SymValue) and not call.environment.is_backed(negative):
        return call.environment.decide(negative)
    return hint_of(index) < 0


@rule("split", "split_with_sizes", "unsafe_split", "tensor_split", "chunk", "unsafe_chunk")
def _split(call: Call) -> list[Sizes]:
    sizes = call.sizes("self")
    dim = call.dim("dim", len(sizes))
    parts = _parts(call, sizes[dim])
    return [[*sizes[:dim], part, *sizes[dim + 1 :]] for part in parts]


def _parts(call: Call, size: Size) -> Sizes:
    given: Any = next((call.arguments[each] for each in _PARTS if each in call.arguments), 1)
    count = len(call.concrete)
    if isinstance(given, tuple | list):
        parts = listed(given)
        if call.operator == "aten::tensor_split":
            return _parted(parts, size)
        call.same(_total(parts), size)
        return parts
    if call.operator == "aten::tensor_split":
        return [(size + (given - 1 - number)) // given for number in range(count)]
    part = divided_up(size, given) if "chunks" in call.arguments else given
    call.environment.require(compute("operator.lt", part * (count - 1), size))
    call.environment.require(compute("operator.le", size, part * count))
    return [*[part] * (count - 1), size - part * (count - 1)]


def _parted(places: Sizes, size: Size) -> Sizes:
    """What lies between places, and behind the last one."""
    return [end - begin for begin, end in zip([0, *places], [*places, size], strict=True)]


@rule("hsplit", "vsplit", "dsplit")
def _split_along(call: Call) -> list[Sizes]:
    """As many parts of one size, which have to divide the whole, or those between places."""
    sizes = call.sizes("self")
    dim = {"h": min(len(sizes) - 1, 1), "v": 0, "d": 2}[call.operator.removeprefix("aten::")[0]]
    sections: Any = call.get("sections")
    if sections is None:
        parts = _parted(listed(call.get("indices")), sizes[dim])
    else:
        call.environment.require(compute("operator.eq", sizes[dim] % sections, 0))
        parts = [sizes[dim] // sections] * sections
    return [[*sizes[:dim], part, *sizes[dim + 1 :]] for part in parts]


_PARTS: Final = (
    "split_size", "split_sizes", "sections", "indices", "chunks", "tensor_indices_or_sections",
)  # fmt: skip


def _total(sizes: Sizes) -> Size:
    found: Size = 0
    for each in sizes:
        found = found + each
    return found


@rule("unbind")
def _unbind(call: Call) -> list[Sizes]:
    sizes = call.sizes("self")
    count = sizes.pop(call.dim("dim", len(sizes)))
    call.environment.specialize(count)
    return [list(sizes) for _ in call.concrete]


@rule("unfold")
def _unfold(call: Call) -> Sizes:
    sizes = call.sizes("self")
    dim = call.dim("dimension", len(sizes))
    width, step = call.get("size"), call.get("step")
    call.environment.require(compute("operator.le", width, sizes[dim]))
    return [*sizes[:dim], (sizes[dim] - width) // step + 1, *sizes[dim + 1 :], width]
