"""The text of kernels on small square matrices: systems of equations, inverses, determinants, Cholesky factors.

All is computed in float64, in memory of their own: rows of the matrix, with what it is to be applied to behind it.
Rows are exchanged so that the largest element of a column divides. What cannot be divided is left to the operators.
"""

from __future__ import annotations

import functools

import numpy as np

from tsc.runtime.arrays.dtypes import DOUBLE
from tsc.runtime.native.expressions.instructions import Element, constant
from tsc.runtime.native.fusion.strided_text import StridedText

_ZERO = constant(0.0, DOUBLE)


class _Rows:
    """Numbers of float64 in rows of so many."""

    def __init__(self, code: StridedText, begin: str, width: str) -> None:
        self._code, self._begin, self._width = code, begin, width

    def place(self, row: str, column: str) -> str:
        at = self._code.add(f"add i64 {self._code.add(f'mul i64 {row}, {self._width}')}, {column}")
        return self._code.moved(self._begin, (at, "8"))

    def get(self, row: str, column: str) -> Element:
        return self._code.load(self.place(row, column), DOUBLE)

    def put(self, value: Element, row: str, column: str) -> None:
        self._code.store(value, self.place(row, column))

    def take(self, factor: Element, of: tuple[str, str], row: str, column: str) -> None:
        """Subtracts a multiple of another number."""
        product = self._code.binary("fmul", factor, self.get(*of))
        self.put(self._code.binary("fsub", self.get(row, column), product), row, column)


@functools.cache
def solved_text(rank: int, dtype: np.dtype, *, inverts: bool) -> str:
    """What a matrix makes right sides of, or the identity: pointers to the result, the memory, the matrix, and right
    sides if there are any. The layout goes on with the rows of a matrix and the columns of a result, and the steps
    along rows and columns of result, matrix and right sides.
    """
    code = StridedText(3 if inverts else 4, rank)
    count, columns = code.take(), code.take()
    steps = [(code.take(), code.take()) for _ in range(2 if inverts else 3)]
    width = code.add(f"add i64 {count}, {columns}")
    with code.places() as (result, memory, matrix, *right):
        rows = _Rows(code, memory, width)
        with code.loop("0", count) as i:
            _read_row(code, rows, matrix, i, count, steps[1], dtype)
            with code.loop("0", columns) as j:
                behind = code.add(f"add i64 {count}, {j}")
                if inverts:
                    is_one = code.add(f"icmp eq i64 {i}, {j}")
                    value = code.element(f"select i1 {is_one}, double 1.0, double 0.0", DOUBLE)
                else:
                    given = code.moved(right[0], (i, steps[2][0]), (j, steps[2][1]))
                    value = code.cast(code.load(given, dtype), DOUBLE)
                rows.put(value, i, behind)
        _eliminate(code, rows, count, width)
        with code.loop("0", count) as turn, code.loop("0", columns) as j:
            last = code.add(f"sub i64 {count}, 1")
            i, behind = code.add(f"sub i64 {last}, {turn}"), code.add(f"add i64 {count}, {j}")
            with code.loop(code.add(f"add i64 {i}, 1"), count) as k:
                rows.take(rows.get(i, k), (k, behind), i, behind)
            found = code.binary("fdiv", rows.get(i, behind), rows.get(i, i))
            rows.put(found, i, behind)
            code.store(
                code.cast(found, dtype), code.moved(result, (i, steps[0][0]), (j, steps[0][1]))
            )
    return code.finished(is_short=True)


@functools.cache
def determinant_text(rank: int, dtype: np.dtype) -> str:
    """Pointers to the result, the memory and the matrix; the layout goes on with the rows of a matrix, and the steps
    along its rows and columns.
    """
    code = StridedText(3, rank)
    count, steps = code.take(), (code.take(), code.take())
    with code.places() as (result, memory, matrix):
        rows = _Rows(code, memory, count)
        with code.loop("0", count) as i:
            _read_row(code, rows, matrix, i, count, steps, dtype)
        product = code.variable(constant(1.0, DOUBLE))
        exchanges = _eliminate(code, rows, count, count)
        with code.loop("0", count) as i:
            code.put(code.binary("fmul", code.get(product), rows.get(i, i)), product)
        is_odd = code.add(f"trunc i64 {code.add(f'load i64, ptr {exchanges}')} to i1")
        found = code.get(product)
        negative = code.binary("fsub", constant(-0.0, DOUBLE), found)
        chosen = code.element(
            f"select i1 {is_odd}, double {negative.name}, double {found.name}", DOUBLE
        )
        code.store(code.cast(chosen, dtype), result)
    return code.finished(is_short=True)


