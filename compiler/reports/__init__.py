"""Reports of problems: which are wanted, and how they are written. May import ``explanations`` and ``source``."""

from __future__ import annotations

from tsc.compiler.reports.problem import Problem
from tsc.compiler.reports.selection import Selection, UnknownCode

__all__ = ["Problem", "Selection", "UnknownCode"]
