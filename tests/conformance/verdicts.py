"""One operator put to the test: each of its samples, in each form, by PyTorch and by tsc."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from . import ours, pytorch
from .comparison import difference
from .scripts import Sample, Script, scripts

SECONDS = 30  # for one script

# What these leave in memory that they do not write is nobody's to compare.
UNWRITTEN = {
    "empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided",
    "resize_", "resize_as_",
}  # fmt: skip


@dataclass(frozen=True)
class Failure:
    """A counted script on which tsc does not do as PyTorch does."""

    script: str
    dtype: str
    reason: str
    absent: bool
    expected: str = ""
    got: str = ""


@dataclass
class Verdict:
    """What became of an operator. `counted` scripts are those that PyTorch itself runs."""

    name: str
    scripts: int = 0
    counted: int = 0
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)
    refusal: str = ""

    @property
    def passed(self) -> bool:
        return self.counted > 0 and self.failed == 0

    @property
    def absent(self) -> bool:
        """Whether tsc lacks what every failing script needs."""
        return bool(self.failures) and all(failure.absent for failure in self.failures)


class Judge:
    """Puts operators to the test. Keeps at most `keep` failures of each."""

    def __init__(self, keep: int = 20) -> None:
        self._keep = keep

    def verdict(self, name: str) -> Verdict:
        """Run all samples of the operator `name`."""
        verdict = Verdict(name)
        reference, subject = pytorch.Reference(), ours.Subject()
        for sample in pytorch.samples(name):
            for script, expected in _accepted(sample, reference, verdict):
                verdict.counted += 1
                self._note(verdict, _failure(name, script, sample.dtype, expected, subject))
        return verdict

    def _note(self, verdict: Verdict, failure: Failure | None) -> None:
        if failure is None:
            return
        verdict.failed += 1
        if len(verdict.failures) < self._keep:
            verdict.failures.append(failure)


def _accepted(
    sample: Sample, reference: pytorch.Reference, verdict: Verdict
) -> list[tuple[Script, Any]]:
    """The scripts that PyTorch runs, with its outcomes: written plainly, or else typed."""
    for typed in (False, True):
        accepted: list[tuple[Script, Any]] = []
        for script in scripts(sample, pytorch.is_tensor, typed):
            verdict.scripts += not typed
            try:
                expected = reference.outcome(
                    script.text, script.tensors, verdict.name not in UNWRITTEN
                )
            except pytorch.Refused as refusal:
                verdict.refusal = verdict.refusal or str(refusal)
            else:
                accepted.append((script, expected))
        if accepted:
            return accepted
    return []


def _failure(
    name: str, script: Script, dtype: str, expected: Any, subject: ours.Subject
) -> Failure | None:
    arrays = [pytorch.array_of(tensor) for tensor in script.tensors]
    try:
        with time_limit(SECONDS):
            got = subject.outcome(script.text, arrays, pytorch.SEED)
    except ours.Failed as failed:
        return Failure(script.text, dtype, str(failed), failed.absent, lines(expected))
    except TimeoutError:
        return Failure(script.text, dtype, f"not done in {SECONDS} s", False, lines(expected))
    found = difference(expected, got, compare_values=name not in UNWRITTEN)
    if found is None:
        return None
    return Failure(script.text, dtype, found, False, lines(expected), lines(got))


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what runs longer."""

    def stop(_signal: int, _frame: Any) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def lines(outcome: Any) -> str:
    """A result and the arguments after it, as text for people."""
    result, arguments = outcome
    return (
        f"{result!s}" if not arguments else f"{shown(result)}\n  arguments then: {shown(arguments)}"
    )


def shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        opening, closing = "[]" if isinstance(value, list) else "()"
        return f"{opening}{', '.join(map(shown, value))}{closing}"
    return str(value)
