"""Source texts, ranges within them, and diagnostics that point at them. Imports no other room."""

from tsc.compiler.source import codes, extensions
from tsc.compiler.source.codes import Code
from tsc.compiler.source.diagnostics import CompileError, Error, Note, Part, UsageError
from tsc.compiler.source.extensions import EXTENSIONS, Extension, ExtensionUse
from tsc.compiler.source.problems import FollowUp, Problems
from tsc.compiler.source.source import UNKNOWN_RANGE, Source, SourceRange
from tsc.compiler.source.stages import Stage, StageNote, note_stage, stages_of

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
    "Stage",
    "StageNote",
    "UsageError",
    "codes",
    "extensions",
    "note_stage",
    "stages_of",
]
