"""How a running program writes values; the expected texts are PyTorch 2.13's."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import pytest

import tsc
from tsc.runtime.values.text.value_printing import format_value

INFINITY = float("inf")

TEXTS: list[tuple[Any, str]] = [
    (3, "3"),
    (True, "True"),
    (None, "None"),
    ("a 'b'", "a 'b'"),
    (1.5, "1.5"),
    (1.0, "1."),
    (-2.0, "-2."),
    (0.1, "0.10000000000000001"),
    (1e20, "1e+20"),
    (1e16, "10000000000000000."),
    (123456.789, "123456.789"),
    (1e-7, "9.9999999999999995e-08"),
    (-0.0, "0."),
    (INFINITY, "inf"),
    (-INFINITY, "-inf"),
    (float("nan"), "nan"),
    (1 + 2j, "1.+2.j"),
    (0.5 - 1j, "0.5-1.j"),
    (complex(1, float("nan")), "1.-nanj"),
    (complex(1, -float("nan")), "1.-nanj"),
    (complex(float("nan"), INFINITY), "nan+infj"),
    (complex(0.0, -0.0), "0.+0.j"),
    ([], "[]"),
    ([1.0, 2.5], "[1., 2.5]"),
    (["a", ""], "[a, ]"),
    ((1, "a"), "(1, a)"),
    ((1,), "(1,)"),
    ((), "()"),
    ({}, "{}"),
    ({"a": [1.0], "b": []}, "{a: [1.], b: []}"),
    ({1: {2: None}}, "{1: {2: None}}"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_text_of_a_value(value: Any, text: str) -> None:
    assert format_value(value) == text


def test_a_named_tuple_prints_without_its_names() -> None:
    point = namedtuple("Point", ["x", "y"])
    assert format_value(point(1.0, [2])) == "(1., [2])"


TENSORS: list[tuple[Any, str]] = [
    ([1.0, 2.0], " 1\n 2\n[ CPUFloatType{2} ]"),
    (3, "3\n[ CPULongType{} ]"),
    (3.14159265, "3.1415927410125732\n[ CPUFloatType{} ]"),
    ([[1.5, -2.25], [0.001, 4.0]], " 1.5000 -2.2500\n 0.0010  4.0000\n[ CPUFloatType{2,2} ]"),
    ([1e-5, 2e-5], "1e-05 *\n 1.0000\n 2.0000\n[ CPUFloatType{2} ]"),
    (
        [[[1, 2], [3, 4]], [[5, 6], [7, 8]]],
        "(1,.,.) = \n 1  2\n  3  4\n\n(2,.,.) = \n 5  6\n  7  8\n[ CPULongType{2,2,2} ]",
    ),
    ([True, False], " 1\n 0\n[ CPUBoolType{2} ]"),
    ([INFINITY, 1.0], "inf\n 1\n[ CPUFloatType{2} ]"),
    ([], "[ CPUFloatType{0} ]"),
    (
        [[i * 1.5 for i in range(11)]],
        "Columns 1 to 8  0.0000   1.5000   3.0000   4.5000   6.0000   7.5000   9.0000  10.5000"
        "\n\nColumns 9 to 11 12.0000  13.5000  15.0000\n[ CPUFloatType{1,11} ]",
    ),
]


@pytest.mark.parametrize(("data", "text"), TENSORS)
def test_text_of_a_tensor(data: Any, text: str) -> None:
    assert format_value(tsc.tensor(data)) == text


@pytest.mark.oracle
def test_pytorch_writes_the_same() -> None:
    torch = pytest.importorskip("torch")
    write = torch.jit.CompilationUnit("def f(x: Any) -> str:\n    return str(x)\n").f
    for value, text in TEXTS:
        if (
            value not in ([], {}, ["a", ""])
            and value != {"a": [1.0], "b": []}
            and value != {1: {2: None}}
        ):
            assert write(value) == text
    for data, text in TENSORS:
        assert write(torch.tensor(data)) == text


def test_print_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    source = "def f(x: int, s: str) -> None:\n    print(x, s, [x], 1.0)\n    print()\n"
    assert tsc.CompilationUnit(source).f(3, "t") is None
    assert capsys.readouterr().out == "3 t [3] 1.\n\n"


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ('"{} {}".format(x, 2)', "1. 2"),
        ('"{}".format(x, 2)', "1."),
        ('"{0} {:d} {}".format(x)', "{0} {:d} 1."),
        ('"{{{}}}".format(x)', "{{1.}}"),
        ('"%s|%d|%i|%f|%e|%%|%c" % (x, 3, 2.7, 0.1, x, 65)', "1.|3|2|0.100000|1.000000e+00|%|A"),
        ('"%s" % x', "1."),
        ('"%s" % ([x, x],)', "[1., 1.]"),
        ('f"{x} and {x}"', "1. and 1."),
        ("str([x])", "[1.]"),
    ],
)
def test_text_made_of_values(expression: str, text: str) -> None:
    assert tsc.CompilationUnit(f"def f(x: float) -> str:\n    return {expression}\n").f(1.0) == text


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('"{} {}".format(x)', "Too few arguments for format string: {} {}"),
        ('"%s %s" % x', "Too few arguments for format string"),
        ('"%s" % (x, x)', "Too many arguments for format string"),
        (
            '"%5d" % x',
            "The specifier %5 is not supported in TorchScript format strings, which know %s, %d, %i, %f, "
            "%F, %e, %E, %c and %%",
        ),
        ('"%" % x', "Incomplete format specifier"),
        ('"%d" % "a"', "%d requires a number for formatting, but got String"),
        ('"%c" % "ab"', "%c requires an int or char, but got String"),
    ],
)
def test_formats_that_do_not_fit(expression: str, message: str) -> None:
    function = tsc.CompilationUnit(f"def f(x: float) -> str:\n    return {expression}\n").f
    with pytest.raises(tsc.ScriptError) as caught:
        function(1.0)
    assert caught.value.message == message
