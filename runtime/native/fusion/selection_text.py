"""The text of kernels that find elements: by their numbers, as the largest ones of rows, or in order.

What depends on which of equal elements comes first, where PyTorch's order is not theirs, is left to the operators, and
so are numbers out of range.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, LONG
from tsc.runtime.native.expressions.instructions import (
    Element,
    constant,
    is_floating,
    is_unsigned,
)
from tsc.runtime.native.fusion.strided_text import StridedText

STABLE_EXTENT: Final = 16
"""Up to here sorting leaves equal elements in their order."""


# -- By numbers ------------------------------------------------------------------------------------


@functools.cache
def named_text(
    rank: int, dtype: np.dtype, index: np.dtype, *, way: str, wraps: bool, are_near: bool
) -> str:
    """Rows of an array whose places are named: pointers to the result, the names and the source.

    They are read there ("read"), written there ("write") or added to what is there ("add"). The layout goes on with
    the number of names that there may be, the step from one to the next, and the extent of a row and its steps in
    result and source, which are those of neighbours with `are_near`. With `wraps`, negative names count from the end.
    """
    code = StridedText(3, rank)
    limit, stride, extent, *steps = (code.take() for _ in range(5))
    result_step, source_step = (str(dtype.itemsize),) * 2 if are_near else steps
    with code.places() as (result, names, source):
        name = code.cast(code.load(names, index), LONG).name
        if wraps:
            is_negative = code.add(f"icmp slt i64 {name}, 0")
            wrapped = code.add(f"add i64 {name}, {limit}")
            name = code.add(f"select i1 {is_negative}, i64 {wrapped}, i64 {name}")
        is_known = code.add(f"icmp ult i64 {name}, {limit}")
        code.refuse_if(code.add(f"xor i1 {is_known}, true"))
        with code.when(is_known):
            if way == "read":
                source = code.moved(source, (name, stride))
            else:
                result = code.moved(result, (name, stride))
            with code.loop("0", extent) as step:
                to = code.moved(result, (step, result_step))
                _move(code, dtype, to, code.moved(source, (step, source_step)), adds=way == "add")
    return code.finished()


def _move(code: StridedText, dtype: np.dtype, to: str, of: str, *, adds: bool = False) -> None:
    if not adds:
        type = f"i{dtype.itemsize * 8}"
        bits = code.add(f"load {type}, ptr {of}, align 1")
        code.lines.append(f"  store {type} {bits}, ptr {to}, align 1")
        return
    verb = "fadd" if is_floating(dtype) else "add"
    code.store(code.binary(verb, code.load(to, dtype), code.load(of, dtype)), to)


@functools.cache
def copy_text(rank: int, dtype: np.dtype, *, are_near: bool) -> str:
    """Copies elements, which are neighbours with `are_near`: pointers to the result and the source."""
    code = StridedText(2, rank, dtype.itemsize if are_near else 0)
    with code.places() as (result, source):
        _move(code, dtype, result, source)
    return code.finished()


@functools.cache
def masked_text(rank: int, dtype: np.dtype) -> str:
    """Copies elements where something is true: pointers to the result, the truths and the source."""
    code = StridedText(3, rank)
    with code.places() as (result, truth, source), code.when(code.load(truth, BOOL).name):
        _move(code, dtype, result, source)
    return code.finished()


@functools.cache
def filled_text(rank: int, dtype: np.dtype, number: float) -> str:
    """One number everywhere: a pointer to the result."""
    code = StridedText(1, rank)
    value = constant(number, dtype)
    with code.places() as (result,):
        code.store(value, result)
    return code.finished()


@functools.cache
def one_hot_text(rank: int) -> str:
    """Ones at named places of rows that are zero elsewhere: pointers to the result and the names; the layout goes on
    with the extent of a row, and its step.
    """
    code = StridedText(2, rank)
    extent, step = code.take(), code.take()
    with code.places() as (result, names):
        name = code.add(f"load i64, ptr {names}, align 1")
        code.refuse_if(code.add(f"icmp uge i64 {name}, {extent}"))
        with code.loop("0", extent) as place:
            is_named = code.add(f"icmp eq i64 {place}, {name}")
            value = code.add(f"zext i1 {is_named} to i64")
            code.store(Element(value, LONG), code.moved(result, (place, step)))
    return code.finished()


# -- Extremes and orders -----------------------------------------------------------------------


@functools.cache
def extreme_text(rank: int, dtype: np.dtype, *, largest: bool, has_values: bool) -> str:
    """The first extreme element of each row, or the first NaN: pointers to places, values if wanted, and rows; the
    layout goes on with the extent of a row, and its step.
    """
    code = StridedText(2 + has_values, rank)
    extent, step = code.take(), code.take()
    with code.places() as (places, *values, row):
        best = code.variable(code.load(row, dtype))
        place = code.slot("i64", "0")
        with code.loop("1", extent) as index:
            x = code.load(code.moved(row, (index, step)), dtype)
            before = code.get(best)
            is_better = code.compare(_comparison(dtype, largest=largest, or_nan=True), x, before)
            if is_floating(dtype):
                is_number = code.compare("fcmp ord", before, before)
                is_better = code.binary("and", is_better, is_number)
            code.put(code.select(is_better, x, before), best)
            _choose(code, is_better, index, place)
        for each in values:
            code.store(code.get(best), each)
        _store_place(code, place, places)
    return code.finished()


@functools.cache
def top_text(rank: int, dtype: np.dtype, *, largest: bool) -> str:
    """The extreme elements of each row, one after another: pointers to values, places and rows; the layout goes on
    with how many are wanted, the extent of a row, and the steps of values, places and rows.
    """
    code = StridedText(3, rank)
    wanted, extent, *steps = (code.take() for _ in range(5))
    with code.places() as (values, places, row):
        last = code.variable(code.load(row, dtype))
        has_equal = code.slot("i1", "false")
        with code.loop("0", wanted) as turn:
            best, place = code.variable(code.get(last)), code.slot("i64", "-1")
            is_first = Element(code.add(f"icmp eq i64 {turn}, 0"), BOOL)
            before = code.get(last)
            with code.loop("0", extent) as index:
                x = code.load(code.moved(row, (index, steps[2])), dtype)
                _refuse_nan(code, x)
                is_behind = code.compare(_comparison(dtype, largest=not largest), x, before)
                counts = code.binary("or", is_first, is_behind)
                known = code.add(f"load i64, ptr {place}")
                is_none = Element(code.add(f"icmp slt i64 {known}, 0"), BOOL)
                is_better = code.compare(_comparison(dtype, largest=largest), x, code.get(best))
                taken = code.binary("and", counts, code.binary("or", is_none, is_better))
                _note_equal(code, x, code.get(best), has_equal, counts, taken)
                code.put(code.select(taken, x, code.get(best)), best)
                _choose(code, taken, index, place)
            code.refuse_if(code.add(f"load i1, ptr {has_equal}"))
            code.put(code.get(best), last)
            code.store(code.get(best), code.moved(values, (turn, steps[0])))
            _store_place(code, place, code.moved(places, (turn, steps[1])))
    return code.finished()


def _note_equal(
    code: StridedText, x: Element, best: Element, noted: str, counts: Element, taken: Element
) -> None:
    """Whether an element is equal to the best so far; a better one is equal to none."""
    is_equal = code.compare("fcmp oeq" if is_floating(x.dtype) else "icmp eq", x, best)
    before = code.element(f"load i1, ptr {noted}", BOOL)
    now = code.binary("or", before, code.binary("and", is_equal, counts))
    made = code.select(taken, constant(0, BOOL), now)
    code.lines.append(f"  store i1 {made.name}, ptr {noted}")


@functools.cache
def order_text(
    rank: int, dtype: np.dtype, *, descending: bool, stable: bool, has_values: bool
) -> str:
    """Each row in order: pointers to places, values if wanted, and rows; the layout goes on with the extent of a row,
    and the steps of rows, places and values. An element goes behind as many as come before it.
    """
    code = StridedText(2 + has_values, rank)
    extent, step, *steps = (code.take() for _ in range(3 + has_values))
    before = _comparison(dtype, largest=descending)
    with code.places() as (places, *values, row), code.loop("0", extent) as index:
        x = code.load(code.moved(row, (index, step)), dtype)
        rank_slot, unclear = code.slot("i64", "0"), code.slot("i64", "0")
        with code.loop("0", extent) as other:
            y = code.load(code.moved(row, (other, step)), dtype)
            is_before = code.compare(before, y, x)
            is_equal = code.compare("fcmp ueq" if is_floating(dtype) else "icmp eq", y, x)
            is_left = Element(code.add(f"icmp slt i64 {other}, {index}"), BOOL)
            comes_first = code.binary("or", is_before, code.binary("and", is_equal, is_left))
            _count(code, comes_first, rank_slot)
            is_other = Element(code.add(f"icmp ne i64 {other}, {index}"), BOOL)
            _count(code, code.binary("and", is_equal, is_other), unclear)
        _refuse_nan(code, x)
        if not stable:
            code.refuse_if(code.add(f"icmp ne i64 {code.add(f'load i64, ptr {unclear}')}, 0"))
        place = code.add(f"load i64, ptr {rank_slot}")
        code.store(Element(index, LONG), code.moved(places, (place, steps[0])))
        for each in values:
            code.store(x, code.moved(each, (place, steps[1])))
    return code.finished()


def _refuse_nan(code: StridedText, x: Element) -> None:
    if is_floating(x.dtype):
        code.refuse_if(code.compare("fcmp uno", x, x).name)


def _count(code: StridedText, condition: Element, slot: str) -> None:
    one = code.add(f"zext i1 {condition.name} to i64")
    total = code.add(f"add i64 {code.add(f'load i64, ptr {slot}')}, {one}")
    code.lines.append(f"  store i64 {total}, ptr {slot}")


def _comparison(dtype: np.dtype, *, largest: bool, or_nan: bool = False) -> str:
    """Whether an element comes before another one, where the largest do, or where the smallest do."""
    word = "gt" if largest else "lt"
    if is_floating(dtype):
        return f"fcmp {'u' if or_nan else 'o'}{word}"
    return f"icmp {'u' if is_unsigned(dtype) else 's'}{word}"


def _choose(code: StridedText, condition: Element, index: str, place: str) -> None:
    known = code.add(f"load i64, ptr {place}")
    chosen = code.add(f"select i1 {condition.name}, i64 {index}, i64 {known}")
    code.lines.append(f"  store i64 {chosen}, ptr {place}")


def _store_place(code: StridedText, slot: str, to: str) -> None:
    code.store(Element(code.add(f"load i64, ptr {slot}"), LONG), to)


# -- Running results -----------------------------------------------------------------------------


@functools.cache
def running_text(
    rank: int, source: np.dtype, carried: np.dtype, result: np.dtype, *, multiplies: bool
) -> str:
    """Of rows of any strides: pointers to results and rows; the layout goes on with the extent of a row, and the steps
    of both.
    """
    code = StridedText(2, rank)
    extent, result_step, step = code.take(), code.take(), code.take()
    verb = "mul" if multiplies else "add"
    beginning = 1 if multiplies else -0.0 if is_floating(carried) else 0
    with code.places() as (target, row):
        total = code.variable(constant(beginning, carried))
        with code.loop("0", extent) as index:
            x = code.cast(code.load(code.moved(row, (index, step)), source), carried)
            after = code.binary(f"f{verb}" if is_floating(carried) else verb, code.get(total), x)
            code.put(after, total)
            code.store(code.cast(after, result), code.moved(target, (index, result_step)))
    return code.finished()