@functools.cache
def factor_text(rank: int, dtype: np.dtype) -> str:
    """The lower factor of a symmetric matrix: pointers to the result, the memory and the matrix; the layout goes on
    with the rows of a matrix, and the steps along rows and columns of result and matrix.
    """
    code = StridedText(3, rank)
    count = code.take()
    of_result, of_matrix = ((code.take(), code.take()) for _ in range(2))
    with code.places() as (result, memory, matrix):
        rows = _Rows(code, memory, count)
        with code.loop("0", count) as i:
            _read_row(code, rows, matrix, i, count, of_matrix, dtype)
        with code.loop("0", count) as j:
            with code.loop("0", j) as k:
                rows.take(rows.get(j, k), (j, k), j, j)
            square = rows.get(j, j)
            code.refuse_if(code.compare("fcmp ule", square, _ZERO).name)
            root = code.intrinsic("sqrt", square)
            rows.put(root, j, j)
            with code.loop(code.add(f"add i64 {j}, 1"), count) as i:
                with code.loop("0", j) as k:
                    rows.take(rows.get(i, k), (j, k), i, j)
                rows.put(code.binary("fdiv", rows.get(i, j), root), i, j)
        with code.loop("0", count) as i, code.loop("0", count) as j:
            is_above = Element(code.add(f"icmp sgt i64 {j}, {i}"), np.dtype(np.bool_))
            value = code.select(is_above, _ZERO, rows.get(i, j))
            place = code.moved(result, (i, of_result[0]), (j, of_result[1]))
            code.store(code.cast(value, dtype), place)
    return code.finished(is_short=True)


def _read_row(
    code: StridedText,
    rows: _Rows,
    matrix: str,
    row: str,
    count: str,
    steps: tuple[str, str],
    dtype: np.dtype,
) -> None:
    with code.loop("0", count) as j:
        given = code.load(code.moved(matrix, (row, steps[0]), (j, steps[1])), dtype)
        rows.put(code.cast(given, DOUBLE), row, j)


def _eliminate(code: StridedText, rows: _Rows, count: str, width: str) -> str:
    """Makes the matrix upper triangular; gives the slot of the number of exchanges of rows."""
    exchanges = code.slot("i64", "0")
    with code.loop("0", count) as k:
        largest, place = code.variable(constant(-1.0, DOUBLE)), code.slot("i64", k)
        with code.loop(k, count) as i:
            size = code.intrinsic("fabs", rows.get(i, k))
            is_larger = code.compare("fcmp ogt", size, code.get(largest))
            code.put(code.select(is_larger, size, code.get(largest)), largest)
            known = code.add(f"load i64, ptr {place}")
            chosen = code.add(f"select i1 {is_larger.name}, i64 {i}, i64 {known}")
            code.lines.append(f"  store i64 {chosen}, ptr {place}")
        code.refuse_if(code.compare("fcmp ule", code.get(largest), _ZERO).name)
        pivot = code.add(f"load i64, ptr {place}")
        with code.when(code.add(f"icmp ne i64 {pivot}, {k}")):
            before = code.add(f"load i64, ptr {exchanges}")
            code.lines.append(f"  store i64 {code.add(f'add i64 {before}, 1')}, ptr {exchanges}")
            with code.loop("0", width) as j:
                upper, lower = rows.get(k, j), rows.get(pivot, j)
                rows.put(lower, k, j)
                rows.put(upper, pivot, j)
        with code.loop(code.add(f"add i64 {k}, 1"), count) as i:
            factor = code.binary("fdiv", rows.get(i, k), rows.get(k, k))
            with code.loop(k, width) as j:
                rows.take(factor, (k, j), i, j)
    return exchanges
