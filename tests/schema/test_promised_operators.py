"""Operators that are promised: what is read when, in which order they stand, who provides them."""

from __future__ import annotations

from functools import partial

import pytest

from tsc.compiler.schema import Effects, Operator, OperatorTable, SchemaError

FIRST, SECOND = "aten::f.a(int x) -> int", "aten::f.b(float x) -> float"


def _promising(table: OperatorTable, *texts: str) -> list[str]:
    """Promise `texts`, of one name; the answer collects the names that are read."""
    read: list[str] = []

    def overloads_of(name: str) -> list[Operator]:
        read.append(name)
        return [Operator(text, load=partial(table.declare, text, abs)) for text in texts]

    table.promise(["aten::f"], overloads_of)
    return read


def test_overloads_are_read_when_their_name_is_looked_up() -> None:
    table = OperatorTable()
    read = _promising(table, FIRST)
    assert "aten::f" in table
    assert table.names() == ("aten::f",)
    assert read == []
    assert [operator.text for operator in table.operators_for("aten::f")] == [FIRST]
    assert len(table) == 1
    assert read == ["aten::f"]


def test_a_promised_kernel_is_loaded_when_it_is_asked_for() -> None:
    table = OperatorTable()
    _promising(table, FIRST)
    operator = table.find("aten::f", "a")
    assert operator is not None
    assert operator.is_promised
    assert operator.kernel is abs
    assert not operator.is_promised


def test_operators_declared_before_keep_their_kernels_and_take_the_order_of_the_promise() -> None:
    table = OperatorTable()
    table.declare(SECOND, round)
    _promising(table, FIRST, SECOND)
    assert [operator.text for operator in table.operators_for("aten::f")] == [FIRST, SECOND]
    assert [operator.kernel for operator in table.operators_for("aten::f")][1] is round


def test_a_deferred_kernel_is_made_once() -> None:
    table = OperatorTable()
    made: list[object] = []
    operator = table.defer(FIRST, lambda: made.append(abs) or abs)
    assert made == []
    assert [operator.kernel, operator.kernel] == [abs, abs]
    assert made == [abs]


def test_details_stay_when_a_deferred_kernel_is_made() -> None:
    table = OperatorTable()
    operator = table.defer(FIRST, lambda: abs, gradient="return 1")
    assert operator.gradient == "return 1"
    assert operator.kernel is abs
    assert operator.gradient == "return 1"


def test_facts_are_known_before_a_promise_is_kept_and_details_keep_it() -> None:
    table = OperatorTable()
    loaded: list[str] = []

    def load() -> None:
        loaded.append(FIRST)
        table.declare(FIRST, abs, effects=Effects.RANDOM, gradient="return 1")

    promised = Operator(FIRST, effects=Effects.RANDOM, load=load)
    table.promise(["aten::f"], lambda _name: [promised])
    operator = table.operators_for("aten::f")[0]
    assert (operator.facts, loaded) == ({"effects": Effects.RANDOM}, [])
    assert (operator.gradient, loaded) == ("return 1", [FIRST])
    assert operator.kernel is abs


def test_a_family_may_provide_what_was_promised_by_deferring_it() -> None:
    table = OperatorTable()

    def load() -> None:
        table.defer(FIRST, lambda: abs)

    table.promise(["aten::f"], lambda _name: [Operator(FIRST, load=load)])
    assert table.operators_for("aten::f")[0].kernel is abs


def test_a_promise_that_is_not_kept_is_an_error() -> None:
    operator = Operator(FIRST, load=lambda: None)
    with pytest.raises(SchemaError, match="the kernel that was promised is not there"):
        _ = operator.kernel
