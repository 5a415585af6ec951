"""What `make bench` measures compiles and runs here."""

from __future__ import annotations

import pytest

import tsc
from bench.models import MODELS, PROGRAMS, Model
from bench.operator_cases import CASES, Case
from bench.operators import arguments, label


@pytest.mark.filterwarnings("ignore:kl_div with reduction")
@pytest.mark.parametrize("case", CASES, ids=label)
def test_case_runs_on_small_operands(case: Case) -> None:
    values = [tsc.from_numpy(value) for value in arguments(case, 0)]
    result = tsc.CompilationUnit(case.source).f(*values)
    assert isinstance(result, tsc.Tensor)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.label)
def test_model_compiles(model: Model) -> None:
    unit = tsc.CompilationUnit((PROGRAMS / f"{model.program}.py").read_text(encoding="utf-8"))
    assert getattr(unit, model.name)().forward.schema.returns
