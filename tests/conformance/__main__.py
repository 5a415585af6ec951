"""``make conformance``: tsc against `torch.jit.script` over the samples of PyTorch's operator database.

python -m tests.conformance [PATTERN ...] [--verbose] [--json OUT]

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

from . import report
from .verdicts import Judge, Verdict

PROCESSES = 2


def _verdict(name: str) -> Verdict:
    return Judge().verdict(name)


def all_names() -> list[str]:
    from .pytorch import entries

    return list(entries())


def chosen(patterns: Sequence[str]) -> list[str]:
    """The operators that a pattern names, or all."""
    names = all_names()
    if not patterns:
        return names
    return [name for name in names if any(fnmatch.fnmatchcase(name, each) for each in patterns)]


def verdicts(names: Sequence[str]) -> Iterator[Verdict]:
    """The verdicts in the order in which they are reached; a few names need no processes."""
    if len(names) < 2 * PROCESSES:
        yield from map(_verdict, names)
        return
    with multiprocessing.get_context("fork").Pool(PROCESSES, maxtasksperchild=100) as pool:
        yield from pool.imap_unordered(_verdict, names)


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
    options = parser.parse_args()
    names = chosen(options.patterns)
    if not names:
        parser.error(f"no operator is called {' or '.join(options.patterns)}")
    found = list(with_progress(verdicts(names), len(names)))
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
