"""``python -m tests.backends.agreement BACKEND [NAME …]``: modules of the archives' tests with a backend, and without.

Each call of each module is made on both, one after the other, and results are compared up to rounding.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

import tsc
from tests.oracle.archives.answers import argument, described, is_close
from tests.oracle.archives.table import SAMPLES, Call, Sample


@dataclass(frozen=True)
class Outcome:
    """Of one call: whether results were equal, and how much of it the backend computed."""

    name: str
    is_equal: bool
    is_handed_over: bool
    report: str


def outcomes(sample: Sample, backend: str) -> Iterator[Outcome]:
    """Of each call, made on modules as the calls before have left them."""
    content = io.BytesIO()
    torch.jit.save(sample.make(), content)
    here = tsc.load(io.BytesIO(content.getvalue()))
    there = tsc.load(io.BytesIO(content.getvalue()), backend=backend)
    for call in sample.calls:
        expected, found = _result(here, call), _result(there, call)
        given = [argument(described(each)) for each in call.arguments]
        report = getattr(there, call.method).report(*given)
        yield Outcome(
            f"{sample.name}.{call.method}",
            is_close(found, expected),
            "are handed over" in report and " 0 of" not in report,
            report,
        )


def _result(module: Any, call: Call) -> Any:
    """Described; of what is random, for the same seed."""
    tsc.manual_seed(0)
    given = [argument(described(each)) for each in call.arguments]
    try:
        with tsc.no_grad():
            return described(getattr(module, call.method)(*given))
    except tsc.Error as error:
        return {"error": str(error)}


def main(backend: str, *names: str) -> None:
    """Print each call that differs or of which nothing is handed over, and how many are equal."""
    counts: Counter[str] = Counter()
    for sample in SAMPLES:
        if names and sample.name not in names:
            continue
        for each in outcomes(sample, backend):
            counts["calls"] += 1
            counts["equal"] += each.is_equal
            counts["handed over"] += each.is_handed_over
            if not each.is_equal:
                print(f"DIFFERENT {each.name}: {each.report}")
            elif not each.is_handed_over:
                print(f"{each.name}: {each.report.splitlines()[0]}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
