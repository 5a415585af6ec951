"""What of a program cannot be exported, found in its graph without running it."""

from __future__ import annotations

from tsc.compiler.exir.explanation.explanation import Explanation, explain
from tsc.compiler.exir.explanation.finding import Finding

__all__ = ["Explanation", "Finding", "explain"]
