"""Tensors that are made of numbers."""

from __future__ import annotations

import math
from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.rules.forms import (
    BYTE,
    CPU,
    FLOAT32,
    FLOAT64,
    PRESERVE,
    STRIDED,
    counted,
    full,
    full_like,
)
from tsc.runtime.exporting.decomposition.table import decomposes


def _code(dtype: int | None) -> int:
    return FLOAT32 if dtype is None else dtype


@decomposes("zeros")
def zeros(call: Calls, sizes: list[Any], dtype: int | None, *_: Any) -> Any:
    return full(call, sizes, 0, _code(dtype))


@decomposes("ones")
def ones(call: Calls, sizes: list[Any], dtype: int | None, *_: Any) -> Any:
    return full(call, sizes, 1, _code(dtype))


@decomposes("zeros_like")
def zeros_like(call: Calls, x: Any, dtype: int | None, *_: Any) -> Any:
    return _like(call, x, 0, dtype)


@decomposes("ones_like")
def ones_like(call: Calls, x: Any, dtype: int | None, *_: Any) -> Any:
    return _like(call, x, 1, dtype)


def _like(call: Calls, x: Any, number: int, dtype: int | None) -> Any:
    return call("full_like", x, number, dtype=dtype, pin_memory=False, memory_format=PRESERVE)


@decomposes("zero")
def zero(call: Calls, x: Any) -> Any:
    return full_like(call, x, 0)


@decomposes("fill.Scalar")
def fill(call: Calls, x: Any, number: Any) -> Any:
    return call("full_like", x, number, pin_memory=False)


@decomposes("fill.Tensor")
def fill_tensor(call: Calls, x: Any, value: Any) -> Any:
    return call("copy", x, value)


@decomposes("new_zeros")
def new_zeros(call: Calls, x: Any, sizes: list[Any], dtype: int | None, *_: Any) -> Any:
    return full(call, sizes, 0, x.code if dtype is None else dtype)


@decomposes("new_ones")
def new_ones(call: Calls, x: Any, sizes: list[Any], dtype: int | None, *_: Any) -> Any:
    return full(call, sizes, 1, x.code if dtype is None else dtype)


@decomposes("new_full")
def new_full(call: Calls, x: Any, sizes: list[Any], number: Any, dtype: Any, *_: Any) -> Any:
    return full(call, sizes, number, x.code if dtype is None else dtype)


@decomposes("new_empty")
def new_empty(call: Calls, x: Any, sizes: list[Any], dtype: int | None, *_: Any) -> Any:
    code = x.code if dtype is None else dtype
    options = {"layout": STRIDED, "device": CPU, "pin_memory": False}
    return call("empty.memory_format", sizes, dtype=code, **options)


@decomposes("arange")
def arange(call: Calls, end: Any, dtype: int | None, *_: Any) -> Any:
    return _arange(call, 0, end, dtype)


@decomposes("arange.start")
def arange_start(call: Calls, start: Any, end: Any, dtype: int | None, *_: Any) -> Any:
    return _arange(call, start, end, dtype)


def _arange(call: Calls, start: Any, end: Any, dtype: int | None) -> Any:
    return counted(call, start, end) if dtype is None else counted(call, start, end, dtype=dtype)


@decomposes("eye")
def eye(call: Calls, n: Any, dtype: int | None, *options: Any) -> Any:
    return eye_m(call, n, n, dtype, *options)


@decomposes("eye.m")
def eye_m(call: Calls, n: Any, m: Any, dtype: int | None, *_: Any) -> Any:
    """Where the numbers of row and column are the same; small ones are counted in bytes."""
    options = {"dtype": BYTE} if max(_hint(n), _hint(m)) < 256 else {}
    rows, columns = counted(call, 0, n, **options), counted(call, 0, m, **options)
    same = call("eq.Tensor", call("unsqueeze", rows, -1), columns)
    return call("_to_copy", same, dtype=_code(dtype))


def _hint(value: Any) -> int:
    return value if isinstance(value, int) else value.hint


@decomposes("hann_window")
def hann_window(call: Calls, length: int, dtype: int | None, *options: Any) -> Any:
    return hann_window_periodic(call, length, True, dtype, *options)


@decomposes("hann_window.periodic")
def hann_window_periodic(call: Calls, length: int, periodic: bool, dtype: Any, *_: Any) -> Any:
    return _cosine_window(call, length, periodic, _code(dtype), 0.5, 0.5)


def _cosine_window(
    call: Calls, length: int, periodic: bool, code: int, alpha: float, beta: float
) -> Any:
    if length <= 1:
        return full(call, [length], 1, code)
    count = length + 1 if periodic else length
    angles = call("mul.Tensor", counted(call, 0, count, dtype=code), math.pi * 2 / (count - 1))
    found = call("add.Tensor", call("mul.Tensor", call("cos", angles), -beta), alpha)
    return call("slice.Tensor", found, 0, 0, length, 1) if periodic else found


@decomposes("linspace")
def linspace(call: Calls, start: Any, end: Any, steps: int, dtype: Any, *options: Any) -> Any:
    """From both ends to the middle."""
    code = _code(dtype)
    return _spaced(call, start, end, steps, code)


def _spaced(call: Calls, start: Any, end: Any, steps: int, code: int) -> Any:
    if call.settled(steps) <= 1:
        return full(call, [steps], start, code)
    step = (end - start) / (steps - 1)
    places = counted(call, 0, steps)
    first = call("lt.Scalar", places, steps / 2)
    forward = call("mul.Tensor", call("_to_copy", places, dtype=code), step)
    forward = call("add.Tensor", forward, start)
    left = call("_to_copy", call("sub.Tensor", steps - 1, places), dtype=code)
    backward = call("sub.Tensor", end, call("mul.Tensor", left, step))
    return call("where.self", first, forward, backward)


@decomposes("logspace")
def logspace(call: Calls, start: Any, end: Any, steps: int, base: Any, dtype: Any, *_: Any) -> Any:
    exponents = _spaced(call, start, end, steps, FLOAT64)
    number = int(base) if float(base).is_integer() else base
    return call("_to_copy", call("pow.Scalar", number, exponents), dtype=_code(dtype))
