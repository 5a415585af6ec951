"""Threads of BLAS: small products take fewer, and everybody finds the number they had."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import tsc
from tsc.runtime.arrays.blas_threads import run_with_threads_for
from tsc.runtime.arrays.matrix_products import matrix_product, product_of_two

SEVERAL = 4
ENOUGH_FOR_TWO = 5_000_000


@pytest.fixture(autouse=True)
def several_threads() -> Generator[None, None, None]:
    before = tsc.get_num_threads()
    tsc.set_num_threads(SEVERAL)
    yield
    tsc.set_num_threads(before)


@pytest.mark.parametrize(
    ("work", "expected"), [(0, 1), (1_000_000, 1), (ENOUGH_FOR_TWO, 2), (10**12, SEVERAL)]
)
def test_work_gets_the_threads_that_it_keeps_busy(work: int, expected: int) -> None:
    assert run_with_threads_for(work, _present) == expected
    assert _present() == SEVERAL


def test_the_number_is_restored_when_the_work_fails() -> None:
    with pytest.raises(ZeroDivisionError):
        run_with_threads_for(0, lambda: 1 // 0)
    assert _present() == SEVERAL


def test_the_last_thread_to_leave_restores() -> None:
    inside, leave = threading.Barrier(3), threading.Event()

    def work() -> None:
        inside.wait()
        leave.wait()

    workers = [threading.Thread(target=run_with_threads_for, args=(0, work)) for _ in range(2)]
    for worker in workers:
        worker.start()
    inside.wait()
    assert _present() == 1
    assert tsc.get_num_threads() == SEVERAL
    leave.set()
    for worker in workers:
        worker.join()
    assert _present() == SEVERAL


@pytest.mark.parametrize("extent", [3, 90, 130])
def test_products_are_those_of_numpy(extent: int) -> None:
    a, b = np.random.default_rng(0).random((2, extent, extent))
    out = np.empty_like(a)
    for result in (matrix_product(a, b), product_of_two(a, b), matrix_product(a, b, out), out):
        np.testing.assert_allclose(result, a @ b, rtol=1e-13)


@pytest.mark.parametrize(
    ("count", "error"), [(0, ValueError), (-2, ValueError), (1.5, TypeError), (True, TypeError)]
)
def test_wrong_numbers_of_threads(count: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="set_num_threads expects"):
        tsc.set_num_threads(count)


def _present() -> int:
    """The number that NumPy's library has just now; other packages may have loaded others."""
    libraries = [each for each in threadpool_info() if each["user_api"] == "blas"]
    return next(each for each in libraries if "numpy" in each["filepath"])["num_threads"]
