"""Matrix algorithms: factors multiply back to the matrix, and solutions solve."""

from __future__ import annotations

import numpy as np
import pytest

from tsc.runtime.numerics.linear_algebra import exponential, householder, ldl, lu
from tsc.runtime.numerics.linear_algebra.triangular import solve_triangular

DTYPES = (np.float32, np.float64, np.complex64, np.complex128)
SHAPES = (
    (1, 1),
    (3, 3),
    (7, 4),
    (4, 7),
    (2, 3, 5, 5),
    (3, 5, 5),
    (40, 33),
    (33, 70),
    (90, 90),
    (3, 40, 40),
    (120, 4, 4),
    (3, 30, 5, 3),
    (90, 3, 7),
    (70, 1, 1),
    (140, 10, 10),
)
EMPTY = ((0, 3), (3, 0), (0, 0), (0, 4, 4), (2, 0, 3), (90, 0, 3), (90, 3, 0))


def matrices(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    random = np.random.RandomState(len(shape) * 100 + shape[-1])
    real = random.standard_normal(shape)
    imaginary = 1j * random.standard_normal(shape) if np.dtype(dtype).kind == "c" else 0
    return (real + imaginary).astype(dtype)


def adjoint(a: np.ndarray) -> np.ndarray:
    return a.conj().swapaxes(-1, -2)


def assert_close(found: np.ndarray, expected: np.ndarray) -> None:
    precision = float(np.finfo(expected.dtype).eps)
    np.testing.assert_allclose(found, expected, 1e3 * precision, 3e4 * precision)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", (*SHAPES, *EMPTY))
def test_lu_factors_multiply_to_the_matrix(shape: tuple[int, ...], dtype: type) -> None:
    a = matrices(shape, dtype)
    packed, pivots, status = lu.factor(a)
    lower, upper = lu.unpack(packed)
    permutation = lu.permutation_matrix(pivots, shape[-2], a.dtype)
    assert pivots.dtype == status.dtype == np.int32
    assert status.shape == shape[:-2] and not status.any()
    assert (np.abs(lower) <= 1.5).all()
    assert_close(permutation @ lower @ upper, a)


def test_lu_tells_the_first_zero_pivot() -> None:
    a = np.stack([np.eye(3), np.ones((3, 3)), np.zeros((3, 3))])
    np.testing.assert_array_equal(lu.factor(a)[2], [0, 2, 1])
    many = np.tile(a, (40, 1, 1))
    np.testing.assert_array_equal(lu.factor(many)[2], [0, 2, 1] * 40)


@pytest.mark.parametrize("count", [2, 100])
def test_lu_divides_by_a_pivot_that_is_not_a_number(count: int) -> None:
    a = matrices((count, 3, 3), np.float64)
    a[1, 0, 0] = np.nan
    packed, pivots, _ = lu.factor(a)
    assert not np.isnan(packed[0]).any()
    np.testing.assert_array_equal(np.isnan(packed[1]), [[1, 0, 0], [1, 1, 1], [1, 1, 1]])
    np.testing.assert_array_equal(pivots[1], [1, 2, 3])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape", [(3, 3), (3, 5, 5), (2, 3, 5, 5), (90, 90), (100, 5, 5), (2, 50, 3, 3)]
)
def test_systems_are_solved_with_lu_factors(shape: tuple[int, ...], dtype: type) -> None:
    a = matrices(shape, dtype) + 3 * np.eye(shape[-1], dtype=dtype)
    b = matrices((*shape[:-1], 2), dtype)
    packed, pivots, _ = lu.factor(a)
    assert_close(a @ lu.solve(packed, pivots, b), b)
    assert_close(adjoint(a) @ lu.solve(packed, pivots, b, adjoint=True), b)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize(("count", "size"), [(2, 1), (2, 5), (2, 17), (2, 70), (90, 1), (230, 16)])
