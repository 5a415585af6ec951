"""Many mutants or random programs in several processes, with what is found printed as it comes."""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from .fuzzing import Outcome

_PARTS_OF_A_PROCESS = 20
_PROGRESS = 20.0  # seconds

RunPart = Callable[[int, int], Outcome]


def main(what: str, run_part: RunPart, count: int = 1_000_000, part: int = 1000) -> int:
    """Try `count` of them, or as many as the command line says; 1 if one failed.

    `what` is the name of them (``mutated archives``); a `part` is what is tried in one go.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=count, help=f"how many (default {count})")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (default 0)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args()
    started = said = time.monotonic()
    done = refused = most = failures = 0
    longest = 0.0
    for outcome in _outcomes(run_part, options.first, options.count, options.workers, part):
        done, refused = done + outcome.archives, refused + outcome.refused
        most, longest = max(most, outcome.megabytes), max(longest, outcome.seconds)
        if outcome.failure is not None:
            failures += 1
            print(f"FAILED {outcome.failure}", flush=True)
        if time.monotonic() - said > _PROGRESS:
            said = time.monotonic()
            print(f"{done:,} of {options.count:,} {what} in {said - started:.0f} s", flush=True)
    print(
        f"{done:,} {what} (numbers from {options.first}): {refused:,} refused, {failures} failed; "
        f"at most {most} MB and {longest:.1f} s for one, {time.monotonic() - started:.0f} s"
    )
    return 1 if failures else 0


def _outcomes(
    run_part: RunPart, first: int, count: int, workers: int, size: int
) -> Iterator[Outcome]:
    """What became of each part, as it ends. Of a part that fails, the rest is tried, too."""
    parts = [
        (start, min(size, first + count - start)) for start in range(first, first + count, size)
    ]
    with ProcessPoolExecutor(
        workers,
        multiprocessing.get_context("spawn"),
        max_tasks_per_child=_PARTS_OF_A_PROCESS,
    ) as pool:
        pending: dict[Future[Outcome], tuple[int, int]] = {}
        while parts or pending:
            while parts and len(pending) < 2 * workers:
                part = parts.pop(0)
                pending[pool.submit(run_part, *part)] = part
            for job in wait(pending, return_when=FIRST_COMPLETED).done:
                start, size = pending.pop(job)
                outcome = job.result()
                yield outcome
                if outcome.archives < size:
                    parts.insert(0, (start + outcome.archives, size - outcome.archives))
