"""What ``torch.save`` wrote before PyTorch 1.6: pickles in a row and raw storages, or a tar archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.serialization.errors import DAMAGED, ArchiveError
from runtime.serialization.limits import DEFAULT_LIMITS, Limits
from runtime.serialization.pickle_reader import read_pickle_prefix

LEGACY_MAGIC = b"\x80\x02\x8a\x0a" + 0x1950A86A20F9469CFC6C.to_bytes(10, "little") + b"."
"""The pickle of a number, with which such files begin."""
_PROTOCOL = 1001
_TAR_BLOCK, _TAR_NAME, _MOST_TAR_ENTRIES = 512, 100, 16


def read_legacy_value(view: memoryview, *, limits: Limits = DEFAULT_LIMITS) -> Any:
    """The value that was saved, as `records`; where its storages lie is not read.

    Raises:
        ArchiveError: damaged, or more than data.
    """
    protocol, position = read_pickle_prefix(view, len(LEGACY_MAGIC), limits=limits)
    if protocol != _PROTOCOL:
        raise ArchiveError(
            f"the legacy file has protocol {protocol}, which is unknown", hint=DAMAGED
        )
    _, position = read_pickle_prefix(view, position, limits=limits)  # of the machine that wrote it
    value, _ = read_pickle_prefix(view, position, limits=limits)
    return value


def is_tar(view: memoryview) -> bool:
    """Whether there is the mark of a tar archive in its first header."""
    return bytes(view[257:262]) == b"ustar"


def is_legacy_tar(view: memoryview) -> bool:
    """Whether a tar archive has the files that PyTorch put into one."""
    names = {name.removeprefix("./") for name in _tar_names(view)}
    return {"pickle", "storages", "tensors"} <= names


def _tar_names(view: memoryview) -> Iterator[str]:
    """The names of the first entries of a tar archive, as far as their headers make sense."""
    position = 0
    for _ in range(_MOST_TAR_ENTRIES):
        header = bytes(view[position : position + _TAR_BLOCK])
        digits = header[124:136].strip(b" \0")
        if len(header) < _TAR_BLOCK or not header[0] or not digits.isdigit():
            return
        try:
            size = int(digits, 8)
        except ValueError:
            return
        yield header[:_TAR_NAME].split(b"\0")[0].decode("latin1")
        position += _TAR_BLOCK + -(-size // _TAR_BLOCK) * _TAR_BLOCK
