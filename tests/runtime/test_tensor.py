"""The tensor as Python sees it: data, views that share memory, operators, indexing, errors."""

from __future__ import annotations

import math
import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tsc
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.values.tensor import Tensor


def test_a_tensor_tells_its_shape_dtype_and_numbers() -> None:
    x = tsc.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert (x.shape, x.ndim, str(x.dtype), len(x)) == ((2, 3), 2, "torch.float32", 2)
    assert x.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert [row.tolist() for row in x] == x.tolist()
    assert (x.size(), x.size(1), x.stride(), str(x.device)) == ((2, 3), 3, (3, 1), "cpu")


@pytest.mark.parametrize(
    ("data", "dtype"),
    [
        (1, "int64"),
        (1.5, "float32"),
        (True, "bool"),
        (1j, "complex64"),
        ([1, 2], "int64"),
        ([1.0, 2], "float32"),
        ([1, 2.5, True], "float32"),
        ([[True], [2]], "int64"),
        ([1, 2j], "complex64"),
        ([[True], [False]], "bool"),
        ([], "float32"),
        (np.ones(2, np.int16), "int16"),
    ],
)
def test_the_dtype_follows_from_the_data(data: object, dtype: str) -> None:
    assert tsc.tensor(data).dtype.name == dtype


def test_a_dtype_may_be_asked_for() -> None:
    assert tsc.tensor([1.9, -1.9], dtype=tsc.int32).tolist() == [1, -1]
    assert tsc.tensor([1, 2], dtype=tsc.bfloat16).tolist() == [1.0, 2.0]


def test_tensor_copies_and_from_numpy_shares() -> None:
    array = np.zeros(3, np.float32)
    copied, shared = tsc.tensor(array), tsc.from_numpy(array)
    array[0] = 7
    assert (copied.tolist()[0], shared.tolist()[0]) == (0.0, 7.0)
    assert shared.numpy() is array
    assert np.asarray(shared) is array


@pytest.mark.parametrize(
    "bad",
    [np.array(["a"]), np.zeros(2, np.dtype("datetime64[s]")), np.arange(4.0)[::-1]],
    ids=["text", "dates", "negative strides"],
)
def test_from_numpy_refuses_what_no_tensor_can_be(bad: np.ndarray) -> None:
    with pytest.raises(ScriptError):
        tsc.from_numpy(bad)


def test_ragged_lists_are_refused_with_the_place() -> None:
    with pytest.raises(ScriptError, match=r"Expected sequence of length 2 at dim 1 \(got 1\)"):
        tsc.tensor([[1, 2], [3]])


def test_views_share_memory() -> None:
    x = tsc.tensor([[1.0, 2.0], [3.0, 4.0]])
    for view in (
        x[0],
        x[:, 1],
        x.t(),
        x.view(4),
        x.unsqueeze(0),
        x.expand(3, 2, 2),
        x[None, ..., 0],
    ):
        assert np.shares_memory(view.numpy(), x.numpy())
    x[0].add_(10)
    assert x.tolist() == [[11.0, 12.0], [3.0, 4.0]]


def test_in_place_operators_keep_the_object() -> None:
    x = y = tsc.tensor([1, 2])
    x += 1
    assert y is x
    assert y.tolist() == [2, 3]