def test_triangular_systems_look_at_one_triangle_only(
    count: int, size: int, upper: bool, unit: bool
) -> None:
    a = matrices((count, size, size), np.float64) / size + 2 * np.eye(size)
    b = matrices((size, 3), np.float64)
    triangle = np.triu(a) if upper else np.tril(a)
    if unit:
        triangle[..., range(size), range(size)] = 1
    expected = np.stack([b] * count)
    assert_close(triangle @ solve_triangular(a, b, upper=upper, unit=unit), expected)
    found = solve_triangular(a, b.T, upper=upper, unit=unit, left=False)
    assert_close(found @ triangle, expected.swapaxes(-1, -2))


def test_a_zero_on_the_diagonal_gives_infinities() -> None:
    a = np.array([[0.0, 1.0], [0.0, 2.0]])
    with np.errstate(all="ignore"):
        x = solve_triangular(a, np.array([[3.0], [2.0]]), upper=True)
    np.testing.assert_array_equal(x, [[np.inf], [1.0]])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("size", [1, 2, 6, 35])
def test_ldl_factors_solve_systems(size: int, hermitian: bool, dtype: type) -> None:
    a = matrices((3, size, size), dtype)
    a += adjoint(a) if hermitian else a.swapaxes(-1, -2)
    a[1] -= np.diag(np.diag(a[1]))
    packed, pivots, status = ldl.factor(a, hermitian=hermitian)
    solvable = status == 0
    b = matrices((3, size, 2), dtype)
    found = ldl.solve(packed[solvable], pivots[solvable], b[solvable], hermitian=hermitian)
    residual = np.abs(a[solvable] @ found - b[solvable]).max()
    assert residual < 2e4 * np.finfo(dtype).eps * size
    assert solvable[0]


def test_ldl_takes_blocks_of_two_where_the_diagonal_is_zero() -> None:
    a = np.array([[0.0, 2.0], [2.0, 0.0]])
    _, pivots, status = ldl.factor(a, hermitian=False)
    np.testing.assert_array_equal(pivots, [-2, -2])
    assert status == 0


def test_negative_pivots_of_ldl_come_in_pairs() -> None:
    assert ldl.are_whole_blocks(np.array([[1, -3, -3], [1, 2, 3], [-2, -2, 3]]))
    assert not ldl.are_whole_blocks(np.array([[1, 2, -3]]))
    assert not ldl.are_whole_blocks(np.array([[-2, 2, -3]]))


def test_ldl_tells_the_first_zero_block() -> None:
    assert ldl.factor(np.zeros((2, 2)), hermitian=False)[2] == 1


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shape",
    [
        *((3, 3), (7, 4), (4, 7), (2, 3, 5, 2), (3, 5, 3), (0, 3), (3, 0)),
        *((99, 4, 4), (3, 30, 4, 2), (80, 2, 5), (80, 0, 3)),
    ],
)
def test_reflections_multiply_to_the_orthogonal_factor(shape: tuple[int, ...], dtype: type) -> None:
    a = matrices(shape, dtype)
    packed, scales = householder.reflections(a)
    identity = np.broadcast_to(np.eye(shape[-2], dtype=dtype), (*shape[:-2], shape[-2], shape[-2]))
    whole = householder.multiply(packed, scales, identity, adjoint=False)
    assert_close(whole @ np.triu(packed), a)
    assert_close(householder.multiply(packed, scales, whole, adjoint=True), identity)
    from_right = householder.multiply(packed, scales, identity, adjoint=False, left=False)
    assert_close(from_right, whole)
    back = householder.multiply(packed, scales, whole, adjoint=True, left=False)
    assert_close(back, identity)
    if shape[-2] >= shape[-1]:
        assert_close(householder.product(packed, scales), whole[..., : shape[-1]])


def test_the_exponential_of_a_rotation_and_of_matrices_of_many_sizes() -> None:
    angle = 1.25
    rotation = np.array([[0.0, -angle], [angle, 0.0]])
    cosine, sine = np.cos(angle), np.sin(angle)
    expected = np.array([[cosine, -sine], [sine, cosine]])
    assert_close(exponential.matrix_exponential(rotation), expected)
    diagonal = np.array([[-30.0, 1e-3], [20.0, 0.0], [1e-8, -1.0]])
    stack = np.stack([np.diag(each) for each in diagonal])
    exact = np.stack([np.diag(np.exp(each)) for each in diagonal])
    np.testing.assert_allclose(exponential.matrix_exponential(stack), exact, 1e-12)
