"""Sums, means and maxima of the rows of a table that each bag of indices names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, LONG, PROMOTED, scalar_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.numerics.neural.bags import bag_maxima, bag_sums
from tsc.runtime.operators.neural_network.embedding import check_index_dtype
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.values.tensor import Tensor

SUM, MEAN, MAX = range(3)
Bags = tuple[Tensor, Tensor, Tensor, Tensor]

_HEAD = "Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq"
_WEIGHTS = "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False"
_RESULTS = "(Tensor, Tensor, Tensor, Tensor)"


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


@dataclass(frozen=True, slots=True)
class Call:
    """Checked arguments: which rows each bag has, and the weights of the rows."""

    table: np.ndarray
    rows: np.ndarray
    offsets: np.ndarray
    weights: np.ndarray | None
    mode: int
    include_last_offset: bool
    padding_idx: int

    @property
    def count(self) -> int:
        return len(self.offsets) - self.include_last_offset

    def sizes(self) -> np.ndarray:
        """How many rows each bag has. The last bag has all rows that are left."""
        bounds = np.empty(self.count + 1, LONG)
        bounds[:-1], bounds[-1] = self.offsets[: self.count], len(self.rows)
        sizes = bounds[1:] - bounds[:-1]
        if sizes.size and sizes.min() < 0:
            _refuse("offsets of embedding_bag must not decrease")
        return sizes


def _check(
    weight: Tensor, indices: Tensor, offsets: Tensor, mode: int, per_sample_weights: Tensor | None
) -> None:
    table, rows, starts = weight.array, indices.array, offsets.array
    for name, a, ndim in (("weight", table, 2), ("offsets", starts, 1)):
        if a.ndim != ndim:
            _refuse(f"{name} has to be a {ndim}D Tensor, but got Tensor of dimension {a.ndim}")
    check_index_dtype("embedding_bag", rows)
    check_index_dtype("embedding_bag", starts)
    if CATEGORY[table.dtype] != FLOATING:
        _refuse(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got torch.{scalar_name(table.dtype)}Tensor "
            "instead (while checking arguments for embedding_bag)"
        )
    if mode not in (SUM, MEAN, MAX):
        _refuse("`mode` must be sum, mean, or max.")
    if starts.size:
        _check_offsets(starts, rows.shape[0] if rows.ndim else 1)
    if per_sample_weights is not None:
        _check_weights(table, rows, mode, per_sample_weights.array)


def _check_offsets(starts: np.ndarray, count: int) -> None:
    if starts[0] != 0:
        _refuse(
            f"offsets[0] has to be 0, as the first bag begins with the first index, not {starts[0]}"
        )
    if starts[-1] > count:
        _refuse(
            f"offsets[-1] can not be greater than the number of indices, {count}: it is {starts[-1]}"
        )


def _check_weights(table: np.ndarray, rows: np.ndarray, mode: int, weights: np.ndarray) -> None:
    if mode != SUM:
        _refuse("embedding_bag: per_sample_weights are only supported with mode='sum'")
    if weights.dtype is not table.dtype:
        kinds = (
            f"torch.{scalar_name(table.dtype)}Tensor",
            f"torch.{scalar_name(weights.dtype)}Tensor",
        )
        _refuse(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument "
            f"#1 'per_sample_weights'; but type {kinds[0]} does not equal {kinds[1]} (while "
            "checking arguments for embedding_bag)"
        )
    if weights.size != rows.size:
        _refuse(
            "Expected per_sample_weights to be as many as the indices: "
            f"{weights.size} weights for {rows.size}"
        )


def _check_range(rows: np.ndarray, extent: int) -> None:
    if rows.size and not 0 <= rows.min() <= rows.max() < extent:
        outside = np.flatnonzero((rows < 0) | (rows >= extent))
        _refuse(
            f"Index {outside[0]} of input takes value {rows[outside[0]]} which is not in the valid "
            f"range [0, {extent})"
        )


def _call(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    mode: int,
    per_sample_weights: Tensor | None,
    include_last_offset: bool,
    padding_idx: int,
) -> Call:
    _check(weight, indices, offsets, mode, per_sample_weights)
    rows, starts = indices.array.reshape(-1), offsets.array
    if include_last_offset and not starts.size:
        _refuse("include_last_offset: number of offsets should be at least 1: the end of the last")
    _check_range(rows, len(weight.array))
    dtype = PROMOTED[rows.dtype, starts.dtype]
    weights = None if per_sample_weights is None else per_sample_weights.array.reshape(-1)
    return Call(
        weight.array,
        rows.astype(dtype, copy=False),
        starts.astype(dtype, copy=False),
        weights,
        mode,
        include_last_offset,
        padding_idx,
    )


def _reduced(call: Call, forward_only: bool) -> Bags:
    """The bags, the bag of each row, and the sizes and the greatest rows of the bags."""
    dtype = call.rows.dtype
    sizes = call.sizes()
    owners = np.repeat(np.arange(call.count), sizes)
    rows = call.rows[: len(owners)]
    weights = None if call.weights is None else call.weights[: len(owners)]
    if call.padding_idx >= 0:
        kept = rows != call.padding_idx
        rows = rows[kept]
        weights = None if weights is None else weights[kept]
        sizes = np.bincount(owners[kept], minlength=call.count)
    table = call.table
    if call.mode == MAX:
        result, winners = bag_maxima(table, rows, sizes)
        return (
            Tensor(result),
            Tensor(owners.astype(dtype)),
            Tensor(sizes.astype(dtype)),
            Tensor(winners.astype(dtype)),
        )
    totals = bag_sums(table, rows, sizes, None if weights is None else widened(weights))
    if call.mode == MEAN:
        np.true_divide(totals, np.maximum(sizes, 1).astype(totals.dtype)[:, np.newaxis], totals)
        counted = sizes.astype(dtype)
    else:
        length = len(call.offsets) if forward_only else call.count
        counted = np.zeros(length, dtype)
        if _is_added_directly(call):
            owners = np.empty(0, dtype)
    return (
        Tensor(narrowed(totals, table.dtype)),
        Tensor(owners.astype(dtype)),
        Tensor(counted),
        Tensor(counted.copy()),
    )


def _is_added_directly(call: Call) -> bool:
    """PyTorch then does not say which bag each row belongs to."""
    table = call.table
    return table.itemsize < 8 and table.strides[1] == table.itemsize and call.padding_idx < 0


@operator(
    f"aten::embedding_bag({_HEAD}=False, int mode=0, {_WEIGHTS}) -> {_RESULTS}",
)
def embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = SUM,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
) -> Bags:
    call = _call(weight, indices, offsets, mode, per_sample_weights, include_last_offset, -1)
    return _reduced(call, forward_only=True)


@operator(
    f"aten::embedding_bag.padding_idx({_HEAD}, int mode, bool sparse, Tensor? per_sample_weights,"
    f" bool include_last_offset, int? padding_idx) -> {_RESULTS}"
)
def embedding_bag_with_padding(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Tensor | None,
    include_last_offset: bool,
    padding_idx: int | None,
) -> Bags:
    """Rows at `padding_idx` are left out."""
    count = weight.array.shape[0] if weight.array.ndim else 0
    skipped = -1
    if padding_idx is not None:
        if not -count <= padding_idx < count:
            _refuse(
                f"padding_idx must be within the number of embeddings, from -{count} to "
                f"{count - 1}, not {padding_idx}"
            )
        skipped = padding_idx % count
    call = _call(weight, indices, offsets, mode, per_sample_weights, include_last_offset, skipped)
    return _reduced(call, forward_only=True)


def _declare_forward(name: str, forward_only: bool) -> None:
    def forward(
        weight: Tensor,
        indices: Tensor,
        offsets: Tensor,
        scale_grad_by_freq: bool = False,
        mode: int = SUM,
        sparse: bool = False,
        per_sample_weights: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int = -1,
    ) -> Bags:
        call = _call(
            weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx
        )
        return _reduced(call, forward_only)

    operator(
        f"aten::{name}({_HEAD}=False, int mode=0, {_WEIGHTS}, int padding_idx=-1) -> {_RESULTS}"
    )(forward)


_declare_forward("_embedding_bag", forward_only=False)
_declare_forward("_embedding_bag_forward_only", forward_only=True)

out_forms(SAME, "_embedding_bag _embedding_bag_forward_only")
