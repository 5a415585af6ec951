"""Operators on the bits of ints and bools: ``& | ^ << >>``."""

from __future__ import annotations

import operator as python

from tsc.runtime.arrays.integers import wrap
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.scalars import lowerings
from tsc.runtime.operators.scalars.scalars import of_numbers

for _name, _symbol, _function in (
    ("and", "&", python.and_),
    ("or", "|", python.or_),
    ("xor", "^", python.xor),
):
    operator(
        f"aten::__{_name}__.bool(bool a, bool b) -> bool",
        f"aten::__{_name}__.int(int a, int b) -> int",
        expression=of_numbers(f"a {_symbol} b"),
    )(_function)


@operator("aten::__lshift__.int(int a, int b) -> int", lowering=lowerings.shift("shl"))
def lshift(a: int, b: int) -> int:
    """The processor looks at the lowest six bits of the distance."""
    return wrap(a << (b & 63))


@operator("aten::__rshift__.int(int a, int b) -> int", lowering=lowerings.shift("ashr"))
def rshift(a: int, b: int) -> int:
    return a >> (b & 63)
