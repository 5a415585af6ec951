"""The dtype that ``einsum`` gives: that of PyTorch's steps, which are sums, products of elements, and of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, FLOATING, LONG, PROMOTED, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented


class _Typed(Protocol):
    """What has a shape and a dtype."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype: ...


def einsum_dtype(terms: Sequence[str], output: str, operands: Sequence[_Typed]) -> np.dtype:
    """The dtype of the result; the subscripts have no ellipsis.

    Operands are taken from the left. What one of a pair has alone is summed first, which widens
    integers; what both have and nobody else needs makes a product of matrices, and nothing else a
    product of elements.

    Raises:
        ScriptError: matrices of different dtypes, or of bool.
    """
    dtype = operands[0].dtype
    if len(operands) == 1:
        return dtype if set(terms[0]) <= set(output) else _summed(dtype)
    left = _wide(terms[0], operands[0])
    for place, array in enumerate(operands[1:], 1):
        needed = set(output).union(*terms[place + 1 :])
        right = _wide(terms[place], array)
        if left - right - needed:
            dtype = _summed(dtype)
        other = _summed(array.dtype) if right - left - needed else array.dtype
        if (left & right) - needed:
            if other is not dtype:
                names = f"expected scalar type {scalar_name(dtype)} but found {scalar_name(other)}"
                raise ScriptError("RuntimeError", f"{names} in a product that sums elements")
            if dtype is BOOL:
                raise not_implemented("bmm", BOOL)
        dtype = PROMOTED[dtype, other]
        left = (left | right) & needed
    return dtype


def _wide(term: str, array: _Typed) -> set[str]:
    """The subscripts of more or less than one element."""
    return {letter for letter, extent in zip(term, array.shape, strict=True) if extent != 1}


def _summed(dtype: np.dtype) -> np.dtype:
    return dtype if CATEGORY[dtype] >= FLOATING else LONG
