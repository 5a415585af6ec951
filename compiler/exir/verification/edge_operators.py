"""The operators of the Edge dialect: none of them looks into its arguments, and in none do dtypes meet."""

from __future__ import annotations

from typing import Final

_VIEWS: Final = frozenset(
    {
        *(
            "alias",
            "as_strided",
            "detach",
            "diagonal",
            "expand",
            "permute",
            "select.int",
            "slice.Tensor",
        ),
        *(
            "split.Tensor",
            "split_with_sizes",
            "squeeze",
            "squeeze.dim",
            "squeeze.dims",
            "t",
            "transpose.int",
        ),
        *("unbind.int", "unfold", "unsqueeze", "view", "view_as_complex", "view_as_real"),
    }
)
IMPLICIT_DTYPES: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("add.Tensor", "sub.Tensor", "mul.Tensor", "div.Tensor", "div.Tensor_mode"),
        *("eq.Tensor", "ne.Tensor", "lt.Tensor", "le.Tensor", "gt.Tensor", "ge.Tensor"),
        *("maximum", "minimum", "fmod.Tensor", "remainder.Tensor", "pow.Tensor_Tensor", "atan2"),
        *(
            "bitwise_and.Tensor",
            "bitwise_or.Tensor",
            "bitwise_xor.Tensor",
            "clamp.Tensor",
            "where.self",
        ),
        *(
            "cat",
            "copysign.Tensor",
            "hypot",
            "fmax",
            "fmin",
            "logical_and",
            "logical_or",
            "logical_xor",
        ),
    )
)
"""Operators that find a dtype for tensors of several; in this dialect they are given one."""
TO_FLOATING: Final = frozenset(
    f"aten::{name}"
    for name in (
        *(
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atan2",
            "atanh",
            "cos",
            "cosh",
            "div.Scalar",
            "div.Tensor",
            "erf",
        ),
        *(
            "exp",
            "expm1",
            "log",
            "log10",
            "log1p",
            "log2",
            "reciprocal",
            "rsqrt",
            "sigmoid",
            "sin",
            "sinh",
        ),
        *("sqrt", "tan", "tanh"),
    )
)
"""Operators that compute integers as floating point numbers; in this dialect they are given these."""


WITH_NUMBERS: Final = frozenset(
    f"aten::{name}"
    for name in (
        *("add.Scalar", "clamp", "div.Scalar", "div.Scalar_mode", "fmod.Scalar", "mul.Scalar"),
        *("pow.Scalar", "pow.Tensor_Scalar", "remainder.Scalar", "remainder.Scalar_Tensor"),
        *("eq.Scalar", "ge.Scalar", "gt.Scalar", "le.Scalar", "lt.Scalar", "ne.Scalar"),
        *("rsub.Scalar", "sub.Scalar"),
    )
)
"""Operators that find a dtype for a tensor and numbers; in this dialect the tensor has it."""


def edge_name(name: str) -> str:
    """The operator that gives a copy where this one gives a view: ``aten::view_copy`` for ``aten::view``."""
    base, _, overload = name.removeprefix("aten::").partition(".")
    own = f"{base}.{overload}" if overload else base
    if own not in _VIEWS:
        return name
    return f"aten::{base}_copy.{overload}" if overload else f"aten::{base}_copy"
