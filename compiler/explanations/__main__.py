"""``python -m tsc.compiler.explanations`` prints ``docs/diagnostics.md``."""

from __future__ import annotations

import sys

from tsc.compiler.explanations.reference import page

sys.stdout.write(page())
