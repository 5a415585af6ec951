"""``make bench``: run the benchmarks named on the command line, or all of them.

python -m bench [cold_start | growth | speed] ...
"""

from __future__ import annotations

import importlib
import sys

BENCHMARKS = ("cold_start", "growth", "speed")


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        raise SystemExit(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    for name in names or BENCHMARKS:
        print(f"\n== {name.replace('_', ' ')} ==", flush=True)
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