def test_integers_wrap() -> None:
    assert (tsc.tensor([2**63 - 1]) + 1).tolist() == [-(2**63)]
    assert (tsc.tensor([255], dtype=tsc.uint8) + 1).tolist() == [0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x: x + 1, [2.0, 3.0]),
        (lambda x: 1 - x, [0.0, -1.0]),
        (lambda x: 2 / x, [2.0, 1.0]),
        (lambda x: 3 // x, [3.0, 1.0]),
        (lambda x: 3 % x, [0.0, 1.0]),
        (lambda x: 2**x, [2.0, 4.0]),
        (lambda x: x**2, [1.0, 4.0]),
        (lambda x: -x, [-1.0, -2.0]),
        (lambda x: abs(-x), [1.0, 2.0]),
        (lambda x: x @ x, 5.0),
        (lambda x: x > 1, [False, True]),
        (lambda x: x == x, [True, True]),
        (lambda x: ~(x > 1), [True, False]),
        (lambda x: (x > 0) & (x > 1), [False, True]),
        (lambda x: np.ones(2, np.float32) + x, [2.0, 3.0]),
        (lambda x: x.sum(), 3.0),
        (lambda x: x.sum(dim=0, keepdim=True), [3.0]),
        (lambda x: x.relu().mean(), 1.5),
        (lambda x: x.view(2, 1), [[1.0], [2.0]]),
        (lambda x: x.view(2, 1).view(2), [1.0, 2.0]),
        (lambda x: x.view(tsc.int32).view(tsc.float32), [1.0, 2.0]),
        (lambda x: x.view(2, 1).T, [[1.0, 2.0]]),
        (lambda x: (x * 1.5).long(), [1, 3]),
        (lambda x: x.double().float(), [1.0, 2.0]),
        (lambda x: np.eye(2, dtype=np.float32) @ x, [1.0, 2.0]),
        (lambda x: np.negative(x), [-1.0, -2.0]),
        (lambda x: np.float64(2) - x, [1.0, 0.0]),
    ],
)
def test_operators_and_methods_run_the_kernels_of_programs(function, expected) -> None:
    assert function(tsc.tensor([1.0, 2.0])).tolist() == expected


def test_python_numbers_and_truth() -> None:
    x = tsc.tensor([2.5])
    assert (float(x), int(x), bool(x), x.item()) == (2.5, 2, True, 2.5)
    assert complex(tsc.tensor(1j)) == 1j
    assert "abc"[tsc.tensor(1)] == "b"
    assert f"{x[0]:.2f} {x}" == "2.50 tensor([2.5000])"
    with pytest.raises(ScriptError, match="converted to an index"):
        "abc"[x]
    with pytest.raises(ScriptError, match="Overflow"):
        tsc.tensor([2**63])
    with pytest.raises(ScriptError, match="ambiguous"):
        bool(tsc.tensor([1, 2]))
    with pytest.raises(ScriptError, match="0-d tensor"):
        len(tsc.tensor(1))


def test_an_unknown_method_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        tsc.tensor(1).no_such_method()
    with pytest.raises(ScriptError, match="no overload takes these arguments"):
        tsc.tensor([1.0]).sum("x")
    with pytest.raises(TypeError):
        operator.add(tsc.tensor(1), "x")


KEYS = st.one_of(
    st.integers(-3, 2),
    st.slices(3).filter(lambda part: part.step is None or part.step > 0),
    st.none(),
    st.just(Ellipsis),
    st.lists(st.integers(-3, 2), min_size=1, max_size=3),
    st.just(np.array([True, False, True])),
)


def _basic(key: tuple) -> list:
    return [part for part in key if not isinstance(part, (list, np.ndarray))]


def _is_valid(key: tuple) -> bool:
    return sum(part is Ellipsis for part in key) <= 1


@settings(max_examples=300, deadline=None)
@given(st.lists(KEYS, min_size=1, max_size=4).map(tuple).filter(_is_valid))
def test_indexing_gives_what_numpy_gives(key: tuple) -> None:
    array = np.arange(27).reshape(3, 3, 3)
    integers = [part for part in key if isinstance(part, int)]
    advanced = [part for part in key if isinstance(part, (list, np.ndarray))]
    if (integers and advanced) or (len(advanced) > 1 and Ellipsis in _basic(key)):
        return  # NumPy counts integers as lists, and an empty Ellipsis as a gap; PyTorch does not
    try:
        expected = array[key]
    except IndexError:
        with pytest.raises(ScriptError):
            tsc.from_numpy(array)[key]
        return
    found = tsc.from_numpy(array)[key]
    assert np.array_equal(found.numpy(), expected)
    assert found.shape == expected.shape


