"""Every formula, compared with small differences at places of its own.

One of `EVERY` formulas is checked with each run of the tests, all with ``TSC_EVERY_CASE=1`` (`make conformance`).
"""

from __future__ import annotations

import os

import pytest

import tsc

from .formula_samples import formulas, samples
from .operator_arguments import ARGUMENTS

FORMULAS = formulas()
WITHOUT_SAMPLES: frozenset[str] = frozenset()
"""The operators with a formula for which no arguments are known."""
ZERO_BY_DECREE = frozenset(("normal.Tensor_float", "normal.float_Tensor", "normal.Tensor_Tensor"))
"""The operators whose gradients PyTorch has as zeros, though what they give moves with their operands."""
EVERY = 1 if os.environ.get("TSC_EVERY_CASE") else 12


@pytest.mark.parametrize("name", list(FORMULAS)[::EVERY])
def test_formula(name: str) -> None:
    checked = list(samples(FORMULAS[name]))
    assert bool(checked) is (name not in WITHOUT_SAMPLES), (
        f"no arguments are known for {name}: tests/autograd/operator_arguments.py is the place for them"
    )
    for sample in checked:
        if name not in ZERO_BY_DECREE:
            assert tsc.autograd.gradcheck(sample.run, list(sample.leaves))


def test_names_are_those_of_operators_with_formulas() -> None:
    assert set(ARGUMENTS) | WITHOUT_SAMPLES | ZERO_BY_DECREE <= set(FORMULAS)
