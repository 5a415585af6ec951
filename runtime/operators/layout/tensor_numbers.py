"""Between tensors and Python numbers and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import (
    BOOL,
    CATEGORY,
    COMPLEX,
    COMPLEX_DOUBLE,
    DOUBLE,
    FLOAT,
    FLOATING,
    LONG,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import Number, real_number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.registration import node_operator, operator
from tsc.runtime.values.tensor import Tensor


def _scalar(a: np.ndarray) -> Number:
    """The number of a one-element array."""
    if a.size != 1:
        message = f"a Tensor with {a.size} elements cannot be converted to Scalar"
        raise ScriptError("RuntimeError", message)
    return a.item()


@operator("aten::item(Tensor self) -> Scalar", "aten::_local_scalar_dense(Tensor self) -> Scalar")
def item(self: Tensor) -> Number:
    return _scalar(self.array)


@operator("aten::Int.Tensor(Tensor a) -> int")
def int_of_tensor(a: Tensor) -> int:
    number = _scalar(a.array)
    if isinstance(number, complex) and number.imag == 0:
        number = number.real
    if isinstance(number, complex) or not -(2.0**63) <= number <= 2.0**63:
        message = f"value cannot be converted to type int64_t without overflow: {number}"
        raise ScriptError("RuntimeError", message)
    return int(number)


@operator("aten::Float.Tensor(Tensor a) -> float")
def float_of_tensor(a: Tensor) -> float:
    return float(real_number(_scalar(a.array)))


@operator("aten::Bool.Tensor(Tensor a) -> bool")
def bool_of_tensor(a: Tensor) -> bool:
    array = a.array
    if array.size == 1:
        return bool(array.item())
    problem = "no values" if array.size == 0 else "more than one value"
    raise ScriptError("RuntimeError", f"Boolean value of Tensor with {problem} is ambiguous")


def _check_implicit(a: Tensor, kind: str) -> Any:
    """The number of a tensor given where one of `kind` is expected: it has no dimensions."""
    if a.requires_grad:
        message = "Cannot input a tensor that requires grad as a number: call detach() first"
        raise ScriptError("RuntimeError", message)
    array = a.array
    if array.ndim:
        message = f"Cannot input a tensor of {array.ndim} dimensions as a number: it must have none"
        raise ScriptError("RuntimeError", message)
    integral = CATEGORY[array.dtype] < FLOATING and array.dtype is not BOOL
    if kind == "an integral" and not integral:
        message = (
            f"Cannot input a tensor of type {scalar_name(array.dtype)} as an integral argument"
        )
        raise ScriptError("RuntimeError", message)
    return array.item()


@operator("aten::IntImplicit(Tensor a) -> int")
def int_implicit(a: Tensor) -> int:
    return _check_implicit(a, "an integral")


@operator("aten::FloatImplicit(Tensor a) -> float")
def float_implicit(a: Tensor) -> float:
    number = _check_implicit(a, "a floating")
    return number.real if isinstance(number, complex) else float(number)


@operator("aten::ComplexImplicit(Tensor a) -> complex")
def complex_implicit(a: Tensor) -> complex:
    return complex(_check_implicit(a, "a complex"))


@operator("aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex")
def complex_of_tensors(a: Tensor, b: Tensor) -> complex:
    return complex(_real_number(a), _real_number(b))


for _type in ("float", "int", "bool"):

    @operator(f"aten::Complex.Tensor_{_type}(Tensor x, {_type} y) -> complex")
    def complex_of_real_tensor(x: Tensor, y: float) -> complex:
        return complex(_real_number(x), y)

    @operator(f"aten::Complex.{_type}_Tensor({_type} x, Tensor y) -> complex")
    def complex_of_imaginary_tensor(x: float, y: Tensor) -> complex:
        return complex(x, _real_number(y))


def _real_number(a: Tensor) -> float:
    """The number of a tensor with one element, as a part of a complex number."""
    if a.array.size != 1:
        message = f"a Tensor with {a.array.size} elements cannot be converted to Scalar"
        raise ScriptError("RuntimeError", message)
    return float(a.array.item())


@operator("aten::ScalarImplicit(Tensor a) -> Scalar")
def scalar_implicit(a: Tensor) -> Number:
    return _check_implicit(a, "a")


_DTYPE_OF_KIND = {bool: BOOL, int: LONG, float: DOUBLE, complex: COMPLEX_DOUBLE}


@operator(
    "prim::NumToTensor.Scalar(Scalar a) -> Tensor", "prim::NumToTensor.bool(bool a) -> Tensor"
)
def num_to_tensor(a: Number) -> Tensor:
    return Tensor(np.array(a, _DTYPE_OF_KIND[type(a)]))


LIST_ELEMENTS = {0: "Long", 1: "Float", 2: "Bool", 3: "ComplexDouble"}


def to_list(tensor: Tensor, dimensions: int, element: int) -> Any:
    """``tolist`` for an annotated result: its depth and element type are checked."""
    a = tensor.array
    expected, found = LIST_ELEMENTS[element], scalar_name(a.dtype)
    floating = element == 1 and a.dtype in (FLOAT, DOUBLE)
    complex_numbers = element == 3 and CATEGORY[a.dtype] == COMPLEX
    if not (floating or complex_numbers or expected == found):
        raise ScriptError(
            "RuntimeError",
            f"Output annotation element type of tolist() is {expected}, and the tensor "
            f"holds {found}",
        )
    if dimensions != a.ndim:
        raise ScriptError(
            "RuntimeError",
            f"Output annotation list dimension of tolist() is {dimensions}, and the "
            f"tensor has {a.ndim} dimensions",
        )
    return a.tolist()


@node_operator("prim::tolist(...) -> ...")
def make_to_list(node: Any) -> Callable[..., Any]:
    return to_list
