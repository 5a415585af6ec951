"""Containers that are made to hurt: zip structures, records that are missing, doubled or wrong, and other formats."""

# ruff: noqa: E501  a family is a line

from __future__ import annotations

import io
import random
import struct
import zipfile
from collections.abc import Callable, Mapping

from tests.limits.families.cases import Families
from tests.limits.hostile_archives import CLASS, FORWARD, archive, module
from tests.serialization.hostile_zips import (
    overlapping,
    reaching_into_the_next,
    with_central_fields,
    with_end_fields,
    zip_of,
)
from tests.serialization.samples import archive_path
from tsc.runtime.serialization.legacy_files import LEGACY_MAGIC

RECORDS: Mapping[str, bytes] = {
    "m/data.pkl": module(),
    "m/code/__torch__.py": (CLASS + FORWARD).encode(),
    "m/constants.pkl": b"\x80\x02).",
    "m/version": b"3\n",
    "m/byteorder": b"little",
}
"""Of a small model that loads."""
_MOST_SIZES = (0, 1, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)


def _with(**changes: bytes | None) -> bytes:
    """The small model with other records; None leaves one out."""
    return _with_records({name.replace("__", "/"): value for name, value in changes.items()})


def _with_records(changes: Mapping[str, bytes | None]) -> bytes:
    records = {**RECORDS, **changes}
    return zip_of({name: value for name, value in records.items() if value is not None})


def _compressed(method: int, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, value in RECORDS.items():
            file.writestr(name, value)
        file.writestr("m/extra/large.txt", content)
    return out.getvalue()


def _doubled(name: str) -> bytes:
    """Two records of one name, with different contents."""
    content = zip_of({**RECORDS, "m/" + "z" * (len(name) - 2): b"other"})
    return content.replace(b"m/" + b"z" * (len(name) - 2), name.encode())


def _behind(other: bytes) -> bytes:
    return zip_of(dict(RECORDS)) + other


def _before(other: bytes) -> bytes:
    return other + zip_of(dict(RECORDS))


def _local_fields(field: str, value: int) -> bytes:
    """A first local header that says something else than the directory."""
    places = {
        "version": 4,
        "flags": 6,
        "method": 8,
        "checksum": 14,
        "stored": 18,
        "size": 22,
        "name": 26,
        "extra": 28,
    }
    content = bytearray(zip_of(dict(RECORDS)))
    start, form = places[field], "<I" if field in ("checksum", "stored", "size") else "<H"
    struct.pack_into(form, content, start, value & (0xFFFFFFFF if form == "<I" else 0xFFFF))
    return bytes(content)  # fmt: skip


def _with_wide_end(**fields: int) -> bytes:
    """An archive with the record of the 64-bit format, which says something."""
    content = zip_of(dict(RECORDS))
    start = content.rindex(b"PK\5\6")
    count, size, offset = (
        int.from_bytes(content[start + 10 : start + 12], "little"),
        *struct.unpack_from("<2I", content, start + 12),
    )
    said = {"count": count, "size": size, "offset": offset, "place": start, "length": 44, **fields}
    wide = struct.pack(
        "<4sQ2H2I4Q",
        b"PK\6\6",
        said["length"],
        45,
        45,
        0,
        0,
        said["count"],
        said["count"],
        said["size"],
        said["offset"],
    )
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, said["place"], 1)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return content[:start] + wide + locator + end  # fmt: skip


