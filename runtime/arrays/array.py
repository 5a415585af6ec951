"""The type of arrays whose dtype only the run decides, as nearly all are."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[tuple[int, ...], Any]
"""As ``np.ndarray``, but with ``real`` and ``imag``: NumPy's stubs leave those out of arrays of ``dtype[Any]``."""
