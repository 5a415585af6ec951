"""Vectors of decompositions count as equal up to a factor, left and right ones up to the same."""

from __future__ import annotations

import numpy as np

from .comparison import Described, difference
from .vectors import turned


def tensor(values: object) -> Described:
    return Described("torch.float64", np.array(values, np.float64))


def decomposed(matrix: np.ndarray) -> tuple[Described, ...]:
    return tuple(map(tensor, np.linalg.svd(matrix)))


MATRIX = np.array([[3.0, 1.0, 0.0], [1.0, 2.0, 1.0]])


def with_signs(parts: tuple[Described, ...], left: list[int], right: list[int]) -> tuple:
    u, s, v = parts
    return tensor(u.values * left), s, tensor(v.values * np.array(right)[:, None])


def test_pairs_of_vectors_may_change_their_sign_together() -> None:
    expected = decomposed(MATRIX)
    got = with_signs(expected, [-1, 1], [-1, 1, -1])
    assert difference(expected, got) is not None
    assert difference(expected, turned("linalg.svd", expected, got)) is None


def test_one_of_a_pair_may_not_change_its_sign() -> None:
    expected = decomposed(MATRIX)
    got = with_signs(expected, [-1, 1], [1, 1, 1])
    assert difference(expected, turned("linalg.svd", expected, got)) is not None


def test_eigenvectors_may_be_turned_by_a_complex_factor() -> None:
    vectors = np.array([[1, 1j], [1j, 1]]) / np.sqrt(2)
    values = Described("torch.float64", np.array([1.0, 2.0]))
    expected = (values, Described("torch.complex128", vectors))
    got = (values, Described("torch.complex128", vectors * [1j, -1]))
    assert difference(expected, turned("linalg.eig", expected, got)) is None
    assert difference(expected, turned("linalg.eigvals", expected, got)) is not None


def test_other_vectors_stay_different() -> None:
    expected = decomposed(MATRIX)
    got = decomposed(MATRIX + 0.1)
    assert difference(expected, turned("linalg.svd", expected, got)) is not None


def test_the_rest_of_a_full_basis_may_be_any_basis_of_it() -> None:
    matrix = np.array([[3.0, 1.0, 0.0, 2.0]])
    u, s, v = decomposed(matrix)
    angle = np.array([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    other = np.concatenate([v.values[:1], angle @ v.values[1:]])
    expected, got = (u, s, v), (u, s, tensor(other))
    assert difference(expected, got) is not None
    assert difference(expected, turned("linalg.svd", expected, got)) is None
    skewed = np.concatenate([v.values[:1], v.values[1:] + v.values[:1]])
    assert difference(expected, turned("linalg.svd", expected, (u, s, tensor(skewed)))) is not None
