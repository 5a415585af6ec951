"""``make fuzz-sources``: many mutated programs, none of which may crash, hang or exhaust the compiler.

python -m tests.limits [--count 1000000] [--first 0] [--workers 2]

Each program is made of a number, which is printed with what it found: the same number makes it again.
"""

from __future__ import annotations

import sys

from tests.limits.source_fuzzing import run_part
from tests.serialization.fuzz_driver import main

if __name__ == "__main__":
    sys.exit(main("mutated programs", run_part))
