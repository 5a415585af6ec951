"""Conversions to other dtypes and memory formats."""

from __future__ import annotations

from typing import Any

from tsc.runtime.exporting.decomposition.calls import Calls
from tsc.runtime.exporting.decomposition.memory_formats import lies_as
from tsc.runtime.exporting.decomposition.rules.forms import CPU, PRESERVE, STRIDED
from tsc.runtime.exporting.decomposition.table import decomposes


@decomposes("to.dtype", always=True)
def to_dtype(call: Calls, x: Any, dtype: int, _: object, copy: bool, memory_format: Any) -> Any:
    return _converted(call, x, copy, dtype=dtype, memory_format=memory_format)


@decomposes("to.dtype_layout", always=True)
def to_dtype_layout(
    call: Calls,
    x: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    _: object,
    __: object,
    copy: bool,
    form: Any,
) -> Any:
    return _converted(call, x, copy, dtype=dtype, layout=layout, device=device, memory_format=form)


@decomposes("to.other", always=True)
def to_other(call: Calls, x: Any, other: Any, _: object, copy: bool, memory_format: Any) -> Any:
    options = {"layout": STRIDED, "device": CPU}
    return _converted(call, x, copy, dtype=other.code, **options, memory_format=memory_format)


@decomposes("to.device", always=True)
def to_device(
    call: Calls, x: Any, device: Any, dtype: int, _: object, copy: bool, memory_format: Any
) -> Any:
    return _converted(call, x, copy, dtype=dtype, device=device, memory_format=memory_format)


@decomposes("to.prim_Device", always=True)
def to_prim_device(call: Calls, x: Any, device: Any, dtype: Any, _: object, copy: bool) -> Any:
    return _converted(call, x, copy, dtype=dtype, device=device)


def _converted(call: Calls, x: Any, copy: bool, **options: Any) -> Any:
    """Itself, where nothing changes and no copy is wanted."""
    dtype, form = options.get("dtype"), options.get("memory_format")
    same = dtype in (None, x.code) and (
        form is None or form == PRESERVE or lies_as(x.value.array, form)
    )
    if same and not copy:
        return x
    return call("_to_copy", x, **options)


@decomposes("type_as")
def type_as(call: Calls, x: Any, other: Any) -> Any:
    return to_other(call, x, other, False, False, None)
