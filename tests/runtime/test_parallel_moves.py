"""Moves one after the other do what they would do all at once."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tsc.runtime.execution.threaded.parallel_moves import in_sequence

SIZE = 8


@given(
    st.lists(
        st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), unique_by=lambda m: m[0]
    )
)
def test_sequence_does_the_same(moves: list[tuple[int, int]]) -> None:
    registers = list(range(SIZE)) + [None] * SIZE
    expected = registers.copy()
    for to, origin in moves:
        expected[to] = registers[origin]
    spares = itertools.count(SIZE)
    for to, origin in in_sequence(moves, lambda: next(spares)):
        registers[to] = registers[origin]
    assert registers[:SIZE] == expected[:SIZE]


@given(st.permutations(range(SIZE)))
def test_circles_take_one_more_move_each(order: list[int]) -> None:
    spares = itertools.count(SIZE)
    sequence = in_sequence(list(enumerate(order)), lambda: next(spares))
    moved = sum(to != origin for to, origin in enumerate(order))
    circles = next(spares) - SIZE
    assert len(sequence) == moved + circles
    assert circles <= moved // 2


def test_moves_without_circles_need_no_register() -> None:
    def none() -> int:
        raise AssertionError("no register should be needed")

    assert in_sequence([(0, 1), (1, 2), (2, 3), (4, 3), (5, 5)], none)
