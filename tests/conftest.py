"""Settings of the whole suite."""

from __future__ import annotations

import os

# Before NumPy is imported: the workers of the suite share the cores, and BLAS threads would fight over them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

from tsc.compiler.pipelines import VERIFICATION

VERIFICATION.wanted = True  # each graph is verified after each pass

# The same examples on every machine: a gate must not turn red by chance. TSC_FUZZ_EXAMPLES, which asks for a
# long search, also asks for new examples each time.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("search" if "TSC_FUZZ_EXAMPLES" in os.environ else "gate")
