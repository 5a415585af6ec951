"""The operators on numbers that native code has, by their names in terms."""

from __future__ import annotations

from typing import Final

from tsc.compiler.schema.scalar_terms import Term, operators_in

ORDERS: Final = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
BITS: Final = {"bitwise_and": "and_", "bitwise_or": "or_", "bitwise_xor": "xor"}
INTRINSICS: Final = {
    "sqrt": "llvm.sqrt.f64",
    "floor": "llvm.floor.f64",
    "ceil": "llvm.ceil.f64",
    "fabs": "llvm.fabs.f64",
    "rint": "llvm.rint.f64",
}
_TRIGONOMETRY: Final = [
    f"{a}{each}{h}" for each in ("sin", "cos", "tan") for a in ("", "a") for h in ("", "h")
]
_OTHERS: Final = ["exp", "expm1", "log", "log10", "log1p", "erf", "erfc", "atan2", "pow", "hypot"]
LIBRARY: Final = frozenset([*_TRIGONOMETRY, *_OTHERS, "copysign", "fmod"])
"""Functions of the C library, which Python's `math` calls, too."""
ARITHMETIC: Final = frozenset({"add", "sub", "mul", "div", "floordiv", "remainder", "neg", "abs"})


def is_known(term: Term) -> bool:
    """Whether a term has nothing but operators that are known here."""
    return operators_in(term) <= {*ORDERS, *BITS, *ARITHMETIC, *INTRINSICS, *LIBRARY}
