"""The headers of a zip archive, as PKWARE's APPNOTE lays them out; shared by reader and writer."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

LOCAL_SIGNATURE = b"PK\x03\x04"
DESCRIPTOR_SIGNATURE = b"PK\x07\x08"
CENTRAL_SIGNATURE = b"PK\x01\x02"
END_SIGNATURE = b"PK\x05\x06"
END64_SIGNATURE = b"PK\x06\x06"
LOCATOR64_SIGNATURE = b"PK\x06\x07"

STORED, DEFLATED = 0, 8
ENCRYPTED_FLAG, DESCRIPTOR_FLAG, UTF8_FLAG = 0x1, 0x8, 0x800
ZIP64_EXTRA = 1
SENTINEL16, SENTINEL32 = 0xFFFF, 0xFFFFFFFF
"""Where a number does not fit, it stands in the record of zip64 instead."""
LONGEST_COMMENT = 0xFFFF

LOCAL = Struct("<4s5H3I2H")
CENTRAL = Struct("<4s6H3I5H2I")
END = Struct("<4s4H2IH")
END64 = Struct("<4sQ2H2I4Q")
LOCATOR64 = Struct("<4sIQI")
DESCRIPTOR = Struct("<4s3I")
DESCRIPTOR64 = Struct("<4sI2Q")


class LocalHeader(NamedTuple):
    """What stands before the bytes of an entry."""

    signature: bytes
    version: int
    flags: int
    method: int
    time: int
    date: int
    crc: int
    stored_size: int
    size: int
    name_length: int
    extra_length: int


class CentralHeader(NamedTuple):
    """What the directory at the end says of an entry."""

    signature: bytes
    made_by: int
    version: int
    flags: int
    method: int
    time: int
    date: int
    crc: int
    stored_size: int
    size: int
    name_length: int
    extra_length: int
    comment_length: int
    disk: int
    internal_attributes: int
    external_attributes: int
    header_offset: int


class EndRecord(NamedTuple):
    """What stands behind the directory."""

    signature: bytes
    disk: int
    directory_disk: int
    disk_entries: int
    entries: int
    directory_size: int
    directory_offset: int
    comment_length: int


class End64Record(NamedTuple):
    """The same in wide numbers."""

    signature: bytes
    record_size: int
    made_by: int
    version: int
    disk: int
    directory_disk: int
    disk_entries: int
    entries: int
    directory_size: int
    directory_offset: int
