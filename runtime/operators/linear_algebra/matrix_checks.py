"""What operators on matrices demand of their arguments, in PyTorch's words."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, HALF, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented


def refuse(message: str) -> ScriptError:
    return ScriptError("RuntimeError", message)


def check_floating(name: str, a: np.ndarray) -> None:
    if CATEGORY[a.dtype] < FLOATING:
        raise refuse(
            f"{name}: Expected a floating point or complex tensor, not {scalar_name(a.dtype)}; "
            "convert it, as with .float()"
        )
    if a.dtype.itemsize == HALF.itemsize:
        raise refuse(f"{name}: Low precision dtypes not supported. Got {scalar_name(a.dtype)}")


def check_has_kernel(kernel_name: str, a: np.ndarray) -> None:
    if CATEGORY[a.dtype] < FLOATING or a.dtype.itemsize == HALF.itemsize:
        raise not_implemented(kernel_name, a.dtype)


def check_matrix(name: str, a: np.ndarray, argument: str = "A") -> None:
    if a.ndim < 2:
        raise refuse(f"{name}: The input tensor {argument} must have at least 2 dimensions.")


def check_square(name: str, a: np.ndarray, argument: str = "A") -> None:
    check_matrix(name, a, argument)
    if a.shape[-1] != a.shape[-2]:
        raise refuse(
            f"{name}: {argument} must be square matrices: these are of {a.shape[-2]} rows and "
            f"{a.shape[-1]} columns"
        )


def check_same_dtype(name: str, a: np.ndarray, b: np.ndarray, names: tuple[str, str]) -> None:
    if a.dtype is not b.dtype:
        first, second = names
        raise refuse(
            f"{name}: Expected {first} and {second} to have the same dtype, but found {first} of "
            f"type {scalar_name(a.dtype)} and {second} of type {scalar_name(b.dtype)} instead"
        )


def check_equation(name: str, a: np.ndarray, b: np.ndarray, *, left: bool = True) -> None:
    """That AX = B, or XA = B, has shapes that fit."""
    if a.shape[-2] != b.shape[-2 if left else -1]:
        raise refuse(
            f"{name}: Incompatible shapes of A and B in {'AX' if left else 'XA'} = B: "
            f"{a.shape[-2]}x{a.shape[-1]} and {b.shape[-2]}x{b.shape[-1]}"
        )


def check_status(name: str, status: np.ndarray, explanation: str) -> None:
    """Raise if a LAPACK status is not 0; ``{}`` in the explanation is its number."""
    failed = np.flatnonzero(status)
    if failed.size:
        place = f"(Batch element {failed[0]}): " if status.ndim else ""
        number = int(status.reshape(-1)[failed[0]])
        raise refuse(f"{name}: {place}{explanation.format(number)}")
