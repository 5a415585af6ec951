"""The Python operators and methods of a tensor, which run the kernels that programs run."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any

from tsc.runtime.arrays import dtypes
from tsc.runtime.arrays.type_promotion import number_array, number_dtype
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.hooks import eager_operators, tensor_indexing, torch_functions
from tsc.runtime.values.tensor_method_names import TENSOR_METHODS


def _call(name: str, *arguments: Any) -> Any:
    return eager_operators().call(name, *arguments)


def _call_with_self_second(
    name: str, tensor: Any, first: Any, *arguments: Any, **keywords: Any
) -> Any:
    return eager_operators().call(name, first, tensor, *arguments, **keywords)


def _binary(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        operand = eager_operators().tensor_or_number(other)
        return operand if operand is NotImplemented else _call(name, self, operand)

    method.__name__ = name
    return method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    """``number <operator> tensor``: the number becomes a tensor without dimensions."""

    def method(self: Any, other: Any) -> Any:
        operand = eager_operators().tensor_or_number(other)
        if operand is NotImplemented:
            return operand
        if type(operand) is type(self):
            return _call(name, operand, self)
        return _REFLECTED[name](operand, self)

    return method


def _unary(name: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return _call(name, self)

    method.__name__ = name
    return method


def _scalar(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A conversion to a number, for which Python's door has an error of its own."""

    def method(self: Any) -> Any:
        if self.array.size != 1:
            message = "only one element tensors can be converted to Python scalars"
            raise ScriptError("ValueError", message)
        return convert(self)

    return method


_REFLECTED: dict[str, Callable[[Any, Any], Any]] = {
    "sub": lambda number, tensor: _call("rsub", tensor, number),
    "div": lambda number, tensor: _call("mul", _call("reciprocal", tensor), number),
    "floor_divide": lambda number, tensor: _call("floor_divide", _like(number, tensor), tensor),
    "remainder": lambda number, tensor: _call("remainder", number, tensor),
    "pow": lambda number, tensor: _call("pow", number, tensor),
    "lshift": lambda number, tensor: _call("bitwise_left_shift", number, tensor),
    "rshift": lambda number, tensor: _call("bitwise_right_shift", number, tensor),
}


def _like(number: Any, tensor: Any) -> Any:
    """A number as a tensor without dimensions, of the dtype that it and a tensor meet in."""
    return type(tensor)(number_array(number, number_dtype(tensor.array, number)))


def _part(name: str) -> property:
    """``x.real``, which may be set: ``x.real = y``."""

    def set_part(self: Any, value: Any) -> None:
        part = _call(name, self)
        part[...] = value

    return property(_unary(name), set_part)


def _conversion(dtype: str) -> Callable[[Any], Any]:
    """``x.long()``"""

    def method(self: Any) -> Any:
        return _call("to", self, getattr(dtypes, dtype))

    method.__name__ = dtype
    return method


SELF_SECOND = ("where", "polygamma")
"""Methods of which the tensor is the second argument of the operator."""


class TensorOperators:
    """``a + b``, ``-a``, ``a < b``, ``a[i]``, ``a.relu()``, ``a.T``."""

    __slots__ = ()
    __array_priority__ = 1000  # ``array + tensor`` is left to the tensor

    __add__ = __radd__ = _binary("add")
    __sub__ = _binary("sub")
    __rsub__ = _reflected("sub")
    __mul__ = __rmul__ = _binary("mul")
    __truediv__ = _binary("div")
    __rtruediv__ = _reflected("div")
    __floordiv__ = _binary("floor_divide")
    __rfloordiv__ = _reflected("floor_divide")
    __mod__ = _binary("remainder")
    __rmod__ = _reflected("remainder")
    __pow__ = _binary("pow")
    __rpow__ = _reflected("pow")
    __matmul__ = _binary("matmul")
    __rmatmul__ = _reflected("matmul")
    __and__ = __rand__ = _binary("__and__")
    __or__ = __ror__ = _binary("__or__")
    __xor__ = __rxor__ = _binary("__xor__")
    __lshift__ = _binary("__lshift__")
    __rlshift__ = _reflected("lshift")
    __rshift__ = _binary("__rshift__")
    __rrshift__ = _reflected("rshift")
    __iadd__ = _binary("add_")
    __isub__ = _binary("sub_")
    __imul__ = _binary("mul_")
    __itruediv__ = _binary("div_")
    __ifloordiv__ = _binary("floor_divide_")
    __imod__ = _binary("remainder_")
    __ipow__ = _binary("pow_")
    __iand__ = _binary("__iand__")
    __ior__ = _binary("__ior__")
    __ixor__ = _binary("__ixor__")
    __ilshift__ = _binary("__ilshift__")
    __irshift__ = _binary("__irshift__")
    __eq__ = _binary("eq")
    __ne__ = _binary("ne")
    __lt__ = _binary("lt")
    __le__ = _binary("le")
    __gt__ = _binary("gt")
    __ge__ = _binary("ge")
    __neg__ = _unary("neg")
    __pos__ = _unary("alias")
    __abs__ = _unary("abs")
    __invert__ = _unary("bitwise_not")
    __bool__ = _unary("Bool")
    __int__ = _scalar(_unary("Int"))
    __float__ = _scalar(_unary("Float"))
    __complex__ = _scalar(lambda self: builtins.complex(self.item()))
    __hash__ = object.__hash__

    T = property(_unary("numpy_T"))
    mT = property(_unary("mT"))
    mH = property(_unary("mH"))
    data = property(_unary("detach"))
    H = property(_unary("matrix_H"))
    real = _part("real")
    imag = _part("imag")

    bool = _conversion("bool_")
    byte = _conversion("uint8")
    char = _conversion("int8")
    short = _conversion("int16")
    int = _conversion("int32")
    long = _conversion("int64")
    half = _conversion("float16")
    bfloat16 = _conversion("bfloat16")
    float = _conversion("float32")
    double = _conversion("float64")

    def size(self: Any, dim: Any = None) -> Any:
        """The shape, or one extent of it."""
        if (
            trace_state.running
            and (recorder := trace_state.current()) is not None
            and dim is not None
        ):
            return recorder.size(self, dim, self.array.shape[dim])
        return self.shape if dim is None else _call("size", self, dim)

    def stride(self: Any, dim: Any = None) -> Any:
        """The steps in elements from one index to the next, for all dimensions or one."""
        return tuple(_call("stride", self)) if dim is None else _call("stride", self, dim)

    def __contains__(self, element: Any) -> builtins.bool:
        """Whether an element equals a number, or what a tensor of numbers stretches to."""
        return builtins.bool(_call("any", _call("eq", self, element)))

    def __getitem__(self, key: Any) -> Any:
        return tensor_indexing().get_item(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        tensor_indexing().set_item(self, key, value)

    @classmethod
    def __torch_function__(cls, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """A function of the user's PyTorch that was called with a tensor of tsc."""
        return torch_functions().torch_function(func, args, kwargs or {})

    def __getattr__(self, name: str) -> Any:
        """A method that is an operator: ``x.sum(dim=0)``."""
        if name.startswith("__"):
            raise AttributeError(f"'Tensor' object has no attribute {name!r}")
        if name in SELF_SECOND:
            return partial(_call_with_self_second, name, self)
        eager = eager_operators()
        if name in TENSOR_METHODS and eager.has_operator(name):
            return partial(eager.call, name, self)
        if eager.has_attribute(name):
            return eager.attribute(name, self)
        raise AttributeError(eager.no_attribute(name), name=name, obj=self)
