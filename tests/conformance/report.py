"""The outcome of a run, for people and for machines."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

from .everyday import EVERYDAY
from .verdicts import Verdict

REQUIRED = 487  # operators that must pass on every sample


def counted(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those that PyTorch can call on dense tensors of the CPU."""
    return [verdict for verdict in verdicts if verdict.counted]


def failing_everyday(verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [each for each in counted(verdicts) if not each.passed and each.name in EVERYDAY]


def is_good(verdicts: Sequence[Verdict], whole: bool) -> bool:
    """Whether the bar is reached: of a part of the operators, all must pass."""
    candidates = counted(verdicts)
    passed = sum(verdict.passed for verdict in candidates)
    if not whole:
        return passed == len(candidates)
    return passed >= REQUIRED and not failing_everyday(verdicts)


def text(verdicts: Sequence[Verdict]) -> str:
    """The summary and the failing operators, everyday ones first."""
    candidates = counted(verdicts)
    passed = sum(verdict.passed for verdict in candidates)
    everyday = failing_everyday(verdicts)
    absent = [each for each in candidates if each.absent]
    wrong = [each for each in candidates if not each.passed and not each.absent]
    parts = [
        f"{passed} of {len(candidates)} operators pass on every sample (required: {REQUIRED})",
        f"{sum(each.counted for each in candidates)} scripts compared, "
        f"{sum(each.failed for each in candidates)} differ",
        _section("everyday operators that fail", [_line(each) for each in everyday]),
        _section("absent", [_line(each) for each in absent]),
        _section("wrong", [_line(each) for each in wrong]),
        _section("not called by PyTorch itself", _refused(verdicts)),
    ]
    return "\n".join(parts)


def _section(title: str, entries: list[str]) -> str:
    return f"\n{title}: {len(entries)}\n" + "\n".join(f"  {entry}" for entry in entries)


def _line(verdict: Verdict) -> str:
    first = verdict.failures[0]
    where = first.script.splitlines()[-1].strip().removeprefix("return ")
    share = f"{verdict.failed}/{verdict.counted}"
    return f"{verdict.name:36} {share:>9}  [{first.dtype[6:]}] {shortened(where)}: {shortened(first.reason)}"


def _refused(verdicts: Sequence[Verdict]) -> list[str]:
    return [
        f"{each.name:36} {shortened(each.refusal or 'no sample can be written')}"
        for each in verdicts
        if not each.counted
    ]


def shortened(line: str, width: int = 110) -> str:
    line = " ".join(line.split())
    return line if len(line) <= width else f"{line[:width]}…"


def details(verdict: Verdict) -> str:
    """Every kept failure with its script, the expected and the actual result."""
    parts = [
        f"{verdict.name}: {verdict.scripts} scripts, {verdict.counted} run by PyTorch, "
        f"{verdict.failed} of them fail"
    ]
    if verdict.refusal:
        parts.append(f"  PyTorch on the first of the others: {verdict.refusal}")
    for failure in verdict.failures:
        parts.append(f"\n[{failure.dtype}] {failure.reason}\n{failure.script}")
        parts.append(f"inputs:   {failure.inputs}")
        parts.append(f"expected: {failure.expected}")
        parts.append(f"got:      {failure.got or '(nothing)'}")
    return "\n".join(parts)


def write_json(verdicts: Sequence[Verdict], path: Path) -> None:
    """All verdicts with the failures kept of each."""
    entries = [dataclasses.asdict(each) | {"passed": each.passed} for each in verdicts]
    path.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
