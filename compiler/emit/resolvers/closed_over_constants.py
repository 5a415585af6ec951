"""Constants of a text that its functions use: PyTorch takes members of enums alone."""

from __future__ import annotations

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.module_constants import closed_over
from tsc.compiler.emit.protocols import Emitter
from tsc.compiler.source import SourceRange, extensions
from tsc.compiler.types import EnumMember

_KNOWN_TO_PYTORCH = "inf"


def note_constant(constant: object, emitter: Emitter, range: SourceRange) -> None:
    """Note that a constant of the text is used."""
    if not isinstance(constant, EnumMember):
        emitter.acceptance.use(extensions.MODULE_CONSTANTS, range, closed_over(constant))


def note_imported(name: str, path: str, emitter: Emitter, range: SourceRange) -> None:
    """Note that ``name`` is used, which a text imports from ``path``: ``from math import pi``.

    To PyTorch a number is a global variable like any other; it knows the name ``inf`` by itself.
    """
    constant = known.CONSTANTS.get(path)
    if isinstance(constant, float | complex) and name != _KNOWN_TO_PYTORCH:
        note_constant(constant, emitter, range)
