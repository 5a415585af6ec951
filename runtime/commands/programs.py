"""FILE of the commands: source text or an archive, read, and made a unit of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tsc.compiler.compile import Toolchain
from tsc.compiler.source import Source, UsageError
from tsc.runtime.commands.doors import Settings, complain, say
from tsc.runtime.commands.progress import shown_progress
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.programs.ir_text import is_ir_text, unit_of_graph
from tsc.runtime.programs.skipped_statements import skipped_statements
from tsc.runtime.programs.source_files import (
    STDIN,
    archive_in_standard_input,
    is_archive,
    read_source_file,
)
from tsc.runtime.programs.source_unit import SourceUnit

if TYPE_CHECKING:
    from tsc.runtime.serialization.archive_reader import ArchiveReader


def read_program(file: str) -> Source | ArchiveReader:
    """The source text of FILE, or of standard input for ``-``; or FILE as an archive, if it is one."""
    if file == "-":
        content, found = archive_in_standard_input()
        if not found:
            return read_source_file(file, content)
        return archives().read_archive_file(STDIN, content)
    if not is_archive(file):
        return read_source_file(file)
    return archives().read_archive_file(file)


def load_unit(settings: Settings, file: str, *, on_the_cpu: bool = False) -> SourceUnit:
    """The functions of FILE; skipped statements are reported with ``-v``."""
    source = read_program(file)
    with shown_progress(not settings.quiet) as progress:
        using = toolchain(settings.strict)
        using = using if progress is None else using.observed_by(progress.observe)
        unit = unit_of(source, using, on_the_cpu=on_the_cpu)
    report_skipped(settings, source)
    return unit


def unit_of(
    source: Source | ArchiveReader, using: Toolchain, *, on_the_cpu: bool = False
) -> SourceUnit:
    """The functions of a source text, none of them compiled yet, or the module of an archive.

    The code of an archive is moved to the CPU if wanted.
    """
    if isinstance(source, Source):
        if on_the_cpu:
            raise UsageError("--map-location is for archives")
        if is_printed_archive(source):
            return printed_archive(source, using)
        if is_ir_text(source):
            return unit_of_graph(source, using)
        return SourceUnit.from_source(source, using=using, at_once=False)
    return archives().unit_of_archive(source, using, on_the_cpu=on_the_cpu)


def report_left_out(unit: SourceUnit) -> None:
    """Say what of a file was not compiled when all was asked for, whoever wants it quiet: it is no success."""
    for each in unit.left_out:
        complain(f"left out is {each}")


def report_skipped(settings: Settings, source: object) -> None:
    """With ``-v``, list the module-level statements that are not compiled."""
    if settings.verbose and isinstance(source, Source) and not is_ir_text(source):
        for line in skipped_statements(source):
            say(settings, line)


_PRINTED_ARCHIVE = "# code/__torch__"
"""How a text begins that `tsc print-code` printed of an archive."""


def is_printed_archive(source: Source) -> bool:
    """Whether a text is the code of an archive, as `tsc print-code` prints it."""
    return source.text.startswith(_PRINTED_ARCHIVE)


def printed_archive(source: Source, using: Toolchain):
    """The code of an archive, printed before."""
    from tsc.runtime.programs.printed_archive import PrintedArchiveUnit

    return PrintedArchiveUnit(source, using)


def archives():
    """What reads archives, which most commands on source texts do without."""
    from tsc.runtime.programs import archive_unit

    return archive_unit
