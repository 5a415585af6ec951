"""What values are held as in LLVM. Importing it imports a part of llvmlite, which only making code is to wait for."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir

from tsc.runtime.native.expressions.instructions import register_type
from tsc.runtime.native.regions.forms import (
    INTEGER,
    NOTHING,
    PAIR,
    REAL,
    TEXT,
    TRUTH,
    Form,
    OptionalForm,
    ScalarForm,
    TupleForm,
)
from tsc.runtime.native.regions.tensor_forms import ElementForm, KnownForm, TensorForm

BIT: Final = ir.IntType(1)
BYTE: Final = ir.IntType(8)
INT32: Final = ir.IntType(32)
WORD: Final = ir.IntType(64)
DOUBLE: Final = ir.DoubleType()
POINTER: Final = ir.PointerType()
OWNER: Final = 3
"""The place in a string of the list that its letters are in, or null."""
_REGISTERS: Final = {"i1": BIT, "float": ir.FloatType(), "double": DOUBLE}
_SCALARS: Final = {
    INTEGER: WORD,
    REAL: DOUBLE,
    TRUTH: BIT,
    PAIR: ir.LiteralStructType([DOUBLE, DOUBLE]),
    NOTHING: BIT,
    TEXT: ir.LiteralStructType([POINTER, WORD, WORD, POINTER]),
}


def llvm_type(form: Form) -> Any:
    """What a value of a form is held as."""
    if isinstance(form, TupleForm):
        return ir.LiteralStructType([llvm_type(item) for item in form.items])
    if isinstance(form, OptionalForm):
        return ir.LiteralStructType([BIT, llvm_type(form.inner)])
    if isinstance(form, TensorForm):
        return ir.LiteralStructType([POINTER, *[WORD] * (2 * form.rank), POINTER])
    if isinstance(form, ElementForm):
        return element_type(form.dtype)
    if isinstance(form, KnownForm):
        return BIT
    return _SCALARS[form] if isinstance(form, ScalarForm) else POINTER


def element_type(dtype: np.dtype) -> Any:
    """What an element of a tensor is held as. Raises NotLowered for other dtypes than native ones."""
    name = register_type(dtype)
    return _REGISTERS.get(name) or ir.IntType(int(name[1:]))


def is_bit(form: Form) -> bool:
    """Whether it is one bit in a register, and a byte in memory."""
    return llvm_type(form) is BIT


def stored_type(form: Form) -> Any:
    """What an element of that form is in memory."""
    type = llvm_type(form)
    return BYTE if type is BIT else type
