"""Recognising files that PyTorch did not write, by their first bytes."""

from __future__ import annotations

from typing import NamedTuple


class ForeignFormat(NamedTuple):
    """A format, and what to do with a file of it."""

    description: str
    advice: str
    is_model: bool = False


_UNPACK = "unpack it, then look at what was in it"
_MAGIC: tuple[tuple[int, bytes, ForeignFormat], ...] = (
    (
        0,
        b"version https://git-lfs",
        ForeignFormat("a Git LFS pointer, not the file", "git lfs pull"),
    ),
    (0, b"\x89HDF\r\n", ForeignFormat("an HDF5 file (Keras)", "load it with Keras", True)),
    (4, b"TFL3", ForeignFormat("a TensorFlow Lite model", "run it with TensorFlow Lite", True)),
    (4, b"ET12", ForeignFormat("an ExecuTorch program (.pte)", "run it with ExecuTorch", True)),
    (0, b"GGUF", ForeignFormat("a GGUF model", "run it with llama.cpp", True)),
    (0, b"7767517\n", ForeignFormat("an ncnn model", "run it with ncnn", True)),
    (0, b"\x93NUMPY", ForeignFormat("a NumPy array (.npy)", "pass it as @FILE of tsc run")),
    (0, b"\x1f\x8b", ForeignFormat("a gzip file", _UNPACK)),
    (0, b"BZh", ForeignFormat("a bzip2 file", _UNPACK)),
    (0, b"\xfd7zXZ\0", ForeignFormat("an xz file", _UNPACK)),
    (0, b"\x28\xb5\x2f\xfd", ForeignFormat("a zstd file", _UNPACK)),
    (0, b"7z\xbc\xaf\x27\x1c", ForeignFormat("a 7-Zip archive", _UNPACK)),
    (0, b"PK\x05\x06", ForeignFormat("an empty zip archive", "copy or download it again")),
    (0, b"\x7fELF", ForeignFormat("a program or library of the system", "it is no model")),
    (0, b"%PDF", ForeignFormat("a PDF", "it is no model")),
    (0, b"\x89PNG", ForeignFormat("a picture", "it is no model")),
)
_PAGE = ForeignFormat("a web page, not the file", "look at it: the download asked for something")
_PICKLE = ForeignFormat(
    "a pickle of Python, not of torch.save",
    "only Python itself loads it, and runs what it says: see tsc audit",
)


def foreign_format(view: memoryview) -> ForeignFormat | None:
    """The format of a file whose beginning is known."""
    beginning = bytes(view[:64])
    for offset, magic, found in _MAGIC:
        if beginning[offset : offset + len(magic)] == magic:
            return found
    if beginning.lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return _PAGE
    if beginning[:1] == b"\x80" and beginning[1:2] <= b"\x05" and bytes(view[-1:]) == b".":
        return _PICKLE
    return None


def is_safetensors(view: memoryview) -> bool:
    """Eight bytes with the length of a header, then the header as JSON."""
    length = int.from_bytes(view[:8], "little")
    if not 2 <= length <= min(len(view) - 8, 100 << 20):
        return False
    header = bytes(view[8 : 8 + min(length, 64)])
    return header[:1] == b"{" and header[1:].lstrip()[:1] in (b'"', b"}")


# The fields of an ONNX ModelProto and how they are encoded: 0 is a number, 2 is a length and bytes.
_ONNX_FIELDS = {1: 0, 2: 2, 3: 2, 4: 2, 5: 0, 6: 2, 7: 2, 8: 2, 14: 2, 20: 2, 25: 2, 26: 2}
_ONNX_GRAPH, _MOST_FIELDS = 7, 1000


def is_onnx(view: memoryview) -> bool:
    """Whether it is a protocol buffer of the fields that an ONNX model has, a graph among them."""
    position, seen = 0, set[int]()
    for _ in range(_MOST_FIELDS):
        if position >= len(view):
            break
        tag, position = _variable_integer(view, position)
        field, encoding = tag >> 3, tag & 7
        if _ONNX_FIELDS.get(field) != encoding:
            return False
        value, position = _variable_integer(view, position)
        position += value if encoding == 2 else 0
        if position > len(view) or (field == 1 and not 1 <= value <= 1000):
            return False
        seen.add(field)
        if {1, _ONNX_GRAPH} <= seen:
            return True
    return False


def _variable_integer(view: memoryview, position: int) -> tuple[int, int]:
    """Seven bits a byte, the lowest first; a broken one ends at a place outside of the file."""
    value = shift = 0
    while position < len(view) and shift < 64:
        byte = view[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    return 0, len(view) + 1
