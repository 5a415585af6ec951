"""What tensors are in native code: views of memory that was given, and single elements that lie in none.

Dtype and rank are known when code is made, as guards at the entry find them; sizes and strides are values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tsc.compiler.ir import Value
from tsc.runtime.arrays.dtypes import BOOL
from tsc.runtime.native.expressions.instructions import NotLowered, is_floating, register_type
from tsc.runtime.native.regions.forms import INTEGER, REAL, TRUTH, Form, NotNative, ScalarForm

TensorSpec = tuple[np.dtype, int]
"""The dtype and the rank of a tensor."""
TensorSpecs = Mapping[Value, TensorSpec]


class TensorForm(Form):
    """A view of a tensor that was given: where it begins, its sizes, and its strides in bytes."""

    def __init__(self, dtype: np.dtype, rank: int, root: Value) -> None:
        """Of what the input `root` of the graph is or has in it. Raises NotNative for other dtypes than native ones."""
        check_element(dtype)
        self.dtype, self.rank, self.root = dtype, rank, root


class ElementForm(Form):
    """A tensor without dimensions that a region has made and nobody else sees."""

    def __init__(self, dtype: np.dtype) -> None:
        """Raises NotNative for other dtypes than native ones."""
        check_element(dtype)
        self.dtype = dtype


class KnownForm(Form):
    """What is known when code is made: a dtype, a device."""

    def __init__(self, content: Any) -> None:
        self.content = content


def check_element(dtype: np.dtype) -> None:
    """Raises NotNative."""
    try:
        register_type(dtype)
    except NotLowered:
        raise NotNative(f"elements of dtype {dtype} have no native form") from None


def number_form(dtype: np.dtype) -> ScalarForm:
    """What the number of an element is."""
    if dtype == BOOL:
        return TRUTH
    return REAL if is_floating(dtype) else INTEGER


def is_single(form: Form) -> bool:
    """Whether it is a tensor without dimensions."""
    return isinstance(form, ElementForm) or (isinstance(form, TensorForm) and form.rank == 0)
