"""``make bench``: run one benchmark, with its own arguments, or all of them.

python -m bench [cold_start | first_result [SAMPLE...] | first_call | loading | growth | speed
                 | tasks | training | native [PROGRAM...] | fusion | small | layers | limits | memory [MODEL [BATCH]]
                 | operators [FAMILY...] | models [MODEL [BATCH [THREADS]]] | delegates [MODEL [BATCH [THREADS]]]]
"""

from __future__ import annotations

import compileall
import importlib
import os
import sys
import warnings
from pathlib import Path

BENCHMARKS = (
    "cold_start",
    "first_result",
    "first_call",
    "loading",
    "growth",
    "speed",
    "tasks",
    "training",
    "native",
    "fusion",
    "small",
    "layers",
    "limits",
    "memory",
    "operators",
    "models",
    "delegates",
)


ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Set before NumPy and PyTorch are imported: both sides compute on one thread."""


def main(arguments: list[str]) -> None:
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    warnings.simplefilter("ignore")
    name, *rest = arguments or ("all",)
    if name not in (*BENCHMARKS, "all"):
        raise SystemExit(f"no benchmark {name}; there are {', '.join(BENCHMARKS)}")
    compile_packages()
    make_code_at_once()
    for each in BENCHMARKS if name == "all" else (name,):
        print(f"\n== {each.replace('_', ' ')} ==", flush=True)
        importlib.import_module(f"bench.{each}").main(rest)


def make_code_at_once() -> None:
    """What is timed in this process is code that has been made; `cold_start` and `first_result` time others."""
    from tsc.runtime.native.code.background import BACKGROUND

    BACKGROUND.is_immediate = True


def compile_packages() -> None:
    """Byte-compile tsc, as pip has compiled PyTorch: some environments never write what they compile."""
    for package in ("compiler", "runtime"):
        compileall.compile_dir(Path(__file__).parent.parent / package, quiet=1)


if __name__ == "__main__":
    main(sys.argv[1:])
