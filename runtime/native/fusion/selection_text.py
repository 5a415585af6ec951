"""The text of kernels that find elements: by their numbers, or as the largest ones of rows; and of running results.

Numbers out of range are left to the operators.
"""

from __future__ import annotations

import functools

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, LONG
from tsc.runtime.native.expressions.instructions import (
    Element,
    constant,
    is_floating,
    is_unsigned,
)
from tsc.runtime.native.fusion.strided_text import StridedText

# -- By numbers ------------------------------------------------------------------------------------


@functools.cache
def named_text(
    rank: int, dtype: np.dtype, index: np.dtype, *, way: str, wraps: bool, are_near: bool
) -> str:
    """Rows of an array whose places are named: pointers to the result, the names and the source.

    They are read there ("read"), written there ("write"), added to what is there ("add"), or kept there where they are
    more or less ("amax", "amin"). The layout goes on with the number of names that there may be, the step from one to
    the next, and the extent of a row and its steps in result and source, which are those of neighbours with `are_near`.
    With `wraps`, negative names count from the end.
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
                _move(code, dtype, to, code.moved(source, (step, source_step)), way)
    return code.finished()


def _move(code: StridedText, dtype: np.dtype, to: str, of: str, way: str = "write") -> None:
    if way in ("read", "write"):
        type = f"i{dtype.itemsize * 8}"
        bits = code.add(f"load {type}, ptr {of}, align 1")
        code.lines.append(f"  store {type} {bits}, ptr {to}, align 1")
        return
    before, x = code.load(to, dtype), code.load(of, dtype)
    if way == "add":
        code.store(code.binary("fadd" if is_floating(dtype) else "add", before, x), to)
        return
    refuse_nan(code, before)
    refuse_nan(code, x)
    is_better = code.compare(_comparison(dtype, largest=way == "amax"), x, before)
    code.store(code.select(is_better, x, before), to)


def refuse_nan(code: StridedText, x: Element) -> None:
    if is_floating(x.dtype):
        code.refuse_if(code.compare("fcmp uno", x, x).name)


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


# -- Extremes ----------------------------------------------------------------------------------


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
def middle_text(rank: int, dtype: np.dtype) -> str:
    """The median of each row and its place, as a stable sort has it: pointers to values, places, medians and rows; the
    layout goes on with the extent of a row, its step, and the number in order of the median. NaN is refused.
    """
    code = StridedText(4, rank)
    extent, step, number = (code.take() for _ in range(3))
    with code.places() as (to, place, at, row):
        median = code.load(at, dtype)
        left, found = code.slot("i64", number), code.slot("i64", "0")
        for comparison in (_comparison(dtype, largest=False), _equality(dtype)):
            with code.loop("0", extent) as index:
                x = code.load(code.moved(row, (index, step)), dtype)
                refuse_nan(code, x)
                counts = code.compare(comparison, x, median).name
                before = code.add(f"load i64, ptr {left}")
                after = code.add(f"sub i64 {before}, {code.add(f'zext i1 {counts} to i64')}")
                code.lines.append(f"  store i64 {after}, ptr {left}")
                is_last = code.add(f"icmp eq i64 {after}, 0")
                is_it = Element(code.add(f"and i1 {counts}, {is_last}"), BOOL)
                _choose(code, is_it, index, found)
        code.store(median, to)
        _store_place(code, found, place)
    return code.finished()


def _equality(dtype: np.dtype) -> str:
    return "fcmp oeq" if is_floating(dtype) else "icmp eq"


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
