"""Scaled dot-product attention."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.arrays.dimensions import broadcast_shape
from tsc.runtime.arrays.dtypes import BOOL, CATEGORY, FLOAT, FLOATING, c_name, scalar_name
from tsc.runtime.arrays.half_precision import narrowed, widened
from tsc.runtime.arrays.matrix_products import matrix_product
from tsc.runtime.arrays.memory_layout import laid_out
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.native_hooks import native_attention
from tsc.runtime.numerics.neural.attention import Masks, attend, attention_weights, masks_of
from tsc.runtime.numerics.neural.native_work import is_native_work
from tsc.runtime.operators.neural_network.dropout import dropout
from tsc.runtime.operators.registration import random_operator
from tsc.runtime.values.tensor import Tensor

_SCORE = 5
"""Nanoseconds that NumPy takes for a score, about."""
_LEAST_QUERIES = 8
"""For fewer, setting keys side by side takes longer than their products."""


def _refuse(message: str) -> None:
    raise ScriptError("RuntimeError", message)


def _check(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray | None, is_causal: bool
) -> None:
    if q.dtype is not k.dtype or q.dtype is not v.dtype:
        _refuse(
            "Expected query, key, and value to have the same dtype: they are "
            f"{c_name(q.dtype)}, {c_name(k.dtype)} and {c_name(v.dtype)}"
        )
    if min(q.ndim, k.ndim, v.ndim) < 2:
        _refuse(
            "Expected query, key, and value to have at least 2 dimensions each, not "
            f"{q.ndim}, {k.ndim} and {v.ndim}"
        )
    if CATEGORY[q.dtype] != FLOATING:
        _refuse(f"expected scalar type Float but found {scalar_name(q.dtype)}")
    if mask is None:
        return
    if mask.dtype not in (BOOL, FLOAT) and mask.dtype is not q.dtype:
        _refuse(
            "Expected attn_mask dtype to be bool, float or that of the query, "
            f"{c_name(q.dtype)}, not {c_name(mask.dtype)}"
        )
    if is_causal:
        message = "_scaled_dot_product_attention: attn_mask should not be set when "
        _refuse(message + "is_causal=True, which masks by itself; pass one of both")


def _check_products(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> None:
    """The features of queries and keys agree, and the numbers of keys and values."""
    for expected, second in ((q.shape[-1], k.swapaxes(-1, -2)), (k.shape[-2], v)):
        if second.shape[-2] != expected:
            batch = math.prod(second.shape[:-2])
            _refuse(
                f"the first two dimensions of batch2 tensor are [{batch}, {second.shape[-2]}], "
                f"where [{batch}, {expected}] would fit: keys have as many features as queries, "
                "and values as many rows as keys"
            )


def _repeated_heads(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Keys and values of fewer heads than the queries have, each for a group of them."""
    heads = q.shape[-3]
    for each in (k, v):
        if not each.shape[-3] or heads % each.shape[-3]:
            _refuse(
                "Number of heads in key and value must divide that of the query: "
                f"{each.shape[-3]} and {heads}"
            )
    keys, values = (np.repeat(each, heads // each.shape[-3], -3) for each in (k, v))
    return keys, values


def merged_heads(a: np.ndarray, lead: Sequence[int]) -> np.ndarray:
    """All leading dimensions as one, broadcast to `lead`."""
    if a.shape[:-2] != tuple(lead):
        a = np.broadcast_to(a, (*lead, *a.shape[-2:]))
    return a.reshape(math.prod(lead), *a.shape[-2:])


def is_native_attention(q: np.ndarray, k: np.ndarray, lead: Sequence[int]) -> bool:
    """Whether native code takes queries and keys, with so many heads."""
    scores = math.prod(lead) * q.shape[-2] * k.shape[-2]
    return q.shape[-2] >= _LEAST_QUERIES and is_native_work(q.dtype, scores * _SCORE)


class _Problem:
    """Checked arguments of one call, with wide numbers."""

    __slots__ = ("_is_causal", "_k", "_mask", "_q", "_v", "lead", "scale")

    def __init__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None,
        is_causal: bool,
        scale: float | None,
        enable_gqa: bool,
    ) -> None:
        q, k, v = query.array, key.array, value.array
        mask = None if attn_mask is None else attn_mask.array
        _check(q, k, v, mask, is_causal)
        if enable_gqa:
            k, v = _repeated_heads(q, k, v)
        _check_products(q, k, v)
        self.lead = broadcast_shape(q.shape[:-2], k.shape[:-2], v.shape[:-2])
        queries, keys = q.shape[-2], k.shape[-2]
        if mask is not None:
            shape = broadcast_shape((*self.lead, queries, keys), mask.shape)
            self.lead = shape[:-2]
            mask = np.broadcast_to(
                widened(mask), (*mask.shape[:-2], queries, keys)[-max(mask.ndim, 2) :]
            )
        self._q, self._k, self._v = widened(q), widened(k), widened(v)
        self._mask, self._is_causal = mask, is_causal
        self.scale = (
            (1 / math.sqrt(q.shape[-1]) if q.shape[-1] else 1.0) if scale is None else scale
        )

    @property
    def merged(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Queries, keys and values with the heads in one dimension."""
        q, k, v = (merged_heads(each, self.lead) for each in (self._q, self._k, self._v))
        return q, k, v

    @property
    def masks(self) -> Masks:
        sizes = self._q.shape[-2], self._k.shape[-2]
        return masks_of(self._mask, self._is_causal, tuple(self.lead), *sizes)

    def outputs(self) -> np.ndarray:
        """With the heads as they were given."""
        q, k, v = self._q, self._k, self._v
        if is_native_attention(q, k, self.lead):
            return native_attention().attend(
                q, k, v, self.lead, self.scale, self._mask, self._is_causal
            )
        output, _ = attend(*self.merged, self.scale, self.masks)
        return output.reshape(*self.lead, *output.shape[1:])

    def split(self, a: np.ndarray, dtype: np.dtype) -> Tensor:
        """The heads as they were given."""
        return Tensor(narrowed(a.reshape(*self.lead, *a.shape[1:]), dtype))


_ARGUMENTS = "Tensor query, Tensor key, Tensor value"


@random_operator(
    f"aten::scaled_dot_product_attention({_ARGUMENTS}, Tensor? attn_mask=None,"
    " float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False)"
    " -> Tensor",
    layout=Layout.AS_QUERIES,
)
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    problem = _Problem(query, key, value, attn_mask, is_causal, scale, enable_gqa)
    if dropout_p != 0:
        return _with_weights(problem, dropout_p, None, query.array.dtype)[0]
    return Tensor(narrowed(problem.outputs(), query.array.dtype))


@random_operator(
    f"aten::_scaled_dot_product_attention_math({_ARGUMENTS}, Tensor? attn_mask=None,"
    " float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None,"
    " bool enable_gqa=False) -> (Tensor, Tensor)"
)
def scaled_dot_product_attention_math(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    dropout_mask: Tensor | None = None,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> tuple[Tensor, Tensor]:
    """The output and the weights, of which some are dropped."""
    if attn_mask is not None and attn_mask.array.dtype is BOOL:
        attn_mask = Tensor(attn_mask.array.astype(FLOAT))  # it is added, like any other mask
    problem = _Problem(query, key, value, attn_mask, is_causal, scale, enable_gqa)
    kept = None if dropout_mask is None else dropout_mask.array
    return _with_weights(problem, dropout_p, kept, query.array.dtype)


def _with_weights(
    problem: _Problem, dropout_p: float, kept: np.ndarray | None, dtype: np.dtype
) -> tuple[Tensor, Tensor]:
    """The output and the weights; some of these are dropped, at random or by a mask."""
    q, k, v = problem.merged
    weights = attention_weights(q, k, problem.scale, problem.masks, blind=0)
    if kept is not None:
        kept = np.broadcast_to(kept, (*problem.lead, *weights.shape[1:]))
        weights = np.where(kept.reshape(weights.shape), weights, weights.dtype.type(0))
        v = v * v.dtype.type(1 / (1 - dropout_p))
    elif dropout_p != 0:
        weights = dropout(Tensor(weights), dropout_p, True).array
    return problem.split(matrix_product(weights, v), dtype), problem.split(weights, dtype)


@random_operator(
    f"aten::_scaled_dot_product_flash_attention_for_cpu({_ARGUMENTS}, float dropout_p=0.,"
    " bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None)"
    " -> (Tensor output, Tensor logsumexp)"
)
def scaled_dot_product_flash_attention_for_cpu(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: Tensor | None = None,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    name = "scaled_dot_product_attention_flash_attention: "
    if query.array.ndim != 4 or key.array.ndim != 4 or value.array.ndim != 4:
        _refuse(name + "Accept only 4 dims: batch, heads, rows, features")
    if dropout_p != 0:
        _refuse(name + "Currently do not support dropout > 0")
    problem = _Problem(query, key, value, attn_mask, is_causal, scale, False)
    output, sums = attend(*problem.merged, problem.scale, problem.masks)
    heads = problem.split(output, query.array.dtype).array
    return Tensor(laid_out(heads, query.array)), problem.split(sums, sums.dtype)
