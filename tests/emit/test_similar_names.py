"""Suggestions for misspelt names, among few names and among many."""

from __future__ import annotations

import pytest

from tests.work import calls_made
from tsc.compiler.emit.names.similar_names import NameIndex

MANY = [f"layer_{number:05}_{word}" for number in range(2000) for word in ("in", "out", "norm")]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("weigth", "weight"), ("biass", "bias"), ("xbias", "bias"), ("wait", "weight"), ("b", "bias")],
)
def test_the_name_that_is_meant_is_near(name: str, meant: str) -> None:
    assert meant in NameIndex(["weight", "bias", "x"]).near(name)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("layer_00107_mean", "layer_00107_norm"),
        ("layr_01999_out", "layer_01999_out"),
        ("layer_0042_in", "layer_00042_in"),
    ],
)
def test_it_is_found_among_many(name: str, meant: str) -> None:
    assert meant in NameIndex(MANY).near(name)


def test_what_is_near_does_not_grow_with_the_number_of_names() -> None:
    few, many = NameIndex(MANY[:300]), NameIndex(MANY)
    assert len(many.near("layer_1")) == len(few.near("layer_1")) <= 80
    assert calls_made(lambda: many.near("layer_1")) == calls_made(lambda: few.near("layer_1"))
