"""Attention by native code gives what NumPy gives: for all sizes, masks, layouts of heads and numbers of threads."""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.arrays.array import Array
from tsc.runtime.native.attention import attention as native
from tsc.runtime.numerics.neural.attention import attend, masks_of
from tsc.runtime.operators.neural_network import transformer
from tsc.runtime.values.tensor import Tensor

pytest.importorskip("llvmlite")
DTYPES = ["float32", "float64"]


def _drawn(shape: tuple[int, ...], dtype: str) -> Array:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(dtype)


def _agree(
    q: Array, k: Array, v: Array, scale: float, mask: Array | None = None, *, causal: bool = False
) -> None:
    """Compares with the plain way, for heads in two dimensions."""
    lead, queries, keys = q.shape[:-2], q.shape[-2], k.shape[-2]
    heads = [np.broadcast_to(each, (*lead, *each.shape[-2:])) for each in (q, k, v)]
    flat_q, flat_k, flat_v = (each.reshape(-1, *each.shape[-2:]) for each in heads)
    with np.errstate(divide="ignore"):
        expected, _ = attend(
            flat_q, flat_k, flat_v, scale, masks_of(mask, causal, lead, queries, keys)
        )
    found = native.attend(q, k, v, lead, scale, mask, causal)
    assert found.dtype == q.dtype
    tolerance = 1e-5 if q.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, expected.reshape(found.shape), tolerance, tolerance)


@pytest.fixture(params=[1, 2], autouse=True)
def _threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "worthwhile_parts", lambda extent, _: min(extent, request.param))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (5, 17, 3, 40), (33, 16, 8, 7), (64, 100, 64, 64)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_sizes(dtype: str, sizes: tuple[int, int, int, int], causal: bool) -> None:
    queries, keys, features, values = sizes
    q, k = (_drawn((2, 3, count, features), dtype) for count in (queries, keys))
    _agree(q, k, _drawn((2, 3, keys, values), dtype), 0.7, causal=causal)


@pytest.mark.parametrize("shape", [(20, 19), (1, 19), (20, 1), (2, 1, 1, 19), (1, 3, 20, 19)])
@pytest.mark.parametrize("kind", ["bool", "float32"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_masks(dtype: str, kind: str, shape: tuple[int, ...]) -> None:
    mask = _drawn(shape, "float32")
    mask = mask > 0 if kind == "bool" else mask
    q, k, v = (_drawn((2, 3, count, 16), dtype) for count in (20, 19, 19))
    _agree(q, k, v, -0.25, np.broadcast_to(mask, (*shape[:-2], 20, 19)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_heads_lie_between_the_features(dtype: str) -> None:
    """As they come from one product; the result lies as the queries do, and keys may be the same for all heads."""
    q, k, v = _drawn((3, 2, 40, 4, 16), dtype).swapaxes(2, 3)
    _agree(q, k, v, 0.25)
    _agree(q, k[:, :1], v[:1], 0.25)
    found = native.attend(q, k, v, (2, 4), 0.25, None, False)
    assert found.swapaxes(1, 2).flags.c_contiguous


def test_columns_need_not_be_adjacent() -> None:
    q, k, v = _drawn((3, 2, 4, 16, 40), "float32").swapaxes(3, 4)
    _agree(q, k, v, 0.25)


def test_what_sees_nothing_is_zero_and_what_is_no_number_shows() -> None:
    q, k, v = (_drawn((1, 1, 40, 16), "float32") for _ in range(3))
    mask = np.ones((40, 40), np.bool_)
    mask[7] = False
    q[0, 0, 3, 5] = np.nan
    found = native.attend(q, k, v, (1, 1), 0.25, mask, False)[0, 0]
    assert np.isnan(found[3]).all()
    assert not found[7].any()
    assert np.isfinite(np.delete(found, 3, 0)).all()


@pytest.mark.parametrize("same", [True, False])
def test_layers_of_attention_use_it_without_weights(
    same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queries, keys and values of the same input are one product; weights of attention are asked of the plain way."""
    shapes = (2, 9, 16), (48, 16), (48,), (16, 16), (16,)
    x, *parameters = (Tensor(_drawn(each, "float32")) for each in shapes)
    others = [x, x] if same else [Tensor(x.array[:, ::-1]), Tensor(x.array * x.array)]
    found: list[Array] = []
    for is_native in (True, False):
        monkeypatch.setattr(transformer, "is_native_attention", lambda *_, given=is_native: given)
        result, weights = transformer.native_multi_head_attention(
            x, *others, 16, 4, *parameters, None, need_weights=False
        )
        assert weights is None
        found.append(result.array)
    np.testing.assert_allclose(*found, rtol=1e-4, atol=1e-4)
