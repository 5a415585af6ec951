"""``make fuzz-archives``: many mutated archives, none of which may crash, hang or exhaust the reader.

python -m tests.serialization [--format all|pt2] [--count 1000000] [--first 0] [--workers 2]

Each archive is made of a number, which is printed with what it found: the same number makes it again.
"""

from __future__ import annotations

import argparse
import sys

from .fuzz_driver import main
from .fuzzing import run_part, run_part_of_programs

FORMATS = {"all": run_part, "pt2": run_part_of_programs}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--format", choices=FORMATS, default="all")
    options, sys.argv[1:] = parser.parse_known_args()
    sys.exit(main("mutated archives", FORMATS[options.format]))
