"""Kernels made from NumPy functions that work element by element.

The fast path is for operands whose dtypes agree: one test, one NumPy call, one `Tensor`. Promotion
and PyTorch's errors live off that path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tsc.compiler.schema import Promotion, ScalarExpression
from tsc.runtime.arrays.dimensions import (
    check_broadcast,
    check_no_partial_overlap,
    check_not_expanded,
    check_writable_as,
)
from tsc.runtime.arrays.dtypes import (
    BFLOAT16,
    BOOL,
    CATEGORY,
    COMPLEX,
    COMPLEX_DOUBLE,
    COMPLEX_FLOAT,
    DEFAULT_DTYPE,
    DOUBLE,
    FLOAT,
    FLOATING,
    HALF,
    LONG,
    scalar_name,
)
from tsc.runtime.arrays.memory_layout import laid_out
from tsc.runtime.arrays.type_promotion import (
    COMPUTE_DTYPE,
    Number,
    check_can_cast,
    checked_number_array,
    floating_dtype,
    number_array,
    number_dtype,
    pair_dtype,
)
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.kernel_notes import noted
from tsc.runtime.values.tensor import Tensor, asarray, ndarray

np_array = np.array
ArrayFunction = Callable[..., np.ndarray]

DIRECT: dict[type, frozenset[np.dtype]] = {
    float: frozenset({FLOAT, DOUBLE, COMPLEX_FLOAT, COMPLEX_DOUBLE}),
    int: frozenset({LONG, FLOAT, DOUBLE, COMPLEX_FLOAT, COMPLEX_DOUBLE}),
    bool: frozenset({BOOL, LONG, FLOAT, DOUBLE}),
    complex: frozenset({COMPLEX_FLOAT, COMPLEX_DOUBLE}),
}
"""Array dtypes that a Python number of each type joins without promotion or loss of range."""

EXACT: dict[type, frozenset[np.dtype]] = {
    float: frozenset({DOUBLE}),
    int: frozenset({LONG, FLOAT, DOUBLE}),
    bool: frozenset({BOOL, LONG, FLOAT, DOUBLE}),
}
"""Array dtypes whose range covers all Python numbers of a type."""

ALL_DTYPES = frozenset(CATEGORY)
FLOATING_DTYPES = frozenset(dtype for dtype in CATEGORY if CATEGORY[dtype] >= FLOATING)
COMPLEX_DTYPES = frozenset(dtype for dtype in CATEGORY if CATEGORY[dtype] == COMPLEX)
INTEGRAL_DTYPES = frozenset(dtype for dtype in CATEGORY if CATEGORY[dtype] < FLOATING)
"""Integers and bool."""
NOT_REAL_FLOATING = frozenset(dtype for dtype in CATEGORY if CATEGORY[dtype] != FLOATING)
BOOL_AND_COMPLEX = COMPLEX_DTYPES | {BOOL}
NONE: frozenset[np.dtype] = frozenset()


@dataclass(frozen=True, slots=True)
class Elementwise:
    """A function of arrays of one dtype, and the dtypes it is for.

    `floating`: integers are taken to the default dtype first. `truth`: the results are truth values.
    `wide_numbers`: in half precision a number is not rounded first, and all is computed in float32.
    `refused` are the dtypes PyTorch has no kernel for; its message names the kernel, `name`. `text` says
    what is computed in terms of basic operators, where that can be; a kernel that is made from it
    keeps it as a `ScalarExpression`, for its operator's record.
    """

    function: ArrayFunction
    name: str = ""
    floating: bool = False
    refused: frozenset[np.dtype] = NONE
    truth: bool = False
    wide_numbers: bool = False
    text: str = ""

    @property
    def expression(self) -> ScalarExpression:
        """What a kernel made from it computes of single elements."""
        promotion = Promotion.FLOATING if self.floating else Promotion.MEETING
        return ScalarExpression(
            Promotion.TRUTH if self.truth else promotion,
            self.text,
            rounds_numbers=not self.wide_numbers,
        )

    @property
    def accepted(self) -> frozenset[np.dtype]:
        """The dtypes whose operands need no preparation."""
        return (FLOATING_DTYPES if self.floating else ALL_DTYPES) - self.refused

    def checked(self, dtype: np.dtype) -> np.dtype:
        """The dtype to compute in for operands that meet in `dtype`."""
        if self.floating:
            dtype = floating_dtype(dtype)
        if dtype in self.refused:
            raise not_implemented(self.name, dtype)
        return dtype

    def prepared(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Two arrays in the dtype they meet in."""
        dtype = self.checked(pair_dtype(a, b))
        return a.astype(dtype, copy=False), b.astype(dtype, copy=False)

    def with_number(self, a: np.ndarray, number: Number) -> np.ndarray:
        """The result on an array and a number."""
        dtype = self.checked(number_dtype(a, number))
        compute = COMPUTE_DTYPE.get(dtype, dtype) if self.wide_numbers else dtype
        result = asarray(
            self.function(a.astype(compute, copy=False), number_array(number, compute))
        )
        return result.astype(dtype) if result.dtype is compute is not dtype else result


