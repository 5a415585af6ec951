"""Texts, subtyping and unification of 64 types, every pair, against what PyTorch answered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tsc.compiler.types import Type, parse_type, unify_types

RECORD = Path(__file__).parent / "data" / "pytorch_relations.txt"


@cache
def recorded(relation: str) -> list[str]:
    lines = RECORD.read_text().splitlines()
    return [line.removeprefix(f"{relation}: ") for line in lines if line.startswith(relation)]


@cache
def types() -> dict[str, Type]:
    texts = [line.split(" = ")[0] for line in recorded("text")]
    return {text: parse_type(text) for text in texts}


@pytest.mark.parametrize("line", recorded("text"))
def test_texts(line: str) -> None:
    text, ir_text, annotation = line.split(" = ")
    type = parse_type(text)
    assert str(type) == ir_text
    assert type.annotation == annotation
    assert parse_type(str(type)) == type


def test_subtypes() -> None:
    expected = {tuple(line.split(" <: ")) for line in recorded("subtype")}
    ours = {
        (a, b) for a, type in types().items() for b, other in types().items()
        if type.is_subtype_of(other)
    }  # fmt: skip
    assert ours == expected


def test_unification() -> None:
    expected = dict(line.rsplit(" = ", 1) for line in recorded("unify"))
    ours = {
        f"{a} + {b}": str(unified) for a, type in types().items() for b, other in types().items()
        if (unified := unify_types(type, other)) is not None
    }  # fmt: skip
    assert ours == expected


def test_equal_types_have_equal_hashes() -> None:
    assert {parse_type(text) for text in types()} == set(types().values())
