"""Where values belong among sorted ones: searchsorted and bucketize."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import BFLOAT16, BOOL, FLOAT, LONG, scalar_name
from tsc.runtime.arrays.type_promotion import COMPUTE_DTYPE, NUMBER_DTYPE, Number, result_dtype
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.elementwise import COMPLEX_DTYPES, not_implemented, promote
from tsc.runtime.operators.out_variants import SAME, out_forms, same
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.gathering import INT
from tsc.runtime.values.tensor import Tensor, asarray, wrap


def _search(boundaries: np.ndarray, values: np.ndarray, right: bool) -> np.ndarray:
    """Where each value belongs in its row of sorted boundaries."""
    side = "right" if right else "left"
    if boundaries.ndim == 1:
        return np.searchsorted(boundaries, values, side)
    result = np.empty(values.shape, LONG)
    for position in np.ndindex(*boundaries.shape[:-1]):
        result[position] = np.searchsorted(boundaries[position], values[position], side)
    return result


_SEARCH = "*, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None"


@operator(f"aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, {_SEARCH}) -> Tensor")
def searchsorted(
    sorted_sequence: Tensor,
    self: Tensor,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    boundaries, values = sorted_sequence.array, self.array
    problem = _problem(boundaries, values, right, side, None if sorter is None else sorter.array)
    if problem is not None:
        raise ScriptError("RuntimeError", f"torch.searchsorted(): {problem}")
    target = INT if out_int32 else LONG
    if not values.size:
        return Tensor(np.empty(values.shape, target))
    if sorter is not None:
        boundaries = np.take_along_axis(boundaries, sorter.array, -1)
    boundaries, values = promote(boundaries, values)
    if boundaries.dtype is BOOL or boundaries.dtype in COMPLEX_DTYPES:
        raise not_implemented("searchsorted_out_cpu", boundaries.dtype)
    if boundaries.dtype is BFLOAT16:
        boundaries, values = boundaries.astype(FLOAT), values.astype(FLOAT)
    return Tensor(asarray(_search(boundaries, values, right or side == "right"), target))


def _problem(
    boundaries: np.ndarray,
    values: np.ndarray,
    right: bool,
    side: str | None,
    sorter: np.ndarray | None,
) -> str | None:
    """What is wrong with the arguments of searchsorted."""
    if side not in (None, "left", "right"):
        return f"side can only be 'left' or 'right' but got {side}"
    if side == "left" and right:
        return "side and right can't be opposites, and side is left while right is True"
    if sorter is not None:
        if sorter.shape != boundaries.shape:
            return (
                "boundary and sorter must have the same size, not "
                f"{list(boundaries.shape)} and {list(sorter.shape)}"
            )
        if sorter.dtype is not LONG:
            name = scalar_name(sorter.dtype)
            return f"sorter must be a tensor of long dtype but got dtype {name}"
        if sorter.size and not (sorter.min() >= 0 and sorter.max() < sorter.shape[-1]):
            return "sorter index out of range"
    if values.ndim == 0 and boundaries.ndim > 1:
        return (
            "input value can be a scalar only when boundaries tensor dimension is 1, but we got "
            f"boundaries tensor dim({boundaries.ndim}) and input value's dim(0) numel(1)"
        )
    if boundaries.ndim == 0:
        return "boundaries tensor should have positive dimension, but got 0 dimension"
    if boundaries.ndim > 1 and boundaries.shape[:-1] != values.shape[:-1]:
        return (
            "boundaries tensor should be 1 dimension or have the shape of the values up "
            f"to the last dimension, not {list(boundaries.shape)} for {list(values.shape)}"
        )
    return None


@operator(f"aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, {_SEARCH}) -> Tensor")
def searchsorted_number(
    sorted_sequence: Tensor,
    self: Number,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    number = np.array(self, NUMBER_DTYPE[type(self)])
    return searchsorted(sorted_sequence, Tensor(number), out_int32, right, side, sorter)


def _check_boundaries(boundaries: np.ndarray) -> None:
    if boundaries.ndim != 1:
        message = f"boundaries tensor must be 1 dimension, not {boundaries.ndim}"
        raise ScriptError("RuntimeError", message)


_BUCKETS = "*, bool out_int32=False, bool right=False"


@operator(f"aten::bucketize.Tensor(Tensor self, Tensor boundaries, {_BUCKETS}) -> Tensor")
def bucketize(
    self: Tensor, boundaries: Tensor, out_int32: bool = False, right: bool = False
) -> Tensor:
    _check_boundaries(boundaries.array)
    return searchsorted(boundaries, self, out_int32, right)


@operator(f"aten::bucketize.Scalar(Scalar self, Tensor boundaries, {_BUCKETS}) -> Tensor")
def bucketize_number(
    self: Number, boundaries: Tensor, out_int32: bool = False, right: bool = False
) -> Tensor:
    _check_boundaries(boundaries.array)
    return searchsorted_number(boundaries, self, out_int32, right)


_ISIN = "bool assume_unique=False, bool invert=False"


def _is_in(elements: np.ndarray, tested: np.ndarray, invert: bool) -> Tensor:
    for dtype in (elements.dtype, tested.dtype):
        if dtype.kind in "bc":
            message = f"Unsupported input type for isin(): {scalar_name(dtype)}"
            raise ScriptError("RuntimeError", message)
    meeting = result_dtype((elements, tested))
    dtype = COMPUTE_DTYPE.get(meeting, meeting)
    return wrap(np.isin(elements.astype(dtype), tested.astype(dtype), invert=invert))


@operator(f"aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, {_ISIN}) -> Tensor")
def isin(
    elements: Tensor, test_elements: Tensor, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    return _is_in(elements.array, test_elements.array, invert)


@operator(f"aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, {_ISIN}) -> Tensor")
def isin_number(
    elements: Tensor, test_element: Number, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    return _is_in(elements.array, np.array(test_element), invert)


@operator(f"aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, {_ISIN}) -> Tensor")
def number_isin(
    element: Number, test_elements: Tensor, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    return _is_in(np.array(element), test_elements.array, invert)


out_forms(SAME, "bucketize.Scalar")
out_forms(
    same(
        "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or "
        "Long(int64) depending on whether out_int32 flag is True, but we got output tensor's "
        "dtype {out} and out_int32 flag is {is_int32}"
    ),
    "bucketize.Tensor searchsorted.Scalar searchsorted.Tensor",
)
out_forms(SAME, "isin.Scalar_Tensor isin.Tensor_Scalar isin.Tensor_Tensor")