def fitting_number(number: Number, dtype: np.dtype) -> np.ndarray:
    """`number` as a 0-dim array of `dtype`; an error if it is out of range."""
    if type(number) is float:
        if (dtype is FLOAT and -3e38 < number < 3e38) or dtype is DOUBLE:
            return np_array(number, dtype)
    elif type(number) is not complex and dtype in EXACT[type(number)]:
        return np_array(number, dtype)
    return checked_number_array(number, dtype)


def not_implemented(name: str, dtype: np.dtype) -> ScriptError:
    message = f"\"{name}\" not implemented for '{scalar_name(dtype)}'"
    return ScriptError("NotImplementedError", message)


def composed(text: str, *, rounds_numbers: bool = False) -> ScalarExpression:
    """What is computed in the dtype in which the operands meet, in terms of basic operators."""
    return ScalarExpression(Promotion.MEETING, text, rounds_numbers=rounds_numbers)


def promote(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both arrays in the dtype they meet in."""
    dtype = pair_dtype(a, b)
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def binary(operation: Elementwise) -> Callable[[Tensor, Tensor], Tensor]:
    """A kernel on two tensors."""
    function, accepted = operation.function, operation.accepted

    def kernel(self: Tensor, other: Tensor) -> Tensor:
        a = self.array
        b = other.array
        if a.dtype is not b.dtype or a.dtype not in accepted:
            a, b = operation.prepared(a, b)
        try:
            result = function(a, b)
        except ValueError:
            check_broadcast(a, b)
            raise
        if not (a.flags.c_contiguous and result.flags.c_contiguous):
            result = laid_out(result, self.array, other.array)
        return Tensor(result if type(result) is ndarray else asarray(result))

    return noted(kernel, expression=operation.expression)


def binary_number(operation: Elementwise) -> Callable[[Tensor, Number], Tensor]:
    """A kernel on a tensor and a Python number."""
    function, direct = operation.function, _direct(operation)

    def kernel(self: Tensor, other: Number) -> Tensor:
        a = self.array
        dtype = a.dtype
        if dtype in direct[type(other)]:
            result = function(a, np_array(other, dtype))
        else:
            result = operation.with_number(a, other)
        return Tensor(result if type(result) is ndarray else asarray(result))

    return noted(kernel, expression=operation.expression)


def _direct(operation: Elementwise) -> dict[type, frozenset[np.dtype]]:
    return {kind: dtypes & operation.accepted for kind, dtypes in DIRECT.items()}


def number_binary(operation: Elementwise) -> Callable[[Number, Tensor], Tensor]:
    """A kernel on a Python number and a tensor, in this order."""
    function = operation.function
    swapped = replace(operation, function=lambda b, a: function(a, b))

    def kernel(self: Number, other: Tensor) -> Tensor:
        return Tensor(swapped.with_number(other.array, self))

    return noted(kernel, expression=operation.expression)


def binary_in_place(operation: Elementwise) -> Callable[[Tensor, Tensor], Tensor]:
    """A kernel that writes the result on two tensors into the first; the function is a ufunc."""
    function, accepted = operation.function, operation.accepted

    def kernel(self: Tensor, other: Tensor) -> Tensor:
        a = self.array
        b = other.array
        if 0 in a.strides:
            check_not_expanded(a)
        if a.base is not None or b.base is not None:
            check_no_partial_overlap(a, b)
        if a.dtype is not b.dtype or a.dtype not in accepted:
            _store_promoted(function, a, *operation.prepared(a, b))
            return self
        try:
            function(a, b, out=a)
        except ValueError:
            check_writable_as(a, b)
            raise
        return self

    return kernel


def _store_promoted(
    function: ArrayFunction, target: np.ndarray, a: np.ndarray, b: np.ndarray
) -> None:
    check_can_cast(a.dtype, target.dtype)
    check_writable_as(target, b)
    target[...] = asarray(function(a, b))


def binary_number_in_place(operation: Elementwise) -> Callable[[Tensor, Number], Tensor]:
    """A kernel that writes the result on a tensor and a Python number into the tensor."""
    function, direct = operation.function, _direct(operation)

    def kernel(self: Tensor, other: Number) -> Tensor:
        a = self.array
        dtype = a.dtype
        if 0 in a.strides:
            check_not_expanded(a)
        if dtype in direct[type(other)]:
            function(a, np_array(other, dtype), out=a)
        else:
            result = operation.with_number(a, other)
            check_can_cast(result.dtype, dtype)
            a[...] = result
        return self

    return kernel


def unary(
    function: ArrayFunction, name: str = "", refused: frozenset[np.dtype] = NONE, text: str = ""
) -> Callable[[Tensor], Tensor]:
    """A kernel on one tensor that keeps its dtype; for the `text` see `Elementwise`."""

    def kernel(self: Tensor) -> Tensor:
        a = self.array
        if a.dtype in refused:
            raise not_implemented(name, a.dtype)
        result = function(a)
        return Tensor(result if type(result) is ndarray else asarray(result))

    return noted(kernel, expression=ScalarExpression(Promotion.MEETING, text))


def unary_floating(
    function: ArrayFunction, name: str = "", refused: frozenset[np.dtype] = NONE, text: str = ""
) -> Callable[[Tensor], Tensor]:
    """A kernel on one tensor with a floating-point result; for the `text` see `Elementwise`."""
    accepted = FLOATING_DTYPES - refused

    def kernel(self: Tensor) -> Tensor:
        a = self.array
        if a.dtype not in accepted:
            if a.dtype in refused:
                raise not_implemented(name, a.dtype)
            a = a.astype(DEFAULT_DTYPE)
        result = function(a)
        return Tensor(result if type(result) is ndarray else asarray(result))

    return noted(kernel, expression=ScalarExpression(Promotion.FLOATING, text))


def unary_in_place(function: np.ufunc) -> Callable[[Tensor], Tensor]:
    """A kernel that writes its floating-point result into its tensor."""

    def kernel(self: Tensor) -> Tensor:
        a = self.array
        if 0 in a.strides:
            check_not_expanded(a)
        if a.dtype not in FLOATING_DTYPES:
            check_can_cast(DEFAULT_DTYPE, a.dtype)
        function(a, out=a)
        return self

    return kernel


def widened(function: ArrayFunction) -> ArrayFunction:
    """`function`, computed in float32 where its argument has half precision."""

    def on_wide(a: np.ndarray) -> np.ndarray:
        dtype = a.dtype
        if dtype is HALF or dtype is BFLOAT16:
            return asarray(function(a.astype(FLOAT)), dtype)
        return function(a)

    return on_wide
