"""What pointwise operators compute of single elements, as their records tell it: as text, and as a tree."""

from __future__ import annotations

import functools
import math
import operator as python
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.special

import tsc
from tsc.compiler.schema import (
    Apply,
    Argument,
    Choice,
    Constant,
    Input,
    Operator,
    Promotion,
    ScalarExpression,
    SchemaError,
    Term,
    sole_operator,
)
from tsc.compiler.schema.scalar_terms import BASIC, operators_in, parse_term
from tsc.compiler.types import TypeKind
from tsc.runtime.arrays.integers import wrap
from tsc.runtime.native.fusion.operand_views import views_of_operand
from tsc.runtime.operators import load

POINTWISE = [each for each in load().all() if each.expression is not None]
ON_TENSORS = [each for each in POINTWISE if each.expression.promotion is not Promotion.NUMBERS]
SEEN_OTHERWISE = [
    each for each in ON_TENSORS if each.expression.channels or each.expression.halved_along
]
"""Operators whose operands are seen in another way than by broadcasting."""
ALIGNED = [each for each in ON_TENSORS if each not in SEEN_OTHERWISE]
ON_NUMBERS = [each for each in POINTWISE if each.expression.promotion is Promotion.NUMBERS]
COMPOSED = [each for each in ALIGNED if operators_in(each.expression.term) <= BASIC]
FLOATS = [-math.inf, -7.5, -1.0, -0.7, -0.0, 0.0, 0.3, 0.5, 1.0, 1.5, 3.0, 6.5, math.inf, math.nan]
INTS = [-9, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 11, 40]
DTYPES = (tsc.float32, tsc.float64, tsc.int64, tsc.int32, tsc.bool)


def _name(operator: Operator) -> str:
    return operator.qualified_name


def _expression(operator: Operator) -> ScalarExpression:
    assert operator.expression is not None
    return operator.expression


@pytest.mark.parametrize("operator", POINTWISE, ids=_name)
def test_terms_are_made_of_basic_operators_or_are_the_operator_itself(operator: Operator) -> None:
    expression = _expression(operator)
    own = operator.name.partition("::")[2]
    assert operators_in(expression.term) - BASIC <= {
        own,
        (operator.first_name or own).partition("::")[2],
    }
    halves = {"first", "second"} if expression.halved_along else set()
    assert _inputs(expression.term) <= {each.name for each in operator.schema.arguments} | halves
    assert parse_term(str(expression.term)) == expression.term


@pytest.mark.parametrize("operator", ON_NUMBERS, ids=_name)
def test_what_is_one_operator_on_numbers_takes_them_in_order(operator: Operator) -> None:
    """The machine computes it without looking at the names."""
    term = _expression(operator).term
    if sole_operator(term) is not None:
        names = tuple(Input(each.name) for each in operator.schema.arguments)
        assert isinstance(term, Apply)
        assert term.operands == names


def _inputs(term: Term) -> set[str]:
    match term:
        case Input(name):
            return {name}
        case Apply(_, operands):
            return set().union(*map(_inputs, operands))
        case Choice(condition, chosen, other):
            return _inputs(condition) | _inputs(chosen) | _inputs(other)
        case _:
            return set()


# -- Comparison with kernels -------------------------------------------------------------------


def _samples(operator: Operator, dtype: int) -> list[dict[str, Any]]:
    """Arguments of an operator, in a dtype, with and without those that may be None."""
    arguments = operator.schema.arguments
    given = {each.name: _sample(each, dtype, k) for k, each in enumerate(arguments)}
    optional = [each.name for each in arguments if each.type.kind is TypeKind.OptionalType]
    if not optional:
        return [given, *_other_settings(given)]
    return [given, *(given | {name: None} for name in optional)]


def _other_settings(given: dict[str, Any]) -> list[dict[str, Any]]:
    if "approximate" in given:
        return [given | {"approximate": "tanh"}]
    if "decimals" in given:
        return [given | {"decimals": decimals} for decimals in (0, -1)]
    return [given | {"weight": 0.75}] if isinstance(given.get("weight"), float) else []


def _sample(argument: Argument, dtype: int, position: int) -> Any:
    type = argument.type.element if argument.type.kind is TypeKind.OptionalType else argument.type
    match type.kind:
        case TypeKind.TensorType:
            if argument.name in ("mask", "condition"):
                return tsc.tensor([k % 3 == 0 for k in range(len(FLOATS))])
            values = FLOATS if dtype in (tsc.float32, tsc.float64) else INTS
            shift = 5 * position % len(values)
            values = values[shift:] + values[:shift]
            if argument.name == "value":
                return tsc.tensor(3).to(dtype)
            return tsc.tensor(values).to(dtype)
        case TypeKind.StringType:
            return "none"
        case TypeKind.IntType:
            return 1
    if argument.has_default and argument.default is not None:
        return argument.default
    bound = {"max": 2, "min": -1, "eps": 0.25, "weight": 0.25}.get(argument.name, 2)
    return bound if dtype not in (tsc.float32, tsc.float64) else float(bound)