def _with_extra(extra: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, value in RECORDS.items():
            info = zipfile.ZipInfo(name)
            info.extra = extra
            file.writestr(info, value)
    return out.getvalue()


def _entries(count: int, name: str) -> bytes:
    return zip_of({**RECORDS, **{name.format(i): b"" for i in range(count)}})


def _other_format(head: bytes) -> bytes:
    return head + random.Random(1).randbytes(3000)


def _package(name: str, content: bytes) -> bytes:
    """PyTorch's package with another record in the place of one."""
    with zipfile.ZipFile(archive_path("objects_package.pt")) as file:
        records = {each: file.read(each) for each in file.namelist()}
    return zip_of({**records, f"objects_package/{name}": content})


def _legacy(*parts: bytes) -> bytes:
    return LEGACY_MAGIC + b"".join(parts)


def _cut(name: str) -> Callable[[float], bytes]:
    content = archive_path(name).read_bytes()
    return lambda share: content[: int(len(content) * share)]


_NAMES = (
    *("../m/data.pkl", "/etc/passwd", "m/../../x", "m//x", "", "m/\x00x", "m/\x1b[31m", "m/" + "a" * 60_000, "m/ä\u202e"),
    *("other/data.pkl", "data.pkl", "m/data.pkl/x", "m/code/../x.py", "m/code/__torch__/\n.py", "m/code/a b.py", "M/DATA.PKL"),
    *("m/code/__torch__.py/", "m/.data/serialization_id", "m/data/-1", "m/data/" + "9" * 400, "m\\data.pkl", "m/code/.py"),
)  # fmt: skip
_FRACTIONS = (0.0, 0.01, 0.3, 0.5, 0.9, 0.99, 0.999)
_TEXTS = (b"", b"\0", b"\xff\xfe", b"9" * 5000, b"-1", b"3.5", b"\x1b[31m", b"a" * 100_000)
FAMILIES: Families = {
    "a record left out": (lambda name: _with_records({name: None}), tuple(RECORDS)),
    "a record that is empty": (lambda name: _with_records({name: b""}), tuple(RECORDS)),
    "a record of noise": (lambda name: _with_records({name: random.Random(3).randbytes(999)}), tuple(RECORDS)),
    "a record of zeros": (lambda name: _with_records({name: bytes(3_000_000)}), tuple(RECORDS)),
    "a record twice": (_doubled, tuple(RECORDS)),
    "another record": (lambda name: _with_records({name: b"content"}), _NAMES),
    "versions": (lambda value: _with(m__version=value), (b"0", b"1", b"2", b"11", b"99", b"999999999999", b"3 3", *_TEXTS)),
    "byte orders": (lambda value: _with(m__byteorder=value), (b"big", b"BIG", b"little ", *_TEXTS)),
    "both versions": (lambda value: _with_records({"m/.data/version": value}), (b"3", b"10", b"99", *_TEXTS)),
    "methods": (lambda method: with_central_fields(zip_of(dict(RECORDS)), 0, method=method), (1, 8, 9, 12, 14, 93, 99, 0xFFFF)),
    "flags": (lambda flags: with_central_fields(zip_of(dict(RECORDS)), 0, flags=flags), (1, 8, 64, 0x800, 0x2000, 0xFFFF)),
    "checksums": (lambda index: with_central_fields(zip_of(dict(RECORDS)), index, crc=1), range(5)),
    "sizes": (lambda size: with_central_fields(zip_of(dict(RECORDS)), 0, size=size), _MOST_SIZES),
    "stored sizes": (lambda size: with_central_fields(zip_of(dict(RECORDS)), 1, stored_size=size), _MOST_SIZES),
    "both sizes": (lambda size: with_central_fields(zip_of(dict(RECORDS)), 0, size=size, stored_size=size), _MOST_SIZES),
    "starts": (lambda start: with_central_fields(zip_of(dict(RECORDS)), 2, header_offset=start), (0, 1, 40, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)),
    "lengths of names": (lambda length: with_central_fields(zip_of(dict(RECORDS)), 0, name_length=length), (0, 1, 9, 11, 300, 0xFFFF)),
    "lengths of extras": (lambda length: with_central_fields(zip_of(dict(RECORDS)), 0, extra_length=length), (1, 4, 300, 0xFFFF)),
    "lengths of comments": (lambda length: with_central_fields(zip_of(dict(RECORDS)), 4, comment_length=length), (1, 300, 0xFFFF)),
    "counts at the end": (lambda count: with_end_fields(zip_of(dict(RECORDS)), entries=count), (0, 1, 4, 6, 0xFFFE, 0xFFFF)),
    "disks": (lambda disk: with_end_fields(zip_of(dict(RECORDS)), disk=disk), (1, 0xFFFF)),
    "sizes of directories": (lambda size: with_end_fields(zip_of(dict(RECORDS)), directory_size=size), _MOST_SIZES),
    "starts of directories": (lambda start: with_end_fields(zip_of(dict(RECORDS)), directory_offset=start), _MOST_SIZES),
    "lengths of the last comment": (lambda length: with_end_fields(zip_of(dict(RECORDS)), comment_length=length), (1, 22, 0xFFFF)),
    "wide counts": (lambda count: _with_wide_end(count=count), (0, 1, 5, 6, 1 << 32, 1 << 63)),
    "wide sizes": (lambda size: _with_wide_end(size=size), (0, 1, 1 << 32, 1 << 63)),
    "wide starts": (lambda start: _with_wide_end(offset=start), (0, 7, 1 << 32, (1 << 64) - 1)),
    "wide places": (lambda place: _with_wide_end(place=place), (0, 3, 1 << 31, 1 << 63)),
    "wide lengths": (lambda length: _with_wide_end(length=length), (0, 43, 45, 1 << 40)),
    **{
        f"local {field}": (lambda value, field=field: _local_fields(field, value), (0, 1, 8, 0xFFFF, 0xFFFFFFFF))
        for field in ("version", "flags", "method", "checksum", "stored", "size", "name", "extra")
    },
    "extra fields": (
        _with_extra,
        (b"\1\0\0\0", b"\1\0\x08\0" + b"\xff" * 8, b"FB\x04\0zzzz", b"\1\0\x1c\0" + b"\xff" * 28, b"\xff\xff\0\0" * 10, b"FB\x00\x00" * 10_000),
    ),
    "overlapping entries": (overlapping, (1, 2, 100, 5000)),
    "an entry in the next": (lambda _: reaching_into_the_next(), (0,)),
    "many entries": (lambda count: _entries(count, "m/data/{}"), (1000, 20_000, 66_000)),
    "many files of code": (lambda count: _entries(count, "m/code/__torch__/m{}.py"), (1000, 20_000)),
    "many extra files": (lambda count: _entries(count, "m/extra/{}"), (1000, 20_000)),
    "many folders": (lambda count: _entries(count, "m/{}/"), (1000, 10_000)),
    "deep folders": (lambda depth: _with_records({f"m/{'d/' * depth}x": b""}), (10, 1000, 30_000)),
    "deep files of code": (lambda depth: _with_records({f"m/code/__torch__/{'d/' * depth}x.py": b""}), (10, 1000, 15_000)),
    "deflated zeros": (lambda size: _compressed(zipfile.ZIP_DEFLATED, bytes(size)), (1 << 20, 1 << 27)),
    "bzip2": (lambda size: _compressed(zipfile.ZIP_BZIP2, bytes(size)), (10, 1 << 20)),
    "lzma": (lambda size: _compressed(zipfile.ZIP_LZMA, bytes(size)), (10, 1 << 20)),
    "bytes behind": (_behind, (b"\0", b"PK\5\6" + bytes(18), b"x" * 70_000, zip_of({"m/data.pkl": b"N."}))),
    "bytes before": (_before, (b"\0", b"#!/bin/sh\n", b"x" * 70_000, zip_of({"m/data.pkl": b"N."}))),
    "ends in a row": (lambda count: _behind((b"PK\5\6" + bytes(18)) * count), (2, 1000, 50_000)),
    "half ends": (lambda count: _behind(b"PK\5\6" * count), (2, 16_000, 1_000_000)),
    "signatures": (lambda count: b"PK\3\4" * count, (1, 100_000)),
    "an archive in an archive": (lambda depth: _inside(depth), (1, 20)),
    "a package's record": (
        lambda pair: _package(*pair),
        (("model/model.pkl", b"N."), ("model/model.pkl", b""), (".data/extern_modules", b"\xff" * 5000), (".data/python_version", b"\x1b[31m"), (".data/version", b"99"),
         (".data/version", b""), ("model/model.pkl", b"cos\nsystem\n(X\1\0\0\0atR."), (".data/0.storage", b""), ("notes/notes.txt", b"\x1b]0;x\x07"), ("a/__init__.py", b"import os")),
    ),
    "a legacy file": (
        lambda rest: _legacy(*rest),
        ((), (b"K\1.",), (b"M\xe9\3.", b"}."), (b"M\xe9\3.", b"}.", b"}."), (b"M\xe9\3.", b"}.", b"}.", b"](K\1e."), (b"M\xe9\3.", b"}.", b"}.", b"](X\1\0\0\0ae."),
         (b"M\xe9\3.",) * 1000, (b"M\xe9\3.", b"}.", b"}.", b"].", bytes(1000)), (b"M\xe9\3.", b"N.", b"N.", b"N.")),
    ),
    **{f"{name}, cut": (lambda share, name=name: _cut(name)(share), _FRACTIONS) for name in ("attributes.pt", "objects.pth", "objects_legacy.pth", "mobile.ptl", "objects_package.pt")},
    "other formats": (
        _other_format,
        (b"\x93NUMPY", b"\x89HDF\r\n", b"GGUF", b"\x7fELF", b"%PDF-1.4", b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"PK\5\6", b"PK\3\4", b"ustar", bytes(257) + b"ustar",
         b"\x08\x03", b"TFL3", b"ONNX", b"{\"__metadata__\"", (1 << 62).to_bytes(8, "little") + b"{", b"\xd0\xcf\x11\xe0", b"<html>", b"\xef\xbb\xbfimport"),
    ),
}  # fmt: skip


def _inside(depth: int) -> bytes:
    content = archive(CLASS + FORWARD, module())
    for _ in range(depth):
        content = _with_records({"m/extra/model.pt": content})
    return content
