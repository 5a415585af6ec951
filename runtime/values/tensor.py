"""The tensor: a NumPy array with PyTorch's dtypes, sharing memory between views.

A `Tensor` is only its array; dtype, shape and strides are read from it. The array may have zero
dimensions but is never a NumPy scalar. Operators live in `runtime.operators`; the Python operators
of a tensor (``a + b``, ``a[0]``) come from `TensorOperators` and call the same kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tsc.compiler.types import TENSOR, Device, Type
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import DTYPE_OF_NUMPY, DType
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor_operators import TensorOperators
from tsc.runtime.values.text.tensor_constant_text import constant_text
from tsc.runtime.values.text.tensor_printing import format_tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

np.empty(31 << 20, np.uint8)
"""Allocated and freed at once: having seen a large piece freed, glibc's malloc keeps the memory of
temporaries up to that size, where it would give each back to the system and fetch it anew."""

ndarray = np.ndarray
asarray = np.asarray


def _array_of(data: object) -> Array:
    """The elements of nested lists as float32; arrays of NumPy's other classes as they are."""
    if isinstance(data, ndarray):
        return cast("Array", data)
    if isinstance(data, list | tuple):
        try:
            return np.array(cast("list[Any]", data), np.float32)
        except (TypeError, ValueError) as error:
            raise ScriptError("TypeError", f"no numbers to make a tensor of: {error}") from None
    raise ScriptError(
        "TypeError",
        f"new(): data must be a sequence, not {type(data).__name__}: tsc.tensor({data!r:.40}) makes a tensor of it",
    )


class Tensor(TensorOperators):
    """A tensor over `array`, an ``np.ndarray`` of one of the dtypes in `dtypes`.

    Lists of numbers are what Python's ``torch.Tensor`` makes of them: float32.
    """

    __slots__ = ("__weakref__", "array", "autograd")

    def __init__(self, array: Array) -> None:
        self.array = array if array.__class__ is ndarray else _array_of(array)
        self.autograd: AutogradRecord | None = None

    @property
    def dtype(self) -> DType:
        return DTYPE_OF_NUMPY[self.array.dtype]

    @property
    def shape(self) -> tuple[int, ...]:
        """While a trace runs, the sizes are tensors: what is computed from them is recorded."""
        if trace_state.running and (recorder := trace_state.current()) is not None:
            return recorder.sizes(self)
        return self.array.shape

    @property
    def ndim(self) -> int:
        return self.array.ndim

    @property
    def device(self) -> Device:
        return Device("cpu")

    @property
    def requires_grad(self) -> bool:
        return self.autograd is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not value:
            self.autograd = None
            return
        if not (self.dtype.is_floating_point or self.dtype.is_complex):
            message = (
                "only Tensors of floating point and complex dtype can require gradients, not "
                f"of {self.dtype}"
            )
            raise ScriptError("RuntimeError", message)
        if self.autograd is None:
            self.autograd = AutogradRecord()

    @property
    def grad(self) -> Tensor | None:
        return None if self.autograd is None else self.autograd.grad

    def constant_text(self) -> str:
        """How graphs show it where it is a constant, such as the default of a parameter."""
        return constant_text(self.array)

    def constant_type(self) -> Type:
        return TENSOR

    def backward(self) -> None:
        """Not there yet: this runtime records no gradients."""
        raise ScriptError(
            "NotImplementedError", "backward() is not available: tsc records no gradients yet"
        )

    def numpy(self) -> np.ndarray:
        """The array itself: it shares memory with the tensor."""
        if trace_state.running:
            trace_state.leave("numpy", self)
        return self.array

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        if trace_state.running:
            trace_state.leave("numpy", self)
        return np.array(self.array, dtype=dtype, copy=copy)

    def __array_wrap__(
        self, array: np.ndarray, _context: object = None, _return_scalar: bool = False
    ) -> Tensor:
        """``np.sin(tensor)`` is a tensor."""
        return wrap(array)

    def item(self) -> bool | int | float | complex:
        """The Python number of a tensor with one element."""
        if trace_state.running:
            trace_state.leave("item", self)
        if self.array.size != 1:
            message = f"a Tensor with {self.array.size} elements cannot be converted to Scalar"
            raise ScriptError("RuntimeError", message)
        value = self.array.item()
        return value if type(value) in _NUMBERS else float(value)

    def tolist(self) -> object:
        """Nested lists of Python numbers; a number for a 0-dim tensor."""
        if trace_state.running:
            trace_state.leave("tolist", self)
        if self.array.dtype.kind == "V":
            return self.array.astype(np.float32).tolist()
        return self.array.tolist()

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if trace_state.running:
            trace_state.leave("__index__", self)
        if self.array.size != 1 or self.array.dtype.kind not in "iub":
            message = "only an integer tensor of one element can be converted to an index"
            raise ScriptError("TypeError", message)
        return int(self.array.item())

    def __format__(self, form: str) -> str:
        """That of the number for a tensor without dimensions."""
        return format(self.item(), form) if self.array.ndim == 0 else format(str(self), form)

    def __len__(self) -> int:
        if self.array.ndim == 0:
            raise ScriptError("TypeError", "len() of a 0-d tensor")
        if trace_state.running:
            trace_state.leave("__len__", self)
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        if self.array.ndim == 0:
            raise ScriptError("TypeError", "iteration over a 0-d tensor")
        if trace_state.running and (recorder := trace_state.current()) is not None:
            return iter(recorder.rows(self))
        return (wrap(row) for row in self.array)

    def __repr__(self) -> str:
        return format_tensor(self.array, requires_grad=self.requires_grad)

    __hash__ = object.__hash__


_NUMBERS = frozenset({bool, int, float, complex})


class AutogradRecord:
    """What a tensor that requires gradients carries."""

    __slots__ = ("grad",)

    def __init__(self) -> None:
        self.grad: Tensor | None = None


def wrap(result: np.ndarray | np.generic) -> Tensor:
    """A tensor over what a NumPy function returned, an array or (for 0-dim results) a scalar."""
    return Tensor(result if type(result) is ndarray else asarray(result))