def _kernel_result(operator: Operator, sample: dict[str, Any]) -> Any:
    """What the kernel gives; None for what it refuses."""
    try:
        with np.errstate(all="ignore"):
            return operator.kernel(*sample.values())
    except tsc.Error:
        return None


def _computed(operator: Operator, sample: dict[str, Any], result: Any) -> dict[str, Any]:
    """The sample, with tensors in the dtype in which elements are computed."""
    promotion = _expression(operator).promotion
    tensors = [
        v for k, v in sample.items() if isinstance(v, tsc.Tensor) and k not in ("mask", "condition")
    ]
    if promotion is Promotion.TRUTH:
        dtype = np.result_type(*(each.numpy() for each in tensors))
    else:
        dtype = result.numpy().dtype
    return {
        name: each.numpy().astype(dtype)
        if isinstance(each, tsc.Tensor) and name not in ("mask", "condition")
        else each.numpy()
        if isinstance(each, tsc.Tensor)
        else each
        for name, each in sample.items()
    }


def _compare(found: Any, expected: np.ndarray) -> None:
    tolerance = 1e-5 if expected.dtype == np.float32 else 1e-9
    found = np.broadcast_to(np.asarray(found).astype(expected.dtype), expected.shape)
    np.testing.assert_allclose(found, expected, tolerance, tolerance)


@pytest.mark.parametrize("operator", COMPOSED, ids=_name)
def test_trees_compute_what_the_kernels_compute(operator: Operator) -> None:
    compared = 0
    for dtype in DTYPES:
        for sample in _samples(operator, dtype):
            result = _kernel_result(operator, sample)
            if result is not None:
                values = _computed(operator, sample, result)
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    found = evaluated(_expression(operator).term, values)
                _compare(found, result.numpy())
                compared += 1
    assert compared


@pytest.mark.parametrize("operator", ALIGNED, ids=_name)
def test_texts_are_torchscript_and_compute_what_the_kernels_compute(operator: Operator) -> None:
    arguments = operator.schema.arguments
    source = f"""
def f({", ".join(f"{each.name}: {_type(each)}" for each in arguments)}) -> Tensor:
    return {_expression(operator).term}
"""
    function = tsc.CompilationUnit(source).f
    for dtype in (tsc.float32, tsc.float64):
        for sample in _samples(operator, dtype):
            result = _kernel_result(operator, sample)
            if result is not None:
                values = [_element(name, value) for name, value in sample.items()]
                _compare(function(*values).numpy(), result.numpy())


IMAGES: dict[str, list[Any]] = {
    "aten::glu": [np.linspace(-4, 4, 24).reshape(2, 4, 3), 1],
    "aten::batch_norm": [
        np.linspace(-4, 4, 24).reshape(2, 4, 3),
        *(None, np.arange(4.0), np.arange(4.0) - 1, np.arange(4.0) + 0.5),
        *(False, 0.1, 1e-5, True),
    ],
}


@pytest.mark.parametrize("operator", SEEN_OTHERWISE, ids=_name)
def test_trees_compute_what_kernels_compute_of_channels_and_halves(operator: Operator) -> None:
    names = [each.name for each in operator.schema.arguments]
    given = IMAGES[operator.name]
    arguments = [tsc.from_numpy(each) if isinstance(each, np.ndarray) else each for each in given]
    result = operator.kernel(*arguments).numpy()
    values = dict(zip(names, given, strict=True))
    numbers = {key: each for key, each in values.items() if not isinstance(each, np.ndarray)}
    for name, array in [(key, each) for key, each in values.items() if key not in numbers]:
        for seen, views in views_of_operand(_expression(operator), name, array, result, numbers):
            values[seen] = functools.reduce(lambda found, view: view.of(found), views, array)
    _compare(evaluated(_expression(operator).term, values), result)


OPERANDS = ("self", "other", "x", "n", "exponent")
"""Arguments that are elements, be they of tensors or numbers."""


def _type(argument: Argument) -> str:
    if argument.name in OPERANDS and argument.type.kind is TypeKind.NumberType:
        return "Tensor"
    name = str(argument.type).replace("Scalar", "float").replace("number", "float")
    return f"Optional[{name[:-1]}]" if name.endswith("?") else name


def _element(name: str, value: Any) -> Any:
    is_number = name in OPERANDS and isinstance(value, int | float)
    return tsc.tensor(value).to(tsc.float64) if is_number else value


NUMBERS: dict[TypeKind, list[Any]] = {
    TypeKind.IntType: [-7, -2, 3, 5, 2**40],
    TypeKind.FloatType: [-2.5, 0.0, 0.75, 4.0, math.inf, math.nan],
    TypeKind.BoolType: [False, True],
    TypeKind.ComplexType: [1 - 2j, 0.5 + 0j],
}


