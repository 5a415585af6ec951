"""Symbols, guards and ranges: names and texts are those that PyTorch 2.13 gives for the same programs."""

from __future__ import annotations

import pytest

from tsc.compiler.exir.exported_program import RangeConstraint
from tsc.compiler.exir.symbolic_expressions import parse_symbolic_expression
from tsc.compiler.exir.symbols.conversion import from_expression, to_expression
from tsc.compiler.exir.symbols.environment import DataDependentError, ShapeEnvironment
from tsc.compiler.source import Error


@pytest.fixture
def environment():
    return ShapeEnvironment(lambda: "model.py:3")


@pytest.fixture
def sizes(environment):
    """Of arguments x (6, 8) and y (6, 8)."""
    return [
        environment.backed(hint, f"L['{name}'].size()[{dim}]", 2)
        for name in "xy"
        for dim, hint in enumerate((6, 8))
    ]


def test_symbols_are_named_by_their_sources(sizes):
    assert list(map(str, sizes)) == ["s77", "s27", "s17", "s94"]


@pytest.mark.parametrize(
    "compute, text",
    [
        (lambda a, b: a + 1, "s77 + 1"),
        (lambda a, b: a * b, "s27*s77"),
        (lambda a, b: (a + 1) // 2, "((s77 + 1)//2)"),
        (lambda a, b: 2 * a // 2, "s77"),
        (lambda a, b: a / 2, "IntTrueDiv(s77, 2)"),
        (lambda a, b: a % 4, "Mod(s77, 4)"),
        (lambda a, b: a**2, "s77**2"),
        (lambda a, b: 1.5 * a, "1.5*ToFloat(s77)"),
        (lambda a, b: (2 * a * b) // b, "2*s77"),
        (lambda a, b: 1 - a, "1 - s77"),
    ],
)
def test_arithmetic(sizes, compute, text):
    found = compute(*sizes[:2])
    assert str(found).replace("1.50000000000000", "1.5") == text
    assert found.hint == compute(6, 8)


def test_what_is_known_is_a_plain_number(sizes):
    a, *_ = sizes
    assert a - a == 0 and type(a - a) is int
    assert (a > 0) is True


def test_equal_sizes_are_one_symbol(environment, sizes):
    a, b, c, d = sizes
    assert environment.guard(a == c) and environment.guard(b == d)
    assert list(map(str, (a, b, c, d))) == ["s17", "s27", "s17", "s27"]
    assert environment.known(a == c) is True


def test_the_larger_of_two_sizes_is_replaced(environment):
    x = environment.backed(6, "L['x'].size()[0]", 2)
    y = environment.backed(5, "L['y'].size()[0]", 2)
    assert environment.guard(x - 1 == y)
    assert str(x) == "s17 + 1"
    ranges = environment.range_constraints([x, y])
    assert {key: str(each) for key, each in ranges.items()} == {
        "s17 + 1": "VR[3, int_oo]",
        "s17": "VR[2, int_oo]",
    }


def test_guards_narrow_ranges_and_tell_their_place(environment, sizes):
    assert environment.guard(sizes[0] > 4)
    assert environment.range_of(sizes[0].expression) == RangeConstraint(5, None)
    assert [guard.place for guard in environment.guards] == ["model.py:3"]
    assert environment.known(sizes[0] >= 5) is True
    assert environment.known(sizes[0] >= 7) is None


def test_ranges_below_two_hold_while_nothing_asks(environment):
    size = environment.backed(6, "L['x'].size()[0]", 1, 64)
    assert environment.range_of(size.expression) == RangeConstraint(1, 64)
    assert environment.guard(size == 1) is False
    assert environment.range_of(size.expression) == RangeConstraint(2, 64)


def test_specializing_leaves_a_number(environment, sizes):
    assert environment.specialize(sizes[1]) == 8
    assert sizes[1].constant == 8
    assert str(sizes[0] * sizes[1]) == "8*s77"


def test_divisible_sizes(environment, sizes):
    a = sizes[0]
    assert environment.guard(a % 2 == 0)
    assert environment.known(a % 2 == 0) is True
    assert environment.guard(a % 4 == 0) is False


def test_data_decides(environment):
    size = environment.unbacked_size(3)
    assert str(size) == "u0"
    assert environment.known(size >= 0) is True
    with pytest.raises(DataDependentError, match=r"u0 > 2.*torch\.cond"):
        environment.guard(size > 2)
    assert str(environment.unbacked_float(0.5)) == "zuf0"


def test_nobody_takes_a_symbol_for_a_number(sizes):
    with pytest.raises(Error, match="s77 is not known"):
        int(sizes[0])
    with pytest.raises(Error, match="s77 > 5 is not known"):
        bool(sizes[0] > 5)


@pytest.mark.parametrize(
    "text",
    [
        "Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))",
        "FloorDiv(Add(Symbol('s77', positive=True, integer=True), Integer(1)), Integer(2))",
        "Mod(Symbol('s77', positive=True, integer=True), Integer(4))",
        "Equality(Symbol('u0', integer=True), Integer(1))",
        "TruncToInt(IntTrueDiv(Symbol('s1', positive=True, integer=True), Integer(2)))",
    ],
)
def test_expressions_of_files_there_and_back(text):
    expression = parse_symbolic_expression(text)
    assert to_expression(from_expression(expression)) == expression


def test_quotients_of_quotients_tell_ranges(environment, sizes):
    a, *_ = sizes
    environment.decide(((a - 1) // 2 - 1) // 2 + 1 > 0)
    assert str(environment.range_of(a.expression)) == "VR[3, int_oo]"
    assert environment.unstated_guards() == []


def test_what_must_differ_from_the_end_of_a_range_narrows_it(environment, sizes):
    a, b, *_ = sizes
    environment.decide((a - 1) // 2 + 1 != 1)
    environment.decide(b != 2)
    assert str(environment.range_of(a.expression)) == "VR[3, int_oo]"
    assert str(environment.range_of(b.expression)) == "VR[3, int_oo]"
    assert environment.unstated_guards() == []


def test_products_leave_nothing_when_a_factor_divides_them(sizes):
    a, b, *_ = sizes
    assert (16 * a * b) % (a * b) == 0
    assert (4 * a * ((b - 1) // 2 + 1)) % (4 * a) == 0
