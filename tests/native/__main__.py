"""``make fuzz``: many random programs by native code, which must do what the interpreter of bytecode does.

python -m tests.native [--count 10000] [--first 0] [--workers 2]

Each program is made of a number, which is printed with what it found: the same number makes it again. Most run
with guarded memory, and one of five with code that LLVM has optimized.
"""

from __future__ import annotations

import sys

from tests.native.fuzzing import run_part
from tests.serialization.fuzz_driver import main

if __name__ == "__main__":
    sys.exit(main("programs by native code", run_part, 10_000, part=100))
