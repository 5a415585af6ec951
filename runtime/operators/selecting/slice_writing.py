"""Copies of which a part is replaced: select_scatter, slice_scatter, diagonal_scatter."""

from __future__ import annotations

import numpy as np

from tsc.compiler.schema import Layout
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators.layout.shape import diagonal_view
from tsc.runtime.operators.out_variants import SAME, out_forms
from tsc.runtime.operators.registration import operator
from tsc.runtime.operators.selecting.indexing import select, slice_
from tsc.runtime.values.tensor import Tensor


def _replaced(result: np.ndarray, part: np.ndarray, source: np.ndarray) -> Tensor:
    """`result`, whose view `part` is overwritten with `source` of the same shape."""
    if part.shape != source.shape:
        raise ScriptError(
            "RuntimeError",
            f"expected src to have a size equal to the slice, {list(part.shape)}, not "
            f"{list(source.shape)}",
        )
    part[...] = source
    return Tensor(result)


@operator(
    "aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
    layout=Layout.AS_FIRST,
)
def select_scatter(self: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    result = self.array.copy()
    return _replaced(result, select(Tensor(result), dim, index).array, src.array)


@operator(
    "aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None,"
    " SymInt? end=None, SymInt step=1) -> Tensor",
    layout=Layout.AS_FIRST,
)
def slice_scatter(
    self: Tensor,
    src: Tensor,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    result = self.array.copy()
    return _replaced(result, slice_(Tensor(result), dim, start, end, step).array, src.array)


@operator(
    "aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1)"
    " -> Tensor"
)
def diagonal_scatter(
    self: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Tensor:
    result = self.array.copy()
    return _replaced(result, diagonal_view(result, offset, dim1, dim2), src.array)


out_forms(SAME, "diagonal_scatter select_scatter slice_scatter")
