"""Views with given strides stay inside their storage."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tsc
from tsc.runtime.arrays.storage import (
    contiguous_strides,
    element_strides,
    storage_of,
    storage_offset,
    strided_view,
)
from tsc.runtime.context.errors import ScriptError


def test_a_view_knows_its_storage_and_offset() -> None:
    whole = np.arange(24.0).reshape(4, 6)
    part = whole[1:, 2:].T
    assert storage_of(part) is storage_of(whole)
    assert (storage_offset(part), element_strides(part)) == (8, (1, 6))


def test_offsets_count_from_the_storage() -> None:
    whole = np.arange(10.0)
    assert strided_view(whole[4:], [2], [1], 0).tolist() == [0.0, 1.0]
    assert strided_view(whole[4:], [2], [1], None).tolist() == [4.0, 5.0]


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.complex64, np.bool_])
def test_every_dtype_has_strided_views(dtype: type) -> None:
    whole = np.arange(6).astype(dtype)
    view = strided_view(whole, [2, 2], [3, 1], None)
    view[0, 0] = 1
    assert whole[0] == dtype(1)
    assert view.dtype == whole.dtype


@given(
    st.lists(st.integers(0, 4), max_size=3),
    st.lists(st.integers(0, 5), max_size=3),
    st.one_of(st.none(), st.integers(0, 12)),
    st.integers(0, 3),
)
def test_no_view_reads_outside(
    size: list[int], stride: list[int], offset: int | None, start: int
) -> None:
    whole = np.arange(10)
    base = whole[start:]
    try:
        view = strided_view(base, size, stride, offset)
    except ScriptError:
        reach = sum((n - 1) * s for n, s in zip(size, stride))
        first = start if offset is None else offset
        assert len(size) != len(stride) or (0 not in size and first + reach >= 10)
        return
    expected = (start if offset is None else offset) + sum(
        axis * step
        for axis, step in zip(np.indices(size, sparse=True), stride)
    )  # fmt: skip
    if view.size:
        assert np.array_equal(view, np.broadcast_to(expected, size))


def test_a_view_over_an_array_with_gaps() -> None:
    gaps = np.arange(20.0).reshape(4, 5)[:, :3]
    assert strided_view(gaps, [2], [5], None).tolist() == [0.0, 5.0]


def test_a_view_over_columns_may_begin_before_its_tensor() -> None:
    columns = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    view = strided_view(columns[1:, 2:], [3], [1], 1)
    assert view.tolist() == [4.0, 8.0, 1.0]
    view[1] = -1
    assert columns[2, 0] == -1


@pytest.mark.parametrize(("size", "offset"), [(13, 0), (2, 11), (1, 12), (1 << 60, 0)])
def test_no_view_reaches_past_columns(size: int, offset: int) -> None:
    columns = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    with pytest.raises(ScriptError):
        strided_view(columns[1:], [size], [1], offset)


def test_contiguous_strides_count_empty_dimensions_as_one() -> None:
    assert contiguous_strides((2, 0, 3)) == (3, 3, 1)


@pytest.mark.parametrize(
    ("part", "offset", "strides"),
    [
        ("x[3:3]", 6, [2]),
        ("x[5:]", 10, [2]),
        ("x[1:3][1:1]", 4, [2]),
        ("x[4:2:3]", 8, [6]),
        ("x[2:2].unsqueeze(0)", 4, [0, 2]),
        ("x.narrow(0, 4, 0)", 8, [2]),
        ("x.tensor_split([2, 2])[1]", 4, [2]),
        ("y[:, 1][5:]", 11, [2]),
        ("y[:, 1][5:][0:][::3]", 11, [6]),
        ("y[:, 1].narrow(0, 5, 0).unsqueeze(1)", 11, [2, 1]),
        ("y[3:, 1].split([0, 2])[0].expand(2, 0)", 7, [0, 2]),
    ],
)
def test_empty_parts_begin_where_the_slice_does(part: str, offset: int, strides: list[int]) -> None:
    """As PyTorch 2.13 has it for a column of two."""
    source = (
        f"def f(y):\n    x = y[:, 0]\n    z = {part}\n    return z.storage_offset(), z.stride()\n"
    )
    assert tsc.CompilationUnit(source).f(tsc.zeros(5, 2)) == (offset, strides)
