"""Hashes of the elements of tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tsc.runtime.arrays.dimensions import reduced_dimensions
from tsc.runtime.arrays.dtypes import DOUBLE, LONG
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, FLOATING_DTYPES, not_implemented
from tsc.runtime.operators.out_variants import out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray


@operator(
    "aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"
)
def hash_tensor(
    self: Tensor, dim: Sequence[int] = (), keepdim: bool = False, mode: int = 0
) -> Tensor:
    """The bits of the elements, as 64-bit floats or ints, combined by exclusive or."""
    a = self.array
    if mode != 0:
        raise ScriptError("RuntimeError", f"Unknown hash_tensor mode: {mode}")
    if a.dtype in COMPLEX_DTYPES:
        raise not_implemented("xor_sum_cpu", a.dtype)
    axis = reduced_dimensions(dim, a.ndim)
    _check_not_empty(a, axis)
    wide = a.astype(DOUBLE if a.dtype in FLOATING_DTYPES else LONG)
    bits = np.bitwise_xor.reduce(wide.view(np.uint64), axis, keepdims=keepdim)
    return Tensor(asarray(bits))


def _check_not_empty(a: np.ndarray, axis: tuple[int, ...] | None) -> None:
    if a.size:
        return
    if axis is None:
        raise ScriptError(
            "RuntimeError",
            "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify "
            "the reduction dim with the 'dim' argument.",
        )
    for dim in axis:
        if a.ndim and a.shape[dim] == 0:
            message = f"hash_tensor: Expected reduction dim {dim} to have non-zero size."
            raise ScriptError("IndexError", message)


out_forms(same("Expected result to be of dtype uint64, but got {out}"), "hash_tensor")
