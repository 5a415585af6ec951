"""``make fuzz-archives``: many mutated archives, none of which may crash, hang or exhaust the reader.

python -m tests.serialization [--count 1000000] [--first 0] [--workers 2]

Each archive is made of a number, which is printed with what it found: the same number makes it again.
"""

from __future__ import annotations

import sys

from .fuzz_driver import main
from .fuzzing import run_part

if __name__ == "__main__":
    sys.exit(main("mutated archives", run_part))