def _trial(operator: Operator) -> list[tuple[Any, ...]]:
    kinds = [each.type.kind for each in operator.schema.arguments]
    if len(kinds) == 1:
        return [(value,) for value in NUMBERS[kinds[0]]]
    return [(a, b) for a in NUMBERS[kinds[0]] for b in NUMBERS[kinds[1]]]


@pytest.mark.parametrize(
    "operator",
    [
        each
        for each in ON_NUMBERS
        if operators_in(each.expression.term) <= BASIC
        and {argument.type.kind for argument in each.schema.arguments} <= set(NUMBERS)
    ],
    ids=_name,
)
def test_trees_compute_what_the_kernels_compute_of_numbers(operator: Operator) -> None:
    names = [each.name for each in operator.schema.arguments]
    for values in _trial(operator):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            mixed = len({type(each) for each in values}) > 1 and complex not in map(type, values)
            inputs = [np.float64(v) if mixed or isinstance(v, float) else v for v in values]
            found = evaluated(_expression(operator).term, dict(zip(names, inputs)))
        if isinstance(found, int) and not isinstance(found, bool):
            found = wrap(found)
        expected = operator.kernel(*values)
        np.testing.assert_allclose(found, expected, 1e-12, err_msg=f"{operator.text} {values}")


def evaluated(term: Term, values: dict[str, Any]) -> Any:
    """What a term gives for arrays or numbers."""
    match term:
        case Input(name):
            return values[name]
        case Constant(value):
            return value
        case Choice(condition, chosen, other):
            return evaluated(chosen if evaluated(condition, values) else other, values)
        case Apply(name, operands):
            return FUNCTIONS[name](*(evaluated(each, values) for each in operands))
    raise AssertionError(term)


def _power(a: Any, b: Any) -> Any:
    """Of integers, what is not 1 or -1 to a negative power is 0."""
    if np.result_type(a, b).kind not in "iu":
        return np.power(a, b)
    unit = np.where(a == 1, 1, np.where(a == -1, 1 - 2 * (b % 2), 0))
    return np.where(np.less(b, 0), unit, np.power(a, np.abs(b)))


NAMED_ALIKE = """
ceil cos cosh exp exp2 expm1 floor fmod log log10 log1p log2 maximum minimum sin sinh sqrt tan tanh
trunc where
"""
FUNCTIONS: dict[str, Any] = {
    "__is__": python.is_,
    "abs": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "add": python.add,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "bitwise_and": python.and_,
    "bitwise_left_shift": np.left_shift,
    "bitwise_not": np.invert,
    "bitwise_or": python.or_,
    "bitwise_right_shift": np.right_shift,
    "bitwise_xor": python.xor,
    "clamp_max": np.minimum,
    "clamp_min": np.maximum,
    "div": python.truediv,
    "eq": python.eq,
    "erf": scipy.special.erf,
    "erfc": scipy.special.erfc,
    "floor_divide": python.floordiv,
    "floordiv": python.floordiv,
    "ge": python.ge,
    "gt": python.gt,
    "le": python.le,
    "lt": python.lt,
    "mul": python.mul,
    "ne": python.ne,
    "neg": python.neg,
    "pow": _power,
    "remainder": python.mod,
    "round": np.rint,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sub": python.sub,
} | {name: getattr(np, name) for name in NAMED_ALIKE.split()}


def test_every_basic_operator_has_a_meaning_here() -> None:
    assert set(FUNCTIONS) == BASIC


# -- Terms -------------------------------------------------------------------------------------


def test_terms_print_as_they_are_read() -> None:
    for text in (
        "a - (b - c)",
        "-(a * b)",
        "(torch.exp(a) if b is None else (a // 2)) + float('-inf')",
        "torch.where((a < 1) & (b != -2), ~a, a ** 2)",
    ):
        term = parse_term(text)
        assert parse_term(str(term)) == term
    assert str(parse_term("a-(b-c)")) == "a - (b - c)"
    assert parse_term("-2 * self") == Apply("mul", (Constant(-2), Input("self")))


@pytest.mark.parametrize("text", ["a.b", "a[0]", "f(a)", "torch.sum(a, dim=0)", "a < b < c", "[a]"])
def test_what_is_no_scalar_expression_is_refused(text: str) -> None:
    with pytest.raises(SchemaError, match="scalar expression"):
        parse_term(text)


def test_an_expression_without_text_is_its_operator() -> None:
    expression = ScalarExpression(Promotion.MEETING)
    own = expression.of("aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor")
    assert own.term == Apply("pow", (Input("self"), Input("exponent")))
    assert expression.of("aten::f(Tensor x, *, Scalar y=1.) -> Tensor").text == "torch.f(x, y)"
