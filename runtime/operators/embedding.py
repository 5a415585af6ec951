"""Lookups in embedding tables, dropout, and sequences of several lengths."""

from __future__ import annotations

import math

import numpy as np

from runtime.dtypes import LONG, scalar_name
from runtime.errors import ScriptError
from runtime.operators.gathering import check_rows
from runtime.operators.normalization import renormalized
from runtime.operators.random_sampling import dropout_mask
from runtime.operators.registration import operator
from runtime.operators.variants import in_place_variant
from runtime.tensor import Tensor, asarray, wrap

INT = np.dtype(np.int32)


def _checked(weight: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """The indices, which must be rows of the table."""
    if indices.dtype is not LONG and indices.dtype is not INT:
        raise ScriptError(
            "RuntimeError",
            "Expected tensor for argument #1 'indices' to have one of the following scalar "
            f"types: Long, Int; but got torch.{scalar_name(indices.dtype)}Tensor instead "
            "(while checking arguments for embedding)",
        )
    check_rows(indices, len(weight))
    return indices


@operator(
    "aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1,"
    " bool scale_grad_by_freq=False, bool sparse=False) -> Tensor"
)
def embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    table = weight.array
    if table.ndim != 2:
        raise ScriptError("RuntimeError", "'weight' must be 2-D")
    return Tensor(table.take(_checked(table, indices.array), 0))


@operator(
    "aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type)"
    " -> Tensor(a!)"
)
def embedding_renorm_(self: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    rows = np.unique(_checked(self.array, indices.array))
    self.array[rows] = renormalized(self.array[rows], norm_type, 0, max_norm)
    return self


@operator(
    "aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets,"
    " bool scale_grad_by_freq=False, int mode=0, bool sparse=False,"
    " Tensor? per_sample_weights=None, bool include_last_offset=False)"
    " -> (Tensor, Tensor, Tensor, Tensor)"
)
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Sums (`mode` 0), means (1) or maxima (2) of the rows in each bag."""
    rows = _checked(weight.array, indices.array)
    starts = offsets.array
    ends = np.append(starts[1:], rows.size)
    if include_last_offset:
        starts, ends = starts[:-1], starts[1:]
    looked_up = weight.array[rows]
    if per_sample_weights is not None:
        looked_up = looked_up * per_sample_weights.array[:, np.newaxis]
    bags = [_bag(looked_up[start:end], mode) for start, end in zip(starts, ends)]
    result = np.stack(bags) if bags else np.zeros((0, weight.array.shape[1]), weight.array.dtype)
    if mode == 0:
        zeros = np.zeros(len(starts), LONG)
        return Tensor(result), Tensor(np.empty(0, LONG)), Tensor(zeros), Tensor(zeros.copy())
    sizes = (ends - starts).astype(LONG)
    places = np.repeat(np.arange(len(sizes)), sizes).astype(LONG)
    if mode == 1:
        return Tensor(result), Tensor(places), Tensor(sizes), Tensor(sizes.copy())
    winners = [_winners(rows[s:e], looked_up[s:e]) for s, e in zip(starts, ends)]
    return Tensor(result), Tensor(places), Tensor(sizes), Tensor(np.stack(winners))


def _winners(rows: np.ndarray, looked_up: np.ndarray) -> np.ndarray:
    """For each column of a bag, the table row that has the maximum."""
    if not len(rows):
        return np.zeros(looked_up.shape[1], LONG)
    return rows[np.argmax(looked_up, 0)]


def _bag(rows: np.ndarray, mode: int) -> np.ndarray:
    if not len(rows):
        return np.zeros(rows.shape[1], rows.dtype)
    if mode == 2:
        return rows.max(0)
    total = rows.sum(0)
    return total / rows.dtype.type(len(rows)) if mode == 1 else total


def _check_probability(p: float) -> None:
    if not 0 <= p <= 1:
        message = f"dropout probability has to be between 0 and 1, but got {p:g}"
        raise ScriptError("RuntimeError", message)


def _dropped(a: np.ndarray, shape: tuple[int, ...], p: float, train: bool) -> np.ndarray | None:
    """What is left of `a`, or None if nothing changes."""
    _check_probability(p)
    if p == 0 or not train or a.size == 0:
        return None
    if p == 1:
        return a * np.zeros((), a.dtype)
    return a * dropout_mask(shape, 1 - p, a.dtype)


@operator("aten::dropout(Tensor input, float p, bool train) -> Tensor")
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    result = _dropped(input.array, input.array.shape, p, train)
    return input if result is None else wrap(result)


@operator("aten::feature_dropout(Tensor input, float p, bool train) -> Tensor")
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Whole channels are dropped."""
    a = input.array
    if a.ndim < 2:
        message = "Feature dropout requires at least 2 dimensions in the input"
        raise ScriptError("RuntimeError", message)
    shape = (*a.shape[:2], *(1,) * (a.ndim - 2))
    result = _dropped(a, shape, p, train)
    return input if result is None else wrap(result)


in_place_variant("aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", dropout)
in_place_variant(
    "aten::feature_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", feature_dropout
)


_ALPHA = 1.7580993408473766


def _alpha_dropped(
    a: np.ndarray, shape: tuple[int, ...], p: float, train: bool
) -> np.ndarray | None:
    """Dropout that keeps the mean and variance of what SELU gives."""
    _check_probability(p)
    if p == 0 or not train or a.size == 0:
        return None
    if p == 1:
        return a * np.zeros((), a.dtype)
    kind = a.dtype.type
    scale = 1 / math.sqrt((_ALPHA * _ALPHA * p + 1) * (1 - p))
    kept = dropout_mask(shape, 1 - p, a.dtype) * kind(1 - p)
    shift = (kept - kind(1)) * kind(_ALPHA * scale) + kind(_ALPHA * scale * p)
    return a * (kept * kind(scale)) + shift


@operator("aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor")
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    result = _alpha_dropped(input.array, input.array.shape, p, train)
    return input if result is None else wrap(result)


@operator("aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor")
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    a = input.array
    shape = (*a.shape[:2], *(1,) * (a.ndim - 2))
    result = _alpha_dropped(a, shape, p, train)
    return input if result is None else wrap(result)


in_place_variant(
    "aten::alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)", alpha_dropout
)
in_place_variant(
    "aten::feature_alpha_dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
    feature_alpha_dropout,
)


@operator("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)")
def native_dropout(input: Tensor, p: float, train: bool | None) -> tuple[Tensor, Tensor]:
    a = input.array
    if train is False or p == 0 or a.size == 0:
        return input, Tensor(np.ones(a.shape, np.bool_))
    mask = dropout_mask(a.shape, 1 - p, a.dtype) if p < 1 else np.zeros_like(a)
    return wrap(a * mask), wrap(np.not_equal(mask, 0))


@operator(
    "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0.,"
    ' str padding_side="right") -> Tensor'
)
def pad_sequence(
    sequences: list[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    if not sequences:
        raise ScriptError("RuntimeError", "received an empty list of sequences")
    arrays = [sequence.array for sequence in sequences]
    longest = max(len(a) for a in arrays)
    result = np.full((len(arrays), longest, *arrays[0].shape[1:]), padding_value, arrays[0].dtype)
    for row, a in zip(result, arrays):
        start = longest - len(a) if padding_side == "left" else 0
        row[start : start + len(a)] = a
    return Tensor(asarray(result if batch_first else result.swapaxes(0, 1)))


@operator(
    "aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first)"
    " -> (Tensor, Tensor)"
)
def pack_padded_sequence(
    input: Tensor, lengths: Tensor, batch_first: bool
) -> tuple[Tensor, Tensor]:
    """The steps of all sequences one after the other, and how many sequences reach each."""
    steps = input.array.swapaxes(0, 1) if batch_first else input.array
    sizes = lengths.array
    if sizes.size != steps.shape[1]:
        raise ScriptError(
            "RuntimeError",
            f"Expected `len(lengths)` to be equal to batch_size, but got {sizes.size} "
            f"(batch_size={steps.shape[1]})",
        )
    if sizes.size and sizes[-1] <= 0:
        message = "Length of all samples has to be greater than 0, but found an element in "
        raise ScriptError("RuntimeError", message + "'lengths' that is <= 0")
    if (np.diff(sizes) > 0).any():
        raise ScriptError(
            "RuntimeError",
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
            "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability.",
        )
    batch_sizes = [int((sizes > step).sum()) for step in range(int(sizes[0]))]
    data = np.concatenate([steps[step, :count] for step, count in enumerate(batch_sizes)])
    return Tensor(data), Tensor(np.array(batch_sizes, LONG))


@operator(
    "aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first,"
    " Scalar padding_value, int total_length) -> (Tensor, Tensor)"
)
def pad_packed_sequence(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[Tensor, Tensor]:
    counts = batch_sizes.array.tolist()
    length = len(counts) if total_length <= 0 else total_length
    if length < len(counts):
        raise ScriptError(
            "RuntimeError",
            "Expected total_length to be at least the length of the longest sequence in input, "
            f"but got total_length={total_length} and max sequence length being {len(counts)}",
        )
    rows = data.array
    result = np.full((length, counts[0], *rows.shape[1:]), padding_value, rows.dtype)
    start = 0
    for step, count in enumerate(counts):
        result[step, :count] = rows[start : start + count]
        start += count
    lengths = np.array([sum(count > k for count in counts) for k in range(counts[0])], LONG)
    return Tensor(result.swapaxes(0, 1) if batch_first else result), Tensor(lengths)
