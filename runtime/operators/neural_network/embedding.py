"""Lookups in embedding tables, and the shortening of rows that have become too long."""

from __future__ import annotations

import numpy as np

from tsc.runtime.arrays.dtypes import CATEGORY, FLOATING, LONG, int32, scalar_name
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.neural_network.normalization import renormalized
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.gathering import check_rows
from tsc.runtime.operators.variants import functional_forms
from tsc.runtime.values.tensor import Tensor


def check_index_dtype(name: str, a: np.ndarray) -> None:
    if a.dtype is not LONG and a.dtype is not int32.numpy:
        raise ScriptError(
            "RuntimeError",
            "Expected tensor for argument #1 'indices' to have one of the following scalar "
            f"types: Long, Int; but got torch.{scalar_name(a.dtype)}Tensor instead "
            f"(while checking arguments for {name})",
        )


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
    table, rows = weight.array, indices.array
    if table.ndim != 2:
        raise ScriptError("RuntimeError", "'weight' must be 2-D")
    check_index_dtype("embedding", rows)
    check_rows(rows, len(table))
    return Tensor(table.take(rows, 0))


@operator(
    "aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type)"
    " -> Tensor(a!)"
)
def embedding_renorm_(self: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> Tensor:
    """Rows that `indices` name, and that are longer than `max_norm`, get that length."""
    table = self.array
    if table.ndim != 2:
        raise ScriptError(
            "RuntimeError",
            f"Expected 2-dimensional tensor, but got {table.ndim}-dimensional tensor for argument "
            "#1 'self' (while checking arguments for embedding_renorm_)",
        )
    check_index_dtype("embedding_renorm_", indices.array)
    if CATEGORY[table.dtype] < FLOATING:
        raise ScriptError(
            "RuntimeError",
            "norm(): input dtype should be floating point or complex, not "
            f"{scalar_name(table.dtype)}; convert the table, as with .float()",
        )
    rows = np.unique(indices.array)
    check_rows(rows, len(table))
    table[rows] = renormalized(table[rows], norm_type, 0, max_norm)
    return self


functional_forms("embedding_renorm_")
out_forms(SAME, "embedding embedding_renorm")
