"""Programs with modules, evaluated and compared with the recorded answers of PyTorch."""

from __future__ import annotations

import pytest

from tests.construction.cases import Case, all_cases
from tsc.compiler.source import CompileError, Source, codes
from tsc.runtime.construction.construct import Construction
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.random.generator import manual_seed


def our_answer(case: Case, question: str) -> str:
    try:
        construction = Construction.from_source(Source(case.source, "case.py"))
        manual_seed(0)
        value = construction.evaluate_expression(question)
        with construction.evaluator.running():
            return construction.evaluator.representation(value)
    except ScriptError as error:
        return f"{error.kind}: {error.message}"
    except CompileError as error:
        kind = "NameError" if error.code == codes.UNDEFINED_NAME else "CompileError"
        return f"{kind}: {error.message}"


def _id(case: Case) -> str:
    return f"{case.file.stem}-{case.name.replace(' ', '_')}"


@pytest.mark.parametrize("case", all_cases(), ids=_id)
def test_values_and_errors_are_those_of_pytorch(case: Case) -> None:
    ours = [our_answer(case, question) for question in case.questions]
    assert ours == case.answers


@pytest.mark.oracle
@pytest.mark.parametrize("case", all_cases(), ids=_id)
def test_recorded_answers_are_pytorchs(case: Case) -> None:
    pytest.importorskip("torch")
    from tests.construction.pytorch import answers

    assert answers(case) == case.answers
