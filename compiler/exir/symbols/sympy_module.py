"""SymPy, which is asked for when the first symbol is made: it is in the extra ``export``."""

from __future__ import annotations

import importlib
from typing import Any

from tsc.compiler.source import UsageError


def load_sympy() -> Any:
    """The module. Raises `UsageError` where it is not installed."""
    try:
        return importlib.import_module("sympy")
    except ImportError:
        raise UsageError(
            "symbolic sizes need SymPy, the extra `export`: pip install 'tsc-torchscript[export]'"
        ) from None


sympy: Any = load_sympy()
