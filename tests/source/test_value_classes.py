"""Classes of values behave as frozen dataclasses do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tsc.compiler.value_classes import value_class


@value_class
class Pair:
    """Two things, and what nobody compares."""

    first: int
    second: tuple[int, ...] = ()
    note: str = field(default="", compare=False)


@value_class
class Triple(Pair):
    third: list[int] = field(default_factory=list, hash=False)

    def __repr__(self) -> str:
        return "a triple"


@value_class
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Reference:
    first: int
    second: tuple[int, ...] = ()
    note: str = field(default="", compare=False)


@pytest.mark.parametrize("cls", [Pair, Reference])
def test_what_is_compared_and_shown(cls: Any) -> None:
    a, b = cls(1, (2,), "here"), cls(1, second=(2,))
    assert a == b and hash(a) == hash(b) and a != cls(2, (2,)) and a != (1, (2,), "here")
    assert repr(a) == f"{cls.__name__}(first=1, second=(2,), note='here')"
    assert replace(a, first=3).second == (2,) and cls.__match_args__ == ("first", "second", "note")
    assert copy.deepcopy(a) == pickle.loads(pickle.dumps(a)) == a
    assert not hasattr(a, "__dict__")


def test_classes_that_are_made_of_others() -> None:
    a, b = Triple(1, third=[2]), Triple(1, third=[2])
    assert a == b and hash(a) == hash(b) and a != Triple(1, third=[3]) and a != Pair(1)
    assert repr(a) == "a triple" and a.third is not Triple(1).third
    assert Nothing() == Nothing() and hash(Nothing()) == hash(Nothing())
