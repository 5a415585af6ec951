"""Lists and dictionaries that need no conversion are taken whole, with the same result as element by element."""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tsc
from tsc.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)
from tsc.runtime.python_api import ivalue
from tsc.runtime.python_api.ivalue import Mismatch, converter


class Number(int):
    pass


class Row(list[Any]):
    pass


PAIR = TupleType((INT, FLOAT))
INNER = [1, 2]
CASES: list[tuple[Type, list[Any]]] = [
    (ListType(INT), [[], [1, -5], [True], [2**63 - 1, -(2**63)], [2**63], [Number(3)], (1, 2)]),
    (ListType(INT), [[1.0], [None], [np.int8(3)], Row([1]), range(3), {1}, "ab", {1: 2}, 7]),
    (ListType(FLOAT), [[1.5], [1], [True], [np.float32(2)], [float("nan")], ["a"], []]),
    (ListType(STRING), [["a", ""], ["ä"], ["\ud800"], ["\ud800", "\udc00"], [1], "abc"]),
    (ListType(TENSOR), [[tsc.tensor(1.0)], [np.zeros(2)], [1], []]),
    (ListType(PAIR), [[(1, 2.0)], [(1, 2)], [[1, 2.0]], [(1,)], [(1, 2.0, 3)], [], [()]]),
    (
        ListType(ListType(INT)),
        [[[1], []], [INNER, INNER], [(1,)], [Row([1])], [[1.5]], [1], [[2**64]]],
    ),
    (ListType(ListType(PAIR)), [[[(1, 2.0)], []], [[(1, 2.0)], [(2,)]], [[(True, 2.0)]]]),
    (ListType(OptionalType(INT)), [[None, 1], [None], [1.5], []]),
    (ListType(BOOL), [[True, False], [1], [None]]),
    (ListType(OptionalType(PAIR)), [[None, (1, 2.0)], [(1, 2)], [(None, 2.0)]]),
    (
        ListType(TupleType((PAIR, OptionalType(STRING), INT))),
        [[((1, 2.0), "a", 3), ((1, 2.0), None, 3)], [((1, 2), "a", 3)], [((1, 2.0), "a", True)]],
    ),
    (
        ListType(ListType(ListType(INT))),
        [[[INNER, INNER], []], [[[1], [True]]], [[[2**63]]], [[1]]],
    ),
    (ListType(OptionalType(ListType(INT))), [[None, [1]], [[1.5]]]),
    (DictType(STRING, INT), [{}, {"a": 1}, {"a": True}, {1: 1}, {"ä": 2}, OrderedDict(a=1), 3]),
    (DictType(INT, ListType(INT)), [{1: INNER, 2: INNER}, {1: [1.5]}, {1: (2,)}]),
]


def outcome(convert: Callable[[Any], Any], given: Any) -> str:
    """What comes of a value, the classes in it, and whether a list in it is one that was given."""
    try:
        made = convert(given)
    except Mismatch as error:
        return str(error)
    inside = list(made.values()) if isinstance(made, dict) else list(made)
    is_shared = any(each is INNER for each in inside)
    return f"{made!r} {[type(each).__name__ for each in inside]} {made is given} {is_shared}"


def single_converter(wanted: Type, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    """What converts element by element."""
    with monkeypatch.context() as patch:
        for name in ("taken_list", "taken_dictionary"):
            patch.setattr(ivalue, name, lambda _type: lambda _values: None)
        return converter.__wrapped__(wanted)


@pytest.mark.parametrize(("wanted", "values"), CASES)
def test_whole_containers_are_as_their_elements(
    wanted: Type, values: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, single = converter.__wrapped__(wanted), single_converter(wanted, monkeypatch)
    for value in values:
        assert outcome(whole, value) == outcome(single, value), value


@pytest.mark.parametrize(("wanted", "values"), CASES)
def test_native_code_finds_the_same(
    wanted: Type, values: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    contents = importlib.import_module("tsc.runtime.native.borders.contents")
    code = importlib.import_module("tsc.runtime.native.borders.border_code")
    monkeypatch.setattr(code, "_LOOKS", -1)
    monkeypatch.setattr(code, "_PAYS", -1)
    monkeypatch.setattr(code.BACKGROUND, "is_immediate", True)
    whole, single = converter.__wrapped__(wanted), single_converter(wanted, monkeypatch)
    made: list[Any] = []
    check = contents.content_check
    monkeypatch.setattr(
        contents, "content_check", lambda *each: made.append(check(*each)) or made[-1]
    )
    assert contents.content_check(INT, 0)([1, -5])
    for value in values:
        for _ in range(2):  # the first time, Python looks
            assert outcome(whole, value) == outcome(single, value), value
    assert all(made)


def test_lists_that_are_given_are_copied() -> None:
    unit = tsc.CompilationUnit("def f(x: List[List[int]]):\n    x[0].append(1)\n    return x\n")
    rows = [[1], [2]]
    assert unit.f(rows) == [[1, 1], [2]]
    assert rows == [[1], [2]]
