"""Schemas of further forms, as rules derive them from that of the operator."""

from __future__ import annotations

import pytest

from tsc.compiler.schema import SchemaError
from tsc.runtime.operators import load
from tsc.runtime.operators.derived_schemas import (
    copying_schema,
    forms,
    functional_schema,
    in_place_schema,
    out_schema,
    renamed_schema,
)

ADD = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
MAX = "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
NEW = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
LIKE = f"aten::ones_like(Tensor self, *, {NEW}, MemoryFormat? memory_format=None) -> Tensor"


@pytest.mark.parametrize(
    ("text", "derived"),
    [
        ("aten::sin(Tensor self) -> Tensor", "aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"),
        (ADD, "aten::add.Tensor_out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"),
        (
            "aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
            "aten::frexp.Tensor_out(Tensor self, *, Tensor(a!) mantissa, Tensor(b!) exponent)"
            " -> (Tensor(a!) mantissa, Tensor(b!) exponent)",
        ),
        (
            "aten::std_mean(Tensor self) -> (Tensor, Tensor)",
            "aten::std_mean.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))",
        ),
        (
            "aten::split_copy(Tensor self, int n) -> Tensor[]",
            "aten::split_copy.out(Tensor self, int n, *, Tensor(a!)[] out) -> ()",
        ),
        (f"aten::eye(SymInt n, *, {NEW}) -> Tensor", "aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)"),
        (
            LIKE,
            "aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
        ),
    ],
)  # fmt: skip
def test_out_forms_have_an_output_for_each_result(text: str, derived: str) -> None:
    assert out_schema(text) == derived


def test_an_out_form_may_name_its_overload_and_its_outputs() -> None:
    assert out_schema(MAX, "dim_max", ("max", "max_values")) == (
        "aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values)"
        " -> (Tensor(a!) values, Tensor(b!) indices)"
    )


@pytest.mark.parametrize(
    ("text", "overload", "derived"),
    [
        (ADD, None, "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"),
        (
            "aten::dropout(Tensor input, float p, bool train) -> Tensor",
            None,
            "aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
        ),
        (
            "aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
            "",
            "aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)",
        ),
        (
            "aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor",
            None,
            "aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
        ),
        ("aten::relu(Tensor self) -> Tensor", None, "aten::relu_(Tensor(a!) self) -> Tensor(a!)"),
    ],
)  # fmt: skip
def test_in_place_forms_write_to_self(text: str, overload: str | None, derived: str) -> None:
    assert in_place_schema(text, overload) == derived


def test_functional_and_copying_forms_write_and_share_nothing() -> None:
    writing = "aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)"
    assert functional_schema(writing) == "aten::fill.Tensor(Tensor self, Tensor value) -> Tensor"
    view = "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"
    copying = "aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"
    assert copying_schema(view) == copying


def test_a_second_name_keeps_overload_and_arguments() -> None:
    assert renamed_schema(ADD, "plus") == ADD.replace("aten::add", "aten::plus")


def test_lists_of_forms_tell_overloads_and_outputs() -> None:
    load()
    listing = "sin pow.Tensor_Scalar:Scalar transpose.int:- max.dim:dim_max(max,max_values)"
    assert [(form.operator.qualified_name, *form[1:]) for form in forms(listing)] == [
        ("aten::sin", None, ()),
        ("aten::pow.Tensor_Scalar", "Scalar", ()),
        ("aten::transpose.int", "", ()),
        ("aten::max.dim", "dim_max", ("max", "max_values")),
    ]


@pytest.mark.parametrize("entry", ["sin.unknown", "unheard_of", "sin:", "sin()"])
def test_what_is_not_declared_or_no_form_is_refused(entry: str) -> None:
    load()
    with pytest.raises(SchemaError):
        list(forms(entry))
