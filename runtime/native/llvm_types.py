"""What values are held as in LLVM. Importing it imports a part of llvmlite, which only making code is to wait for."""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir

from tsc.runtime.native.forms import (
    INTEGER,
    NOTHING,
    PAIR,
    REAL,
    TRUTH,
    Form,
    OptionalForm,
    ScalarForm,
    TupleForm,
)

BIT: Final = ir.IntType(1)
BYTE: Final = ir.IntType(8)
WORD: Final = ir.IntType(64)
DOUBLE: Final = ir.DoubleType()
POINTER: Final = ir.PointerType()
_SCALARS: Final = {
    INTEGER: WORD,
    REAL: DOUBLE,
    TRUTH: BIT,
    PAIR: ir.LiteralStructType([DOUBLE, DOUBLE]),
    NOTHING: BIT,
}


def llvm_type(form: Form) -> Any:
    """What a value of a form is held as."""
    if isinstance(form, TupleForm):
        return ir.LiteralStructType([llvm_type(item) for item in form.items])
    if isinstance(form, OptionalForm):
        return ir.LiteralStructType([BIT, llvm_type(form.inner)])
    return _SCALARS[form] if isinstance(form, ScalarForm) else POINTER


def stored_type(form: Form) -> Any:
    """What an element of that form is in memory."""
    type = llvm_type(form)
    return BYTE if type is BIT else type
