"""What PyTorch's Python answers: run where PyTorch is installed.

``python -m tests.construction.pytorch [TOPIC]`` writes the answers into the files of programs.
"""

from __future__ import annotations

import sys
import types
import warnings

from tests.construction.cases import PROGRAMS, Case, read_cases


def answers(case: Case) -> list[str]:
    """The text of each expression's value, or of its error."""
    return [_answer(case, question) for question in case.questions]


def _answer(case: Case, question: str) -> str:
    import torch

    module = types.ModuleType("case")
    sys.modules["case"] = module
    namespace = module.__dict__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.manual_seed(0)
            exec(compile(case.source, case.name, "exec"), namespace)
            torch.manual_seed(0)
            return repr(eval(question, namespace))
        except Exception as error:  # noqa: BLE001 - whatever a program raises is an answer
            return f"{type(error).__name__}: {error}"


def record(topic: str) -> None:
    """Write the answers of PyTorch into the files whose names contain `topic`."""
    for file in (each for each in sorted(PROGRAMS.glob("*.txt")) if topic in each.name):
        cases = read_cases(file)
        for case in cases:
            case.answers = answers(case)
        file.write_text("\n".join(map(str, cases)), encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1] if len(sys.argv) > 1 else "")
