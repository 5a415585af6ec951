"""Source texts, ranges within them, and diagnostics that point at them. Imports no other room."""

from compiler.source import codes
from compiler.source.codes import Code
from compiler.source.diagnostics import CompileError, Error, Note
from compiler.source.source import UNKNOWN_RANGE, Source, SourceRange

__all__ = [
    "UNKNOWN_RANGE",
    "Code",
    "CompileError",
    "Error",
    "Note",
    "Source",
    "SourceRange",
    "codes",
]
