"""The error of a decision that data makes: it stands apart from symbols, which need SymPy."""

from __future__ import annotations

from tsc.compiler.source import Error


class DataDependentError(Error):
    """A decision that data makes, where a program cannot branch."""
