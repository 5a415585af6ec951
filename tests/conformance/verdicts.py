"""One operator put to the test: each of its samples, in each form, by PyTorch and by tsc."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from . import ours, pytorch
from .comparison import Outcome, difference
from .scripts import Sample, Script, scripts
from .vectors import turned

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
    inputs: str = ""
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
    """Puts operators to the test. Keeps at most `keep` failures of each; `seed` draws samples."""

    def __init__(self, keep: int = 20, seed: int = pytorch.SEED) -> None:
        self._keep = keep
        self._seed = seed

    def verdict(self, name: str) -> Verdict:
        """Run all samples of the operator `name`."""
        verdict = Verdict(name)
        reference, subject = pytorch.Reference(), ours.Subject()
        for sample in pytorch.samples(name, self._seed):
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
) -> list[tuple[Script, Outcome]]:
    """The scripts that PyTorch runs, with its outcomes: written plainly, or else typed."""
    for typed in (False, True):
        accepted: list[tuple[Script, Outcome]] = []
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
    name: str, script: Script, dtype: str, expected: Outcome, subject: ours.Subject
) -> Failure | None:
    arrays = [pytorch.array_of(tensor) for tensor in script.tensors]
    inputs = shown(pytorch.described(list(script.tensors)))
    try:
        with time_limit(SECONDS):
            got = subject.outcome(script.text, arrays, pytorch.SEED)
    except ours.Failed as failed:
        result = shown(expected.result)
        return Failure(script.text, dtype, str(failed), failed.absent, inputs, result)
    except TimeoutError:
        return Failure(script.text, dtype, f"not done in {SECONDS} s", False, inputs)
    values_count = name not in UNWRITTEN
    result = turned(name, expected.result, got.result)
    found = difference(expected.result, result, values_count)
    if found is not None:
        sides = shown(expected.result), shown(got.result)
        return Failure(script.text, dtype, found, False, inputs, *sides)
    found = difference(expected.arguments, got.arguments, values_count)
    if found is not None:
        sides = shown(expected.arguments), shown(got.arguments)
        return Failure(script.text, dtype, f"arguments afterwards: {found}", False, inputs, *sides)
    return None


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what takes more of the processor's time, so that a busy machine fails nothing."""

    def stop(_signal: int, _frame: Any) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def shown(value: Any) -> str:
    """A result as text for people, on one line."""
    if isinstance(value, (list, tuple)):
        opening, closing = "[]" if isinstance(value, list) else "()"
        return f"{opening}{', '.join(map(shown, value))}{closing}"
    return " ".join(str(value).split())
