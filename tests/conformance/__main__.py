"""``make conformance``: tsc against `torch.jit.script` over the samples of PyTorch's operator database.

python -m tests.conformance [PATTERN ...] [--verbose] [--json OUT] [--seed N]

PATTERN is an operator's name in the database (``linalg.lu``), or a shell pattern (``linalg.*``).
"""

from __future__ import annotations

import argparse
import fnmatch
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import tsc

from . import report
from .pytorch import SEED, entries
from .verdicts import Judge, Verdict

PROCESSES = 2


def all_names() -> list[str]:
    return list(entries())


def chosen(patterns: Sequence[str]) -> list[str]:
    """The operators that a pattern names, or all."""
    names = all_names()
    if not patterns:
        return names
    return [name for name in names if any(fnmatch.fnmatchcase(name, each) for each in patterns)]


def verdicts(names: Sequence[str], seed: int) -> Iterator[Verdict]:
    """The verdicts in the order in which they are reached; a few names need no processes."""
    judge = Judge(seed=seed)
    if len(names) < 2 * PROCESSES:
        yield from map(judge.verdict, names)
        return
    with multiprocessing.get_context("fork").Pool(PROCESSES, maxtasksperchild=100) as pool:
        yield from pool.imap_unordered(judge.verdict, names)


def runs() -> bool:
    """Whether tsc compiles and runs anything; else there is no need to ask about operators."""
    try:
        return tsc.CompilationUnit("def f(x):\n    return x + x\n").f(tsc.tensor(1)).item() == 2
    except tsc.Error:
        return False


def with_progress(found: Iterator[Verdict], total: int) -> Iterator[Verdict]:
    """Pass on, and count on the terminal."""
    start = time.perf_counter()
    step = 1 if sys.stderr.isatty() else 50
    for index, verdict in enumerate(found, 1):
        if index % step == 0 or index == total:
            seconds = time.perf_counter() - start
            end = "\r" if sys.stderr.isatty() and index < total else "\n"
            print(f"{index}/{total} operators, {seconds:.0f} s", end=end, file=sys.stderr)
        yield verdict


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--verbose", action="store_true", help="show scripts and results")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all verdicts to a file")
    parser.add_argument("--seed", type=int, default=SEED, help=f"draw other samples than {SEED}")
    options = parser.parse_args()
    if not runs():
        parser.error("tsc does not run: x + x fails")
    names = chosen(options.patterns)
    if not names:
        parser.error(f"no operator is called {' or '.join(options.patterns)}")
    found = list(with_progress(verdicts(names, options.seed), len(names)))
    found.sort(key=lambda verdict: names.index(verdict.name))
    if options.verbose:
        for verdict in found:
            print(report.details(verdict), end="\n\n")
    print(report.text(found))
    if options.json is not None:
        report.write_json(found, options.json)
    return 0 if report.is_good(found, whole=not options.patterns) else 1


if __name__ == "__main__":
    sys.exit(main())
