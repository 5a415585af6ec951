"""Programs with modules, and what PyTorch answers to expressions beside them.

A file of `programs` holds cases: ``=== name``, a source text, and lines ``>>> expression``, each followed
by the text of its value as PyTorch's Python shows it (or of its error). Every expression is evaluated
on its own, after ``torch.manual_seed(0)``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
_CASE = "=== "
_EXPRESSION = ">>> "


@dataclass
class Case:
    file: Path
    name: str
    source: str = ""
    questions: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        parts = [f"{_CASE}{self.name}\n{self.source}"]
        for question, answer in zip(self.questions, self.answers):
            parts.append(f"{_EXPRESSION}{question}\n{answer}\n")
        return "".join(parts)


def read_cases(file: Path) -> list[Case]:
    cases: list[Case] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(_CASE):
            cases.append(Case(file, line.removeprefix(_CASE)))
        elif line.startswith(_EXPRESSION):
            cases[-1].questions.append(line.removeprefix(_EXPRESSION))
            cases[-1].answers.append("")
        elif cases[-1].questions:
            before = cases[-1].answers[-1]
            cases[-1].answers[-1] = f"{before}\n{line}" if before else line
        else:
            cases[-1].source += f"{line}\n"
    for case in cases:
        case.answers = [answer.rstrip() for answer in case.answers]
        case.source = case.source.rstrip() + "\n"
    return cases


def all_cases() -> list[Case]:
    return [case for file in sorted(PROGRAMS.glob("*.txt")) for case in read_cases(file)]
