"""Reading source texts for the command line: from files and standard input, told by content."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from tsc.compiler.source import Source, UsageError

STDIN = "<stdin>"
_ARCHIVE_MAGIC = b"PK\x03\x04"
_BEGINNING = 4096
_MOST_BYTES = 32 << 20
_TEXTS = (b"<", b"version https://git-lfs")
"""How files begin that stand in the place of a model: pages of a server, pointers of Git."""
_END_OF_PICKLES = b"."
"""Of the oldest ones, which are texts."""


def read_source_file(file: str, content: bytes | None = None) -> Source:
    """The source text of `file`, or of standard input for ``-``; or `content`, which was read of it before.

    Raises `UsageError` when the file is missing, is no text, or is an archive.
    """
    name = STDIN if file == "-" else file
    read = _content_of(file) if content is None else content
    if read.startswith(_ARCHIVE_MAGIC):
        raise UsageError(
            f"{name}: this is a zip archive, and TorchScript source is wanted here\n"
            "hint: tsc.load, and FILE of the commands, read archives"
        )
    if _is_binary(read) or read.startswith(_TEXTS) or read.endswith(_END_OF_PICKLES):
        _refuse_known_format(read, name)
    return Source(decode(read, name), name)


def archive_in_standard_input() -> tuple[bytes, bool]:
    """All of standard input, and whether it is a zip archive, by its first bytes."""
    content = _bounded(sys.stdin.buffer, STDIN)
    if not content.startswith(_ARCHIVE_MAGIC):
        return content, False
    return content + sys.stdin.buffer.read(), True


def _content_of(file: str) -> bytes:
    if file == "-":
        return _bounded(sys.stdin.buffer, STDIN)
    try:
        with Path(file).open("rb") as opened:
            return _bounded(opened, file)
    except IsADirectoryError as error:
        raise UsageError(f"{file}: {error.strerror}; name the files in it") from None
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the name
        raise UsageError(f"{file!r}: {error}") from None


def _bounded(opened: BinaryIO, name: str) -> bytes:
    """The content of a file, which may have no end: devices and pipes."""
    content = opened.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES and not content.startswith(_ARCHIVE_MAGIC):
        raise UsageError(f"{name}: more than {_MOST_BYTES >> 20} MB, which is no source text")
    return content


def _is_binary(content: bytes) -> bool:
    """Whether the beginning has bytes that stand in no text of any encoding."""
    return any(each < 32 and each not in b"\t\n\v\f\r" for each in content[:_BEGINNING])


def _refuse_known_format(content: bytes, file: str) -> None:
    """Say what a file is that is neither source nor an archive. A text with one strange letter is left alone."""
    from tsc.runtime.serialization.kinds import identify

    found = identify(content)
    if found.is_known or b"\0" in content:
        refused = f"{file}: this is no TorchScript, but {found.description}"
        raise UsageError(f"{refused}\nhint: {found.advice}")


def is_archive(file: str) -> bool:
    """Whether a file is a zip archive, by its first bytes."""
    try:
        with Path(file).open("rb") as opened:
            return opened.read(len(_ARCHIVE_MAGIC)) == _ARCHIVE_MAGIC
    except (OSError, ValueError):
        return False  # reading it says what is wrong


def decode(content: bytes, name: str) -> str:
    """The text of a source file, which is UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{name}: not UTF-8 text (byte {error.object[error.start]:#04x} at offset {error.start}); "
            "save the file as UTF-8"
        ) from None
