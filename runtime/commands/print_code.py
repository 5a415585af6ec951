"""`tsc print-code`: a program as Python source that compiles to the same graphs."""

from __future__ import annotations

from tsc.runtime.commands.doors import Settings, emit
from tsc.runtime.commands.programs import load_unit


def perform(
    settings: Settings, *, file: str, function: str | None, init: str | None, output: str | None
) -> None:
    """Print all of `file`, or one `function` of it."""
    text = load_unit(settings, file).printed(function, init)
    emit(settings, text, output, language="python")
