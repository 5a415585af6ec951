"""Source texts, ranges within them, and diagnostics that point at them. Imports no other room."""

from tsc.compiler.source import codes, extensions
from tsc.compiler.source.codes import Code
from tsc.compiler.source.diagnostics import CompileError, Error, Note, Part
from tsc.compiler.source.extensions import EXTENSIONS, Extension, ExtensionUse
from tsc.compiler.source.problems import FollowUp, Problems
from tsc.compiler.source.source import UNKNOWN_RANGE, Source, SourceRange

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
