"""``make fuzz-archives``: many mutated archives, none of which may crash, hang or exhaust the reader.

python -m tests.serialization [--archives 100000] [--first 0] [--workers 2]

Each archive is made of a number, which is printed with what it found: the same number makes it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from .fuzzing import run_part

_PART = 1000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.serialization")
    parser.add_argument("--archives", type=int, default=100_000, help="how many (default 100000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (default 0)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args()
    started, archives, refused, megabytes, failures = time.monotonic(), 0, 0, 0, 0
    longest = 0.0
    end = options.first + options.archives
    with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as pool:
        starts = range(options.first, end, _PART)
        jobs = [pool.submit(run_part, start, min(_PART, end - start)) for start in starts]
        for job in as_completed(jobs):
            outcome = job.result()
            archives, refused = archives + outcome.archives, refused + outcome.refused
            megabytes = max(megabytes, outcome.megabytes)
            longest = max(longest, outcome.seconds)
            failures += outcome.failure is not None
            if outcome.failure is not None:
                print(f"FAILED {outcome.failure}", flush=True)
            elif archives % (10 * _PART) == 0:
                print(f"{archives} archives in {time.monotonic() - started:.0f} s", flush=True)
    print(
        f"{archives} mutated archives (numbers {options.first} to {end - 1}): {refused} refused, "
        f"{archives - refused - failures} read, {failures} failed; at most {megabytes} MB and {longest:.1f} s for one, "
        f"{time.monotonic() - started:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
