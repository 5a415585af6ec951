"""Which operators have a form in ONNX, before there is a program."""

from __future__ import annotations

from tsc.runtime.exporting.decomposition.table import default_decompositions
from tsc.runtime.onnx.packages import part_with_packages


def has_form(name: str) -> bool:
    """Whether an operator (``aten::add.Tensor``) is converted, or decomposed; one that writes by what it writes.

    Raises `OnnxExportError` where the packages are not installed, by which it is known.
    """
    known = _converted() | default_decompositions()
    base, _, overload = name.partition(".")
    functional = base.removesuffix("_") + (f".{overload}" if overload else "")
    return name in known or functional in known or f"{functional}.{_SPECIAL.get(base, '')}" in known


_SPECIAL = {"aten::pow_": "Tensor_Scalar", "aten::bernoulli_": "p"}
"""Overloads of operators that do not write, which are called otherwise."""


def _converted() -> frozenset[str]:
    operators = part_with_packages("operators")
    return frozenset((*operators.CONVERSIONS, *operators.COMPLEX))
