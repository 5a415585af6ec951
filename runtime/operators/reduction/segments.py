"""Reductions of the segments that a dimension is cut into."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tsc.runtime.arrays.type_promotion import Number, number_array
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import not_implemented
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

_REDUCTIONS = {
    "sum": (np.add, 0.0),
    "mean": (np.add, 0.0),
    "prod": (np.multiply, 1.0),
    "max": (np.maximum, -np.inf),
    "min": (np.minimum, np.inf),
}
_LONG_NAMES = {"amax": "max", "amin": "min"}


@operator(
    "aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None,"
    " Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"
)
def segment_reduce(
    data: Tensor,
    reduce: str,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Number | None = None,
) -> Tensor:
    """Segments along `axis` have `lengths`, or lie between successive `offsets`.

    Both may differ for each place in the dimensions before `axis`.
    """
    a = data.array
    reduce = _LONG_NAMES.get(reduce, reduce)
    if reduce not in _REDUCTIONS:
        message = f"reduce argument must be sum, prod, mean, amax or amin, not {reduce}"
        raise ScriptError("RuntimeError", message)
    if a.dtype.kind not in "fV":
        raise not_implemented("_segment_reduce_cpu", a.dtype)
    boundaries = _boundaries(a, lengths, indices, offsets, axis, unsafe)
    return Tensor(_reduced(a, boundaries, reduce, initial, axis))


def _boundaries(
    a: np.ndarray,
    lengths: Tensor | None,
    indices: Tensor | None,
    offsets: Tensor | None,
    axis: int,
    unsafe: bool,
) -> np.ndarray:
    """Where segments begin, and after them the end of the last; inside of the dimension."""
    if indices is not None:
        message = "segment_reduce(): indices are not supported: give lengths or offsets"
        raise ScriptError("RuntimeError", message)
    given = offsets if offsets is not None else lengths
    if given is None:
        message = "segment_reduce(): Either lengths or offsets must be given"
        raise ScriptError("RuntimeError", message)
    name = "offsets" if offsets is not None else "lengths"
    numbers = given.array
    if numbers.ndim - 1 != axis or numbers.shape[:axis] != a.shape[:axis]:
        raise ScriptError(
            "RuntimeError",
            f"segment_reduce(): axis {axis} must be the last dimension of {name}, and the "
            f"shapes must agree before it: {list(numbers.shape)} for {list(a.shape)}",
        )
    if numbers.size and numbers.min() < 0:
        raise ScriptError("RuntimeError", f"{name} contains negative value!")
    if offsets is not None:
        boundaries = numbers
    else:
        zero = np.zeros((*numbers.shape[:-1], 1), np.int64)
        boundaries = np.concatenate((zero, np.cumsum(numbers, -1)), -1)
    _check_boundaries(boundaries, a.shape[axis], name, unsafe)
    return boundaries


def _check_boundaries(boundaries: np.ndarray, extent: int, name: str, unsafe: bool) -> None:
    if not boundaries.size:
        return
    if name == "lengths" and not unsafe and (boundaries[..., -1] != extent).any():
        raise ScriptError(
            "RuntimeError",
            "segment_reduce(): Expected all rows of lengths along axis to sum to "
            "data.size(lengths.dim()-1) when !unsafe.",
        )
    if boundaries.max() > extent or (np.diff(boundaries, axis=-1) < 0).any():
        raise ScriptError(
            "RuntimeError",
            f"segment_reduce(): {name} reach outside of a dimension of size {extent}",
        )


def _reduced(
    a: np.ndarray, boundaries: np.ndarray, reduce: str, initial: Number | None, axis: int
) -> np.ndarray:
    ufunc, identity = _REDUCTIONS[reduce]
    start = number_array(identity if initial is None else initial, a.dtype)
    count = max(boundaries.shape[-1] - 1, 0)
    result = np.empty((*a.shape[:axis], count, *a.shape[axis + 1 :]), a.dtype)
    for place in np.ndindex(*a.shape[:axis]):
        limits = boundaries[place].tolist()
        for number, (low, high) in enumerate(pairwise(limits)):
            part = ufunc.reduce(a[place][low:high], 0, initial=start)
            if reduce == "mean":
                part = _mean(part, high - low, initial)
            result[(*place, number)] = part
    return result


def _mean(total: np.ndarray, count: int, initial: Number | None) -> np.ndarray:
    """The mean of a segment; an empty one has none, unless an initial value is given."""
    if count:
        return total / np.array(count, total.dtype)
    return total if initial is not None else np.full_like(total, np.nan)


out_forms(SAME, "segment_reduce")
