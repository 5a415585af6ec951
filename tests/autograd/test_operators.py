"""Gradients of single operators, each compared with small differences, where a formula has a case of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc


def drawn(*sizes: int) -> tsc.Tensor:
    """Numbers that are no multiples of each other."""
    count = int(np.prod(sizes))
    numbers = np.cos(np.arange(count) * 1.7 + 0.4 * count) * 2 + 0.1
    tensor = tsc.from_numpy(numbers.reshape(sizes))
    tensor.requires_grad = True
    return tensor


def symmetric(matrix: tsc.Tensor) -> tsc.Tensor:
    return matrix + matrix.mT


INFINITE = float("inf")
PADDING = tsc.CompilationUnit("""
def pad(x, margins: List[int], mode: str):
    return torch.nn.functional.pad(x, margins, mode)
""")
CASES: dict[str, tuple[Callable[..., Any], tuple[tsc.Tensor, ...]]] = {
    "native_layer_norm": (
        lambda x, w, b: tsc.native_layer_norm(x, [2, 3], w, b, 0.5)[0],
        (drawn(2, 2, 3), drawn(2, 3), drawn(2, 3)),
    ),
    "cosine_similarity of broadcast operands": (
        lambda x, y: tsc.cosine_similarity(x, y, dim=-2),
        (drawn(1, 2, 3), drawn(2, 1, 3)),
    ),
    "circular pad of both signs": (
        lambda x: PADDING.pad(x, [-1, 1, -2, 1], "circular"),
        (drawn(1, 2, 4, 5),),
    ),
    "as_strided_scatter": (
        lambda x, y: tsc.as_strided_scatter(x, y, [2, 2], [1, 2], 1),
        (drawn(3, 3), drawn(2, 2)),
    ),
    "diff with n=0": (lambda x: tsc.diff(x, n=0), (drawn(4),)),
    "diff with edges": (
        lambda x, y: tsc.diff(x, n=2, dim=0, prepend=y, append=y),
        (drawn(3, 2), drawn(1, 2)),
    ),
    "eigh": (
        lambda x: [part.square() for part in tsc.linalg.eigh(symmetric(x))],
        (drawn(3, 3),),
    ),
    "eigh of the upper part": (
        lambda x: [part.square() for part in tsc.linalg.eigh(symmetric(x), UPLO="U")],
        (drawn(3, 3),),
    ),
    "triangular_solve": (
        lambda b, x: list(tsc.triangular_solve(b, x)),
        (drawn(2, 2), drawn(2, 2)),
    ),
    "norm of order inf": (
        lambda x: tsc.linalg.vector_norm(x, INFINITE, [0], True),
        (drawn(3, 2),),
    ),
    "norm of order -inf": (lambda x: tsc.linalg.norm(x, -INFINITE, dim=-1), (drawn(3, 2),)),
    "renorm of order inf": (lambda x: tsc.renorm(x, INFINITE, 1, 0.5), (drawn(3, 2),)),
    "take_along_dim from behind": (
        lambda x: tsc.take_along_dim(x, tsc.tensor([[0, -1], [-2, 1]]), 1),
        (drawn(2, 3),),
    ),
    "quantile by q": (
        lambda x, q: tsc.quantile(x, q.sigmoid(), dim=0),
        (drawn(4, 2), drawn(2)),
    ),
    "svd, wide and full": (
        lambda x: [part.square() for part in tsc.linalg.svd(x, True)[:2]],
        (drawn(2, 3),),
    ),
    "svd, high and reduced": (
        lambda x: [part.square() for part in tsc.linalg.svd(x, False)],
        (drawn(3, 2),),
    ),
    "svd without vectors": (lambda x: tsc.svd(x, compute_uv=False)[1], (drawn(3, 2),)),
    "vander": (lambda x: tsc.vander(x, 3), (drawn(3),)),
    "vander, increasing": (lambda x: tsc.vander(x, 3, increasing=True), (drawn(3),)),
    "linalg.vander of a number": (lambda x: tsc.linalg.vander(x, N=3), (drawn(),)),
    "corrcoef": (tsc.corrcoef, (drawn(3, 4),)),
    "corrcoef of one variable": (lambda x: tsc.corrcoef(x) + x, (drawn(4),)),
    "cov with weights": (
        lambda x, w: tsc.cov(x, aweights=w.square(), fweights=tsc.tensor([1, 2, 1, 3])),
        (drawn(3, 4), drawn(4)),
    ),
    "householder_product": (
        lambda x, tau: tsc.linalg.householder_product(x, tau),
        (drawn(3, 2), drawn(2)),
    ),
    "householder_product of nothing": (
        lambda x, tau: tsc.linalg.householder_product(x, tau),
        (drawn(3, 2), drawn(0)),
    ),
}

CASES |= {
    "lstm of two layers, both ways": (
        lambda x, h, c, *weights: tsc.lstm(
            x, [h, c], list(weights), False, 2, 0.0, True, True, False
        )[0],
        (
            *(drawn(3, 2, 2), drawn(4, 2, 2), drawn(4, 2, 2)),
            *(drawn(8, size) for layer in (2, 4) for _ in range(2) for size in (layer, 2)),
        ),
    ),
    "gru of packed sequences": (
        lambda x, h, *weights: tsc.gru(
            x, tsc.tensor([2, 1, 1]), h, list(weights), True, 1, 0.0, True, False
        )[0],
        (drawn(4, 2), drawn(1, 2, 2), drawn(6, 2), drawn(6, 2), drawn(6), drawn(6)),
    ),
    "packing": (
        lambda x: tsc._pack_padded_sequence(x, tsc.tensor([3, 1]), False)[0],
        (drawn(3, 2, 2),),
    ),
    "unpacking": (
        lambda x: tsc._pad_packed_sequence(x, tsc.tensor([2, 1, 1]), True, 0.0, 4)[0],
        (drawn(4, 2),),
    ),
    "grid_sampler, linear, mirrored": (
        lambda x, grid: tsc.grid_sampler(x, grid * 0.6, 0, 2, False),
        (drawn(1, 2, 3, 4), drawn(1, 2, 3, 2)),
    ),
    "grid_sampler, cubic": (
        lambda x, grid: tsc.grid_sampler(x, grid * 0.6, 2, 0, True),
        (drawn(1, 1, 4, 4), drawn(1, 2, 2, 2)),
    ),
    "grid_sampler of volumes": (
        lambda x, grid: tsc.grid_sampler(x, grid * 0.5, 0, 1, True),
        (drawn(1, 1, 3, 2, 3), drawn(1, 1, 2, 1, 3)),
    ),
    "embedding_bag with weights": (
        lambda x, w: tsc.embedding_bag(
            x, tsc.tensor([0, 2, 2, 1]), tsc.tensor([0, 3, 3]), per_sample_weights=w
        )[0],
        (drawn(4, 3), drawn(4)),
    ),
    "embedding_bag of greatest": (
        lambda x: tsc.embedding_bag(x, tsc.tensor([0, 2, 2, 1]), tsc.tensor([0, 2]), mode=2)[0],
        (drawn(4, 3),),
    ),
    "segments multiplied": (
        lambda x: tsc.segment_reduce(x, "prod", lengths=tsc.tensor([2, 0, 3]), initial=2),
        (drawn(5, 2),),
    ),
    "segments' least": (
        lambda x: tsc.segment_reduce(x, "min", lengths=tsc.tensor([[1, 2], [2, 1]]), axis=1),
        (drawn(2, 3, 2),),
    ),
    "eig": (
        lambda x: [tsc.linalg.eig(x)[0], tsc.linalg.eig(x)[1].abs()],
        (drawn(3, 3),),
    ),
    "lstsq": (
        lambda a, b: list(tsc.linalg.lstsq(a, b, driver="gels")[:2]),
        (drawn(4, 2), drawn(4, 3)),
    ),
    "ormqr from the right": (
        lambda a, tau, x: tsc.ormqr(a, tau, x, False, True),
        (drawn(3, 2), drawn(2), drawn(2, 3)),
    ),
    "stft": (
        lambda x, w: tsc.stft(x, 4, 2, window=w, center=True, return_complex=True),
        (drawn(9), drawn(4)),
    ),
    "istft": (
        lambda x: tsc.istft(tsc.stft(x, 4, 1, return_complex=True), 4, 1, length=12),
        (drawn(9),),
    ),
    "gradient at uneven places": (
        lambda x, where: tsc.gradient(x, spacing=[where], dim=[0], edge_order=2),
        (drawn(5, 2), drawn(5)),
    ),
    "native_group_norm": (
        lambda x, w: list(tsc.native_group_norm(x, w, None, 2, 4, 3, 2, 0.5)),
        (drawn(2, 4, 3), drawn(4)),
    ),
    "_safe_softmax": (lambda x: tsc._safe_softmax(x, 1), (drawn(2, 3),)),
    "frexp": (lambda x: tsc.frexp(x)[0], (drawn(5),)),
    "resampling without aliasing": (
        lambda x: tsc.nn.functional.interpolate(x, [2, 5], mode="bilinear", antialias=True),
        (drawn(1, 2, 5, 3),),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients_agree_with_small_differences(name: str) -> None:
    function, inputs = CASES[name]
    results = function(*inputs)
    assert all(each.requires_grad for each in (results if isinstance(results, list) else [results]))
    assert tsc.autograd.gradcheck(function, inputs)


def test_statistics_of_layer_norm_require_no_gradient() -> None:
    flags = [
        each.requires_grad for each in tsc.native_layer_norm(drawn(2, 3), [3], None, None, 0.1)
    ]
    assert flags == [True, False, False]


@pytest.mark.parametrize("name", CASES)
def test_results_are_the_same_where_nothing_is_recorded(name: str) -> None:
    function, inputs = CASES[name]
    made, plain = function(*inputs), function(*(each.detach() for each in inputs))
    for one, other in zip(*(each if isinstance(each, list) else [each] for each in (made, plain))):
        assert tsc.allclose(one.detach(), other)


SECOND: dict[str, Callable[..., Any]] = {
    "sort": lambda x: tsc.sort(x.square(), 0)[0],
    "topk": lambda x: tsc.topk(x.square(), 2, 0)[0],
    "cummax": lambda x: tsc.cummax(x.square(), 0)[0],
    "max.dim": lambda x: tsc.max(x.square(), 0)[0],
    "median.dim": lambda x: tsc.median(x.square(), 0)[0],
    "mode": lambda x: tsc.mode(x.square(), 0)[0],
    "kthvalue": lambda x: tsc.kthvalue(x.square(), 2, 0)[0],
    "quantile": lambda x: tsc.quantile(x.square(), 0.3, 0),
    "logcumsumexp": lambda x: tsc.logcumsumexp(x, 0),
    "max_pool1d_with_indices": lambda x: tsc.max_pool1d_with_indices(x.square(), 2)[0],
}


@pytest.mark.parametrize("name", SECOND)
def test_gradients_of_gradients_where_indices_are_saved(name: str) -> None:
    assert tsc.autograd.gradgradcheck(
        SECOND[name], (drawn(1, 5) if "pool" in name else drawn(5, 2),)
    )


def test_gradients_that_are_constant_have_gradients_of_zero() -> None:
    """The formula reads what requires a gradient, but does not change with it a little."""
    x = drawn(4)
    (first,) = tsc.autograd.grad(tsc.relu(x).sum(), x, create_graph=True)
    assert first.requires_grad
    (second,) = tsc.autograd.grad(first.sum(), x)
    assert second.tolist() == [0, 0, 0, 0]
    assert not tsc.autograd.grad((2 * x).sum(), x, create_graph=True)[0].requires_grad


def test_the_loss_of_alignments_takes_its_operand_for_logarithms_of_probabilities() -> None:
    def loss(x: tsc.Tensor) -> tsc.Tensor:
        return tsc.ctc_loss(tsc.log_softmax(x, 2), tsc.tensor([[1, 2], [1, 1]]), [4, 3], [2, 1])

    assert tsc.autograd.gradcheck(loss, drawn(4, 2, 3))


REFUSED: dict[str, tuple[Callable[..., Any], tuple[tsc.Tensor, ...]]] = {
    "cov": (tsc.cov, (drawn(2, 2, 2),)),
    "diff": (lambda x: tsc.diff(x, -1), (drawn(3),)),
    "renorm": (lambda x: tsc.renorm(x, 2, 0, 1.0), (drawn(),)),
    "vander": (tsc.vander, (drawn(2, 2),)),
    "circular pad": (lambda x: PADDING.pad(x, [4, 0], "circular"), (drawn(1, 1, 3),)),
    "group_norm": (lambda x: tsc.group_norm(x, 2), (drawn(2, 3),)),
    "group_norm, weight": (lambda x, w: tsc.group_norm(x, 2, w), (drawn(2, 4), drawn(1))),
    "layer_norm": (lambda x: tsc.layer_norm(x, [2]), (drawn(2, 3),)),
    "layer_norm, weight": (lambda x, w: tsc.layer_norm(x, [3], w), (drawn(2, 3), drawn(1))),
    "rms_norm": (lambda x: tsc.rms_norm(x, [2, 2]), (drawn(2, 3),)),
    "rms_norm of nothing": (lambda x: tsc.rms_norm(x, []), (drawn(2, 3),)),
    "conv1d": (
        lambda x, w: tsc.conv1d(x, w, stride=2, padding="same"),
        (drawn(1, 1, 5), drawn(1, 1, 3)),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_refused_where_it_is_recorded(name: str) -> None:
    function, inputs = REFUSED[name]
    with pytest.raises(tsc.ScriptError):
        function(*(each.detach() for each in inputs))
    with pytest.raises(tsc.ScriptError):
        function(*inputs)
