"""The one door to SciPy: its modules, each imported when something of it is first asked for.

Importing SciPy takes longer than compiling most programs, and most programs need nothing of it. So whoever calls it
imports this module and writes ``scipy_modules.special.psi``: the first access imports, later ones find the module.
"""

from __future__ import annotations

import importlib
from typing import Any

from tsc.runtime.arrays.blas_threads import library_loaded

_PATHS = {
    "blas": "scipy.linalg.blas",
    "fourier": "scipy.fft",
    "lapack": "scipy.linalg.lapack",
    "special": "scipy.special",
}


def __getattr__(name: str) -> Any:
    if name not in _PATHS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(_PATHS[name])
    globals()[name] = module
    library_loaded()
    return module
