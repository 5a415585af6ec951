"""The regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x)."""

from __future__ import annotations

from tsc.runtime.numerics.special.evaluation import from_scipy

igamma = from_scipy("gammainc")
igammac = from_scipy("gammaincc")
