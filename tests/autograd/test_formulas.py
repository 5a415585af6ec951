"""Every formula compiles, belongs to an operator, and is there once."""

from __future__ import annotations

from collections import Counter
from importlib import import_module

import pytest

from tsc.compiler.schema import Operator
from tsc.runtime.autograd import formulas
from tsc.runtime.autograd.formulas import FAMILIES, Group, parse_formula, table
from tsc.runtime.autograd.operator_steps import OperatorStep
from tsc.runtime.execution.gradient_functions import shared_functions
from tsc.runtime.operators import load


def operators_of(name: str) -> list[Operator]:
    """The operators that an entry of the table is for."""
    plain, _, overload = name.partition(".")
    found = load().operators_for(f"aten::{plain}")
    exact = [each for each in found if each.overload_name == overload]
    return exact or [] if overload else exact or list(found)


def test_functions_compile() -> None:
    for function in shared_functions().values():
        assert function.graph is not None


@pytest.mark.parametrize("family", FAMILIES)
def test_formulas_compile(family: str) -> None:
    entries = formulas.entries(import_module(f"{formulas.__name__}.{family}").FORMULAS)
    for name, text in entries.items():
        operators = operators_of(name)
        assert operators, f"there is no operator aten::{name}"
        formula = parse_formula(text)
        for operator in operators:
            step = OperatorStep(operator, formula)
            body = formula.body
            for group in formula.groups if body is None else [Group(("",), body)]:
                if group.text != "none":
                    step.function(group)
            known = {argument.name for argument in step.arguments}.union(step.results)
            assert {each for group in formula.groups for each in group.names} <= known, name


def test_each_formula_stands_once() -> None:
    names: Counter[str] = Counter()
    for family in FAMILIES:
        text = import_module(f"{formulas.__name__}.{family}").FORMULAS
        for line in text.splitlines():
            names.update(line.split() if line and not line.startswith(" ") else ())
    assert [name for name, count in names.items() if count > 1] == []
    assert set(names) == set(table())
