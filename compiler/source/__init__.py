"""Source texts, ranges within them, and diagnostics that point at them. Imports no other room."""

from compiler.source import codes, extensions
from compiler.source.codes import Code
from compiler.source.diagnostics import CompileError, Error, Note, Part
from compiler.source.extensions import EXTENSIONS, Extension, ExtensionUse
from compiler.source.problems import FollowUp, Problems
from compiler.source.source import UNKNOWN_RANGE, Source, SourceRange

__all__ = [
    "EXTENSIONS",
    "UNKNOWN_RANGE",
    "Code",
    "CompileError",
    "Error",
    "Extension",
    "ExtensionUse",
    "FollowUp",
    "Note",
    "Part",
    "Problems",
    "Source",
    "SourceRange",
    "codes",
    "extensions",
]
