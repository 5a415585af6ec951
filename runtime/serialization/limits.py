"""How much a file may ask of its reader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds that hold before anything is believed; real files stay far below the defaults.

    With the defaults no file takes more than about 200 MB beside the tensors that are asked for.
    """

    entries: int = 65_536
    """Of a zip archive."""
    directory_bytes: int = 16 << 20
    """Of the names and numbers of all its entries."""
    record_bytes: int = 64 << 20
    """Of a text or pickle that is read as a whole."""
    inflation: int = 20
    """How many times larger than it is stored a larger compressed record may be."""
    opcodes: int = 5_000_000
    """Of a pickle."""
    pickle_memory: int = 128 << 20
    """What the values of a pickle may take, as estimated while they are made."""
    depth: int = 1000
    """How deep values may be nested."""


DEFAULT_LIMITS = Limits()