def test_assignment_through_an_index() -> None:
    x = tsc.tensor([[0, 0, 0], [0, 0, 0]])
    x[0] = 1
    x[:, 2] = tsc.tensor([5, 6])
    x[tsc.tensor([1]), tsc.tensor([0])] = 9
    x[x == 0] = -1
    assert x.tolist() == [[1, 1, 5], [9, -1, 6]]
    x[...] = 2.9
    assert x.tolist() == [[2, 2, 2], [2, 2, 2]]


def test_a_step_below_one_is_refused() -> None:
    with pytest.raises(ScriptError, match="step must be greater than zero"):
        tsc.tensor([1, 2])[::-1]


def test_a_tensor_is_a_key_by_identity() -> None:
    x, y = tsc.tensor(1), tsc.tensor(1)
    assert len({id(x): x, id(y): y}) == 2
    assert hash(x) != hash(y)
    assert isinstance(x, Tensor)


def test_numbers_that_a_dtype_does_not_hold_are_refused() -> None:
    for data, dtype in (
        ([300], tsc.uint8),
        ([-256], tsc.uint8),
        (200, tsc.int8),
        ([[1], [2**40]], tsc.int32),
        ([math.nan], tsc.int32),
        (math.inf, tsc.int64),
        ([1e20], tsc.int64),
    ):
        with pytest.raises(tsc.ScriptError, match="without overflow"):
            tsc.tensor(data, dtype=dtype)
    assert tsc.tensor([-1], dtype=tsc.uint8).tolist() == [255]
    assert tsc.tensor([1.9, -1.9], dtype=tsc.int8).tolist() == [1, -1]
    with pytest.raises(tsc.ScriptError, match="complex"):
        tsc.tensor([1j], dtype=tsc.int64)


def test_classes_of_numbers_stand_for_dtypes() -> None:
    assert tsc.zeros(2, dtype=float).dtype is tsc.float64
    assert tsc.ones(2).to(int).dtype is tsc.int64
    assert tsc.tensor([1], dtype=bool).dtype is tsc.bool


def test_results_have_their_names_and_dtypes() -> None:
    values, indices = tsc.tensor([3, 1]).sort()
    assert (values.tolist(), indices.tolist()) == ([1, 3], [1, 0])
    assert tsc.tensor([3, 1]).sort().indices.tolist() == [1, 0]
    assert tsc.max(tsc.tensor([[3, 1]]), 1).values.tolist() == [3]
    assert tsc.frexp(tsc.tensor([8.0])).exponent.tolist() == [4]
    assert tsc.result_type(tsc.tensor(1), 1.5) is tsc.float32
    assert tsc.promote_types(tsc.uint8, tsc.int8) is tsc.int16


def test_numbers_stand_left_of_operators() -> None:
    for result, dtype, wanted in (
        (7 // tsc.tensor([2, -2]), tsc.int64, [3, -4]),
        (7 // tsc.tensor([2, -2], dtype=tsc.int32), tsc.int32, [3, -4]),
        (2.5 // tsc.tensor([1, 2]), tsc.float32, [2.0, 1.0]),
        (1 << tsc.tensor([2, 3]), tsc.int64, [4, 8]),
        (8 >> tsc.tensor([2, 3]), tsc.int64, [2, 1]),
    ):
        assert (result.dtype, result.tolist()) == (dtype, wanted)


def test_shifts_in_place_and_parts_are_written() -> None:
    x = same = tsc.tensor([1, 2])
    x <<= 1
    x >>= 1
    x <<= 2
    assert same.tolist() == [4, 8]
    z = tsc.tensor([1 + 2j])
    z.real = 3
    z.imag = tsc.tensor([7.0])
    assert z.tolist() == [3 + 7j]


def test_elements_are_looked_for() -> None:
    x = tsc.tensor([[1, 2], [3, 4]])
    assert 2 in x
    assert 5 not in x
    assert tsc.tensor([1, 2]) in x


def test_a_seeded_generator_is_the_generator() -> None:
    assert tsc.randn(2, generator=tsc.Generator().manual_seed(1)).tolist() == pytest.approx(
        [0.6614, 0.2669], abs=1e-4
    )
