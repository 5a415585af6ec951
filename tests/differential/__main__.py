"""``make fuzz``: many random programs, scalar ones against CPython and tensor ones against PyTorch.

python -m tests.differential [--programs 10000] [--seed 0] [--workers 2]

Each worker takes a part of the programs, under a seed of its own, which is printed with what it found:
the same seed and count find the same again. A disagreement ends its part, shrunk to a short program.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from .parts import PART, PARTS, run_part

_DIFFERENT = 240
"""How many of the programs of a part are different ones, roughly."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential")
    parser.add_argument(
        "--programs", type=int, default=10_000, help="how many in all (default 10000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the first part (default 0)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args()
    rounds = -(-options.programs // (_DIFFERENT * len(PARTS)))
    found: dict[str, int] = dict.fromkeys(PARTS, 0)
    failed = 0
    started = time.monotonic()
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = {
            pool.submit(run_part, kind, PART, options.seed + part): (kind, options.seed + part)
            for part in range(rounds)
            for kind in PARTS
        }
        for job in as_completed(jobs):
            kind, number = jobs[job]
            count, disagreement = job.result()
            found[kind] += count
            failed += disagreement is not None
            total, spent = sum(found.values()), time.monotonic() - started
            print(
                f"{kind} seed {number}: {count} programs agree; {total} in {spent:.0f} s",
                flush=True,
            )
            if disagreement is not None:
                print(f"{kind} seed {number} DISAGREES\n{disagreement}", flush=True)
    counts = ", ".join(f"{count} {kind}" for kind, count in found.items())
    seeds = f"seeds {options.seed} to {options.seed + rounds - 1}"
    print(f"{counts} programs agree ({seeds}); {failed} parts found a disagreement")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
