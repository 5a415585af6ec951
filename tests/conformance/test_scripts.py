"""Samples become the scripts that a user would write. No PyTorch is needed: arrays are tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .forms import Operator
from .literals import LiteralWriter, NotExpressible
from .scripts import Sample, scripts


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


X, Y = np.ones(2), np.zeros(2)

ADD = Operator(
    "add",
    function="torch.add",
    method="add",
    in_place="add_",
    symbol="add",
    in_place_symbol="iadd",
)


def bodies(sample: Sample) -> list[str]:
    texts = [script.text for script in scripts(sample, is_array)]
    return [text.split(":\n", 1)[1].strip() for text in texts]


def test_an_operator_is_called_in_every_form_that_it_has() -> None:
    assert bodies(Sample(ADD, "float32", X, (Y,))) == [
        "return torch.add(x0, x1)",
        "return x0.add(x1)",
        "return x0.add_(x1)",
        "return x0 + x1",
        "x0 += x1\n    return x0",
    ]


def test_keywords_are_written_and_leave_no_operator_form() -> None:
    found = bodies(Sample(ADD, "float32", X, (Y,), {"alpha": 2}))
    assert found == [
        "return torch.add(x0, x1, alpha=2)",
        "return x0.add(x1, alpha=2)",
        "return x0.add_(x1, alpha=2)",
    ]


def test_tensors_are_parameters_in_the_order_of_their_writing() -> None:
    cat = Operator("cat", function="torch.cat")
    script = next(scripts(Sample(cat, "float32", [X, Y], (0,)), is_array))
    assert script.text == "def f(x0, x1):\n    return torch.cat([x0, x1], 0)\n"
    assert script.tensors[0] is X
    assert script.tensors[1] is Y


def test_a_reflected_operator_has_its_input_on_the_right() -> None:
    assert bodies(Sample(Operator("__rsub__"), "float32", X, (2,))) == ["return 2 - x0"]


def test_the_input_comes_second_where_the_database_wraps_the_operator() -> None:
    assert bodies(Sample(Operator("polygamma"), "float32", X, (3,))) == [
        "return torch.polygamma(3, x0)"
    ]


def test_a_flag_stands_for_the_in_place_variant_of_a_functional() -> None:
    relu = Operator("nn.functional.elu", "torch.nn.functional.elu", in_place_flag=True)
    assert bodies(Sample(relu, "float32", X)) == [
        "return torch.nn.functional.elu(x0)",
        "return torch.nn.functional.elu(x0, inplace=True)",
    ]


def test_a_keyword_that_changes_nothing_is_left_out() -> None:
    ones = Operator("ones", function="torch.ones")
    sample = Sample(ones, "float32", (2,), (), {"requires_grad": False})
    assert bodies(sample) == ["return torch.ones((2,))"]


def test_what_has_no_literal_makes_no_script() -> None:
    assert bodies(Sample(ADD, "float32", X, (print,))) == []


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (slice(1, None), "x0[1:]"),
        (slice(None, None, 2), "x0[::2]"),
        ((0, slice(None)), "x0[0, :]"),
        ((Y,), "x0[x1]"),
        ((Ellipsis, None), "x0[..., None]"),
        ([0, 1], "x0[[0, 1]]"),
    ],
)
def test_an_index_is_written_between_brackets(index: Any, text: str) -> None:
    assert bodies(Sample(Operator("__getitem__"), "float32", X, (index,))) == [f"return {text}"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "True"),
        (-3, "-3"),
        (1e-05, "1e-05"),
        (float("inf"), "float('inf')"),
        (float("nan"), "float('nan')"),
        (1 - 2j, "complex(1.0, -2.0)"),
        (np.float64(0.5), "0.5"),
        ("sum", "'sum'"),
        (None, "None"),
        ((1,), "(1,)"),
        ((), "torch.jit.annotate(List[int], [])"),
    ],
)
def test_a_plain_value_is_written_as_a_literal(value: Any, text: str) -> None:
    assert LiteralWriter(is_array).text(value) == text


def test_the_typed_writing_has_floats_and_optional_tensors() -> None:
    writer = LiteralWriter(is_array, typed=True)
    assert writer.text(2) == "2.0"
    assert writer.text([X]) == "torch.jit.annotate(List[Optional[Tensor]], [x0])"


def test_a_function_cannot_be_written() -> None:
    with pytest.raises(NotExpressible, match="has no literal"):
        LiteralWriter(is_array).text(print)
