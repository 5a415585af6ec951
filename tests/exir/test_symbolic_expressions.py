"""Sizes as files hold them: read, printed, computed, and refused where they are something else."""

from __future__ import annotations

import pytest

from tsc.compiler.exir.symbolic_expressions import SymbolicError, parse_symbolic_expression

S, T = "Symbol('s0', positive=True, integer=True)", "Symbol('s1', integer=True)"
TEXTS = {
    S: ("s0", 6),
    f"Add(Mul(Integer(2), {S}), Integer(1))": ("2*s0 + 1", 13),
    f"Add({S}, Integer(-1))": ("s0 - 1", 5),
    f"Mul(Integer(-1), {S})": ("-s0", -6),
    f"Mul({T}, Add({S}, Integer(2)))": ("s1*(s0 + 2)", 32),
    f"FloorDiv({S}, Integer(4))": ("(s0//4)", 1),
    f"FloorDiv({S}, FloorDiv({S}, Integer(2)))": ("(s0//((s0//2)))", 2),
    f"Mod({S}, {T})": ("Mod(s0, s1)", 2),
    f"Max({S}, {T}, Integer(5))": ("Max(s0, s1, 5)", 6),
    f"Pow({S}, Integer(2))": ("s0**2", 36),
    "Integer(-3)": ("-3", -3),
}


@pytest.mark.parametrize("text", TEXTS)
def test_expressions_are_printed_and_computed(text: str) -> None:
    expression = parse_symbolic_expression(text)
    assert (str(expression), expression.value({"s0": 6, "s1": 4})) == TEXTS[text]


def test_conditions_are_printed_as_python() -> None:
    assert str(parse_symbolic_expression(f"StrictGreaterThan({S}, Integer(4))")) == "s0 > 4"


@pytest.mark.parametrize(
    ("text", "value", "solved"),
    [
        (S, 5, ("s0", 5)),
        (f"Add(Mul(Integer(2), {S}), Integer(1))", 9, ("s0", 4)),
        (f"Mul(Integer(2), {S})", 9, ("s0", 4)),
        (f"Add({S}, {T})", 9, None),
        (f"FloorDiv({S}, Integer(2))", 9, None),
    ],
)
def test_a_size_tells_the_only_symbol_in_it(
    text: str, value: int, solved: tuple[str, int] | None
) -> None:
    assert parse_symbolic_expression(text).solved(value) == solved


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Symbol(",
        "Symbol()",
        "__import__('os')",
        "Add(Integer(1), Integer(2)",
        f"{S} + 1",
        "Integer(" + "9" * 30 + ")",
        "Add(" * 200 + "Integer(1)" + ")" * 200,
        "Add(" + "Integer(1), " * 3000 + "Integer(1))",
        "lambda: 1",
    ],
)
def test_nothing_else_is_an_expression(text: str) -> None:
    with pytest.raises(SymbolicError):
        parse_symbolic_expression(text).value({})


@pytest.mark.parametrize(
    "text", [T, f"FloorDiv({S}, Integer(0))", f"Unknown({S})", f"Pow({S}, Integer(1000))"]
)
def test_what_has_no_value_is_refused(text: str) -> None:
    with pytest.raises(SymbolicError):
        parse_symbolic_expression(text).value({"s0": 6})
