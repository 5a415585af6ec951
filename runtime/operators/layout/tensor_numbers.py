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
    DEFAULT_DTYPE,
    DOUBLE,
    FLOAT,
    FLOATING,
    LONG,
    scalar_name,
)
from tsc.runtime.arrays.type_promotion import NUMBER_DTYPE, Number, converted, real_number
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.creation.creation import check_device, numpy_dtype
from tsc.runtime.operators.layout.tensor_conversion import to_prim_dtype
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


NUMBER_TENSOR_DTYPE = {bool: BOOL, int: LONG, float: DOUBLE, complex: COMPLEX_DOUBLE}


@operator(
    "prim::NumToTensor.Scalar(Scalar a) -> Tensor", "prim::NumToTensor.bool(bool a) -> Tensor"
)
def num_to_tensor(a: Number) -> Tensor:
    return Tensor(np.array(a, NUMBER_TENSOR_DTYPE[type(a)]))


def tensor_of_number(
    t: Number, dtype: int | None = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    check_device(device)
    target = numpy_dtype(dtype, NUMBER_DTYPE[type(t)])
    array = np.array(t, NUMBER_TENSOR_DTYPE[type(t)])
    result = Tensor(array if array.dtype is target else converted(array, target))
    if requires_grad:
        result.requires_grad = True
    return result


for _type in ("bool", "float", "int", "complex"):
    operator(
        f"aten::tensor.{_type}({_type} t, *, ScalarType? dtype=None, Device? device=None,"
        " bool requires_grad=False) -> Tensor"
    )(tensor_of_number)


def nested_shape(data: Any) -> tuple[int, ...]:
    """The shape of nested lists, which must be rectangular."""
    shape = []
    level = data
    while isinstance(level, (list, tuple)):
        shape.append(len(level))
        if not level:
            break
        level = level[0]
    _check_rectangular(data, shape, 0)
    return tuple(shape)


def _check_rectangular(data: Any, shape: list[int], depth: int) -> None:
    if depth == len(shape):
        return
    if len(data) != shape[depth]:
        raise ScriptError(
            "ValueError",
            f"Expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})",
        )
    if depth + 1 < len(shape):
        for element in data:
            _check_rectangular(element, shape, depth + 1)


def tensor_of_list(
    data: list, element: np.dtype | None, dtype: int | None, device: Any, requires_grad: bool
) -> Tensor:
    """A tensor of nested lists; `element` is the dtype their numbers have by themselves."""
    check_device(device)
    shape = nested_shape(data)
    numbers = _flattened(data, len(shape))
    if element is None and not numbers:
        raise ScriptError(
            "RuntimeError",
            "Input must be of ints, floats, or bools, got Tensor\n"
            "Empty lists default to List[Tensor]. Add a variable annotation to the assignment to "
            "create an empty list of another type "
            "(torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)",
        )
    if numbers and type(numbers[0]) is Tensor:
        numbers = [_scalar(number.array) for number in numbers]
    if element is None:
        element = NUMBER_DTYPE.get(type(numbers[0]))
        if element is None:
            raise ScriptError(
                "RuntimeError",
                f"Input must be of ints, floats, or bools, got {type(numbers[0]).__name__}",
            )
    wide = {FLOAT: DOUBLE}.get(element, element)
    target = numpy_dtype(dtype, element)
    array = _array_of(numbers, wide).reshape(shape)
    result = Tensor(array if array.dtype is target else converted(array, target))
    if requires_grad:
        result.requires_grad = True
    return result


def _array_of(numbers: list, dtype: np.dtype) -> np.ndarray:
    try:
        return np.array(numbers, dtype)
    except TypeError:
        kinds = ", ".join(sorted({type(number).__name__ for number in numbers}))
        raise ScriptError(
            "RuntimeError", f"expected numbers of one type for a tensor, but found {kinds}"
        ) from None


def _flattened(data: list, depth: int) -> list:
    for _ in range(depth - 1):
        data = [element for row in data for element in row]
    return data


def _element_dtype(node: Any) -> np.dtype | None:
    """The dtype the static type of the list argument says, which holds for empty lists too."""
    if node is None:
        return None
    declared = node.inputs[0].type
    while hasattr(declared, "element"):
        declared = declared.element
    return {
        "int": LONG,
        "float": DEFAULT_DTYPE,
        "bool": BOOL,
        "complex": NUMBER_DTYPE[complex],
    }.get(str(declared))


@node_operator(
    "aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None,"
    " bool requires_grad=False) -> Tensor"
)
def make_tensor(node: Any) -> Callable[..., Tensor]:
    element = _element_dtype(node)

    def tensor(data, dtype=None, device=None, requires_grad=False) -> Tensor:
        return tensor_of_list(data, element, dtype, device, requires_grad)

    return tensor


for _type in ("bool", "float", "int", "complex"):
    operator(
        f"aten::as_tensor.{_type}({_type} t, *, ScalarType? dtype=None, Device? device=None)"
        " -> Tensor"
    )(lambda t, dtype=None, device=None: tensor_of_number(t, dtype, device))


@operator(
    "aten::as_tensor(Tensor(a) data, *, ScalarType? dtype=None, Device? device=None) -> Tensor(b|a)"
)
def as_tensor(data: Tensor, dtype=None, device=None) -> Tensor:
    check_device(device)
    return to_prim_dtype(data, dtype)


@node_operator(
    "aten::as_tensor.list(t[] data, *, ScalarType? dtype=None, Device? device=None) -> Tensor"
)
def make_as_tensor(node: Any) -> Callable[..., Tensor]:
    element = _element_dtype(node)

    def as_tensor_list(data, dtype=None, device=None) -> Tensor:
        return tensor_of_list(data, element, dtype, device, False)

    return as_tensor_list


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
