"""Many mutated exported programs, read and written: none may crash, hang or exhaust tsc.

python -m tests.exir [--count 100000] [--first 0] [--workers 2]
"""

from __future__ import annotations

import sys

from tests.serialization.fuzz_driver import main
from tests.serialization.fuzzing import run_part_of_programs

if __name__ == "__main__":
    sys.exit(main("mutated programs", run_part_of_programs, count=100_000))
