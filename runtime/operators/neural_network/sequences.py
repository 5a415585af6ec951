"""Sequences of several lengths: padded to one length, and packed step by step."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import LONG
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor, asarray


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
    if not all(a.ndim for a in arrays):
        raise ScriptError(
            "RuntimeError", "pad_sequence expects sequences with at least one dimension"
        )
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
            f"Expected `len(lengths)` to be the batch's size: {sizes.size} lengths for "
            f"{steps.shape[1]} sequences",
        )
    if sizes.size and sizes[-1] <= 0:
        message = f"Length of all samples has to be greater than 0, but one is {sizes[-1]}"
        raise ScriptError("RuntimeError", message)
    if (np.diff(sizes) > 0).any():
        raise ScriptError(
            "RuntimeError",
            "`lengths` must be sorted in decreasing order: sort the sequences, longest first, or "
            "pass `enforce_sorted=False` to have them sorted",
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
            "Expected total_length to be at least the length of the longest sequence, "
            f"{len(counts)}, not {total_length}",
        )
    rows = data.array
    result = np.full((length, counts[0], *rows.shape[1:]), padding_value, rows.dtype)
    start = 0
    for step, count in enumerate(counts):
        result[step, :count] = rows[start : start + count]
        start += count
    lengths = np.array([sum(count > k for count in counts) for k in range(counts[0])], LONG)
    return Tensor(result.swapaxes(0, 1) if batch_first else result), Tensor(lengths)


out_forms(SAME, "_pack_padded_sequence")
