"""Expressions: CPython's parser reads the same structure in random texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tsc.compiler.frontend import parse_expression
from tsc.compiler.frontend.tree_views import BinOp, Const, StringLiteral
from tsc.compiler.source import Source

from .python_trees import python_tree

BINARY_OPERATORS = (
    *("+", "-", "*", "/", "//", "%", "@", "**", "<<", ">>", "&", "|", "^"),
    *("<", ">", "<=", ">=", "==", "!=", "is", "is not", "in", "not in", "and", "or"),
)
ATOMS = (
    *("x", "y", "zeta", "_", "None", "True", "False", "...", "Ellipsis", "0", "1", "42", "1.5"),
    *("2j", "1e+16", '"text"', "'a' 'b'", "()", "[]", "{}", "(x)", "(x,)", "x.y", "x.y.z"),
    *("f()", "f(x, k=1)", "x[0]", "x[1:2, ..., ::3]", "x[:]", "f'{x}'", "f'a{x}{{b}}'"),
)


def compact(tree: object) -> str:
    """The s-expression of a tree on one line."""
    return re.sub(r"\s*\n\s*", " ", str(tree))


TEMPLATES = (
    *("({}, {})", "[{}, {}, ]", "{{{}: {}}}", "{{{}, {}}}", "f(*[{}], {})", "f({}, {}, k={})"),
    *("x[{}:{}, {}]", "{} if {} else {}", "({})", "({}).attr", "[{} for i in ({})]"),
    *("[{} for i, j in y if ({}) for k in z]", "{{{}: {} for k in x}}", "any({} for i in x)"),
    *("{{{} for k in x}}", "- {}", "+ {}", "~ {}", "not {}", "- - {}", "(lambda a, b=1: {})"),
    *(f"{{}} {operator} {{}}" for operator in BINARY_OPERATORS),
)


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(str.format, st.sampled_from(TEMPLATES), inner, inner, inner)


EXPRESSIONS = st.recursive(st.sampled_from(ATOMS), compound, max_leaves=12)


@settings(max_examples=400, deadline=None)
@given(EXPRESSIONS)
def test_structure_is_that_of_cpython(text: str) -> None:
    try:
        expected = python_tree(text)
    except SyntaxError:
        return
    assert compact(parse_expression(Source(text))) == re.sub(r"\s*\n\s*", " ", expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b < c", "(and (< a b) (< b c))"),
        ("a not in b", "(not (in a b))"),
        ("not a == b", "(not (eq a b))"),
        ("-2 ** 2", "(unary minus (pow operator (const 2) (const 2)))"),
        ("2 ** -1", "(pow operator (const 2) (const -1))"),
        ("- 1", "(const -1)"),
        ("- -1", "(unary minus (const -1))"),
        ("a ** b ** c", "(pow operator a (pow operator b c))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a if b else c if d else e", "(if b a (if d c e))"),
        ("x[(1, 2)]", "(subscript x (list (const 1) (const 2)))"),
        ("x[()]", "(subscript x (list (tuple-literal (list))))"),
        ("x[1, 2]", "(subscript x (list (const 1) (const 2)))"),
        ("x[1,]", "(subscript x (list (const 1)))"),
        ("lambda: 0", "(lambda (decl (list) (option)) (const 0))"),
        ("f(x, )", "(apply f (list x) (list))"),
        ("f(*a, **k)", "(apply f (list (starred a) (double-starred k)) (list))"),
        ("{**a}", "(dict-literal (list (double-starred a)) (list (double-starred a)))"),
    ],
)
def test_structure(text: str, expected: str) -> None:
    printed = compact(parse_expression(Source(text)))
    assert re.sub(r"\(variable \(ident (\w+)\)\)", r"\1", printed) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("00", 0),
        ("1_000", 1000),
        ("0xFF_ff", 0xFFFF),
        ("0o17", 15),
        ("0B1_0", 2),
        ("1.", 1.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1_0.0_1E-0_2", 10.01e-2),
        ("2j", 2j),
        ("1.5e1J", 15j),
        ("-7", -7),
        ("-0x10", -16),
        ("-1.5", -1.5),
        ("9223372036854775808", 2**63),
        ("09.5", 9.5),
    ],
)
def test_numbers(text: str, value: complex) -> None:
    tree = parse_expression(Source(text))
    assert isinstance(tree, Const)
    assert tree.value == value
    assert type(tree.value) is type(value)
    assert tree.is_integral == isinstance(value, int)
    assert tree.is_floating_point == isinstance(value, float)
    assert tree.is_complex == isinstance(value, complex)


@pytest.mark.parametrize(
    "text",
    [
        r"'a\n\t\\\'\"\x41é\U0001F600\N{BULLET}\101\0'",
        r"'\q\8'",
        r"r'\n\''",
        r"R'\\'",
        "u'x'",
        '"""a\n"b" \\\nc"""',
        "'''x'y''z'''",
        "'a' \"b\" r'\\c' ''",
        "'a\\\nb'",
        "''",
        r'""""a\""""',
        "'日本'",
    ],
)
@pytest.mark.filterwarnings("ignore:invalid escape")
def test_strings(text: str) -> None:
    tree = parse_expression(Source(text))
    assert isinstance(tree, StringLiteral)
    assert tree.text == eval(text)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_repr_of_any_string_is_read_back(text: str) -> None:
    tree = parse_expression(Source(repr(text)))
    assert isinstance(tree, StringLiteral)
    assert tree.text == text


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=0))
def test_the_repr_of_any_float_is_read_back(value: float) -> None:
    tree = parse_expression(Source(repr(value)))
    assert isinstance(tree, Const)
    assert tree.value == value


def test_names_are_normalized() -> None:
    assert compact(parse_expression(Source("ﬁ"))) == "(variable (ident fi))"


def test_brackets_do_not_count_in_ranges() -> None:
    tree = parse_expression(Source("((a) + (b * c))"))
    assert isinstance(tree, BinOp)
    assert tree.range.text == "a) + (b * c"
    assert tree.rhs.range.text == "b * c"
