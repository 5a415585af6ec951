"""Tensors of numbers and of nested lists of them: ``torch.tensor`` and ``torch.as_tensor``.

Python's doors take what Python's ``torch.tensor`` takes. In programs PyTorch is stricter: a list has
numbers of one type, and a number goes through the dtype it has by itself, so that
``torch.tensor(0.1, dtype=torch.float64)`` is 0.1 as float32 has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.compiler.types import BOOL as BOOL_TYPE
from tsc.compiler.types import COMPLEX as COMPLEX_TYPE
from tsc.compiler.types import FLOAT as FLOAT_TYPE
from tsc.compiler.types import INT as INT_TYPE
from tsc.compiler.types import TENSOR, ListType, Type
from tsc.runtime.arrays.dtypes import (
    BOOL,
    COMPLEX_DOUBLE,
    DEFAULT_DTYPE,
    DOUBLE,
    FLOAT,
    LONG,
)
from tsc.runtime.arrays.nested_lists import array_of_numbers, flattened, nested_shape
from tsc.runtime.arrays.type_promotion import (
    NUMBER_DTYPE,
    Number,
    checked_number_array,
    converted,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import check_device, numpy_dtype
from tsc.runtime.operators.layout.tensor_conversion import to_prim_dtype
from tsc.runtime.operators.registration import node_operator, operator
from tsc.runtime.values.tensor import Tensor

_WIDE_DTYPE = {bool: BOOL, int: LONG, float: DOUBLE, complex: COMPLEX_DOUBLE}
_NUMBERS = (complex, float, int, bool)
"""The kinds of numbers, the widest first."""


def tensor_of_number(t: Number, dtype: int | None = None, requires_grad: bool = False) -> Tensor:
    """A tensor without dimensions of a number of Python.

    Raises:
        ScriptError: `t` is no number.
    """
    if type(t) not in NUMBER_DTYPE:
        raise ScriptError("TypeError", f"cannot make a tensor of a {type(t).__name__}")
    target = numpy_dtype(dtype, NUMBER_DTYPE[type(t)])
    array = np.array(t, _WIDE_DTYPE[type(t)])
    return _made(array if array.dtype is target else converted(array, target), requires_grad)


def tensor_of_list(data: list[Any], dtype: int | None, requires_grad: bool = False) -> Tensor:
    """A tensor of nested lists of Python's numbers, which has the widest of their kinds by itself.

    Tensors of one element count as their numbers.

    Raises:
        ScriptError: ragged lists, or what is no number in them.
    """
    shape = nested_shape(data)
    numbers = flattened(data, len(shape))
    if any(type(number) not in NUMBER_DTYPE for number in numbers):
        numbers = [n.item() if isinstance(n, (Tensor, np.generic)) else n for n in numbers]
    kinds = set(map(type, numbers))
    strange = sorted(kind.__name__ for kind in kinds.difference(_NUMBERS))
    if strange:
        raise ScriptError("TypeError", f"cannot make a tensor of a {strange[0]}")
    element = next((NUMBER_DTYPE[kind] for kind in _NUMBERS if kind in kinds), DEFAULT_DTYPE)
    array = np.array(numbers, {FLOAT: DOUBLE}.get(element, element)).reshape(shape)
    target = numpy_dtype(dtype, element)
    return _made(array if array.dtype is target else converted(array, target), requires_grad)


def _made(array: np.ndarray, requires_grad: bool) -> Tensor:
    result = Tensor(array)
    if requires_grad:
        result.requires_grad = True
    return result


# -- In programs -------------------------------------------------------------------------------


def _of_number(
    t: Number, dtype: int | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    if device is not None:
        check_device(device)
    own = NUMBER_DTYPE[type(t)]
    target = numpy_dtype(dtype, own)
    array = np.array(t, own) if own is LONG or own is BOOL else checked_number_array(t, own)
    return _made(array if own is target else converted(array, target), requires_grad)


def _make_number_tensor(node: Any) -> Callable[..., Tensor]:
    return _of_python_number if node is None else _of_number


def _make_number_as_tensor(node: Any) -> Callable[..., Tensor]:
    make = _make_number_tensor(node)
    return lambda t, dtype=None, device=None: make(t, dtype, device)


for _type in ("bool", "float", "int", "complex"):
    node_operator(
        f"aten::tensor.{_type}({_type} t, *, ScalarType? dtype=None, Device? device=None,"
        " bool requires_grad=False) -> Tensor"
    )(_make_number_tensor)
    node_operator(
        f"aten::as_tensor.{_type}({_type} t, *, ScalarType? dtype=None, Device? device=None)"
        " -> Tensor"
    )(_make_number_as_tensor)

_ELEMENTS: dict[Type, np.dtype] = {
    INT_TYPE: LONG,
    FLOAT_TYPE: DEFAULT_DTYPE,
    BOOL_TYPE: BOOL,
    COMPLEX_TYPE: NUMBER_DTYPE[complex],
}


def _of_python_number(
    t: Number, dtype: int | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    check_device(device)
    return tensor_of_number(t, dtype, requires_grad)


def _of_python_list(data: list[Any], dtype: int | None, device: Any, requires_grad: bool) -> Tensor:
    check_device(device)
    return tensor_of_list(data, dtype, requires_grad)


def _element_type(node: Any) -> Type:
    """The static type of the numbers in the nested lists that a node makes a tensor of."""
    declared = node.inputs[0].type
    while isinstance(declared, ListType):
        declared = declared.element
    return declared


def _of_list(node: Any) -> Callable[..., Tensor]:
    """What makes a tensor of the lists that a node gets; other elements than numbers are refused
    when it runs, as in PyTorch.
    """
    if node is None:  # called from Python
        return _of_python_list
    declared = _element_type(node)
    element = _ELEMENTS.get(declared)
    if element is None:
        return _refusal(declared)

    def of_list(data: list[Any], dtype: int | None, device: Any, requires_grad: bool) -> Tensor:
        if device is not None:
            check_device(device)
        array = array_of_numbers(data, element)
        target = numpy_dtype(dtype, element)
        return _made(array if element is target else converted(array, target), requires_grad)

    return of_list


def _refusal(declared: Type) -> Callable[..., Tensor]:
    advice = "give all numbers one type, as float(n) does for an int, or annotate the list"
    if declared == TENSOR:
        advice = "torch.stack joins tensors, and an empty list of numbers needs an annotation"
    message = f"Input must be of ints, floats, or bools, got {declared.annotation}: {advice}"

    def refuse(data: list[Any], dtype: int | None, device: Any, requires_grad: bool) -> Tensor:
        raise ScriptError("RuntimeError", message)

    return refuse


@node_operator(
    "aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None,"
    " bool requires_grad=False) -> Tensor"
)
def make_tensor(node: Any) -> Callable[..., Tensor]:
    of_list = _of_list(node)

    def tensor(
        data: list[Any], dtype: int | None = None, device: Any = None, requires_grad: bool = False
    ) -> Tensor:
        return of_list(data, dtype, device, requires_grad)

    return tensor


@operator(
    "aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)"
)
def as_tensor(data: Tensor, dtype: int | None = None, device: Any = None) -> Tensor:
    """The tensor itself where it has the dtype."""
    check_device(device)
    return to_prim_dtype(data, dtype)


@node_operator(
    "aten::as_tensor.list(t[] data, *, ScalarType? dtype=None, Device? device=None) -> Tensor"
)
def make_as_tensor(node: Any) -> Callable[..., Tensor]:
    of_list = _of_list(node)

    def as_tensor_list(data: list[Any], dtype: int | None = None, device: Any = None) -> Tensor:
        return of_list(data, dtype, device, False)

    return as_tensor_list
