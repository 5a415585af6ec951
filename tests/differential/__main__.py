"""``make fuzz``: many random programs, scalar ones against CPython and tensor ones against PyTorch.

python -m tests.differential [--programs 10000] [--seed 0] [--workers 2]

Each worker takes a part of the programs, under a seed of its own, which is printed with what it found:
the same seed and count find the same again. A disagreement ends its part, shrunk to a short program.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

PART = 250


def checked(
    strategy: st.SearchStrategy[str], check: Callable[[str], None], count: int, number: int
) -> int:
    """Check `count` programs of the seed `number`; the number of those that were different."""
    seen: set[str] = set()

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(strategy)
    def run(program: str) -> None:
        seen.add(program)
        check(program)

    run()
    return len(seen)


def scalar_part(count: int, number: int) -> int:
    from .against_cpython import check_against_cpython
    from .scalar_programs import scalar_programs

    return checked(scalar_programs(), check_against_cpython, count, number)


def tensor_part(count: int, number: int) -> int:
    from .against_pytorch import check_against_pytorch
    from .tensor_programs import tensor_programs

    return checked(tensor_programs(), check_against_pytorch, count, number)


PARTS: dict[str, Callable[[int, int], int]] = {"scalar": scalar_part, "tensor": tensor_part}


def run_part(kind: str, count: int, number: int) -> tuple[int, str | None]:
    """How many different programs a part had, and its disagreement if there was one."""
    warnings.simplefilter("ignore")
    try:
        return PARTS[kind](count, number), None
    except BaseException:  # noqa: BLE001  whatever ends a part is what was looked for
        return 0, traceback.format_exc(limit=-1)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential")
    parser.add_argument(
        "--programs", type=int, default=10_000, help="how many in all (default 10000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the first part (default 0)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args()
    rounds = -(-options.programs // (PART * len(PARTS)))
    found: dict[str, int] = dict.fromkeys(PARTS, 0)
    failed = 0
    started = time.monotonic()
    with ProcessPoolExecutor(options.workers, max_tasks_per_child=4) as pool:
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
