"""What a file is, told by its content alone, and what to do with it.

Only the beginning, a zip directory and pickles within `Limits` are read; nothing is executed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError, RefusedName
from tsc.runtime.serialization.foreign_formats import foreign_format, is_onnx, is_safetensors
from tsc.runtime.serialization.legacy_files import (
    LEGACY_MAGIC,
    is_legacy_tar,
    is_tar,
    read_legacy_file,
)
from tsc.runtime.serialization.limits import DEFAULT_LIMITS, Limits
from tsc.runtime.serialization.pickle_reader import read_pickle
from tsc.runtime.serialization.records import AnyTensorRecord, RecordValue
from tsc.runtime.serialization.zip_format import LOCAL_SIGNATURE
from tsc.runtime.serialization.zip_reader import FileLike, ZipReader, mapped, source_name


class Kind(StrEnum):
    """What a file can be."""

    TORCHSCRIPT = "TorchScript archive"
    MOBILE = "TorchScript archive for mobile"
    MOBILE_BYTECODE = "mobile bytecode without code"
    OLD_TORCHSCRIPT = "TorchScript archive of PyTorch 1.0 or 1.1"
    STATE_DICT = "state_dict zip"
    PICKLED_OBJECTS = "pickled Python objects"
    LEGACY_PICKLE = "legacy pickle"
    LEGACY_TAR = "legacy tar"
    EXPORTED_PROGRAM = "exported program"
    PACKAGE = "torch.package"
    SAFETENSORS = "safetensors"
    ONNX = "ONNX model"
    OTHER_MODEL = "model of another framework"
    TEXT = "text"
    DAMAGED = "damaged file"
    NO_MODEL = "no model"


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file is; `description` says it in a sentence, `advice` says what to do."""

    kind: Kind
    description: str
    advice: str

    @property
    def is_known(self) -> bool:
        """Whether the content says more than that it is none of the formats known here."""
        return self.kind is not Kind.TEXT and self.description != _UNKNOWN


_UNKNOWN = "a file of an unknown format"
_EXPORT = "with PyTorch, load it and write a TorchScript archive: torch.jit.save(torch.jit.script(model), ...)"
_LONGEST_TEXT_PICKLE = 1 << 24
_OPCODES = frozenset(bytes([each]) for each in b"(]})clIFNSV")
_WEIGHTS = "no program is in it; tsc.load_tensors gives its tensors to Python, for load_state_dict of their module"

_KNOWN: dict[Kind, tuple[str, str]] = {
    Kind.TORCHSCRIPT: (
        "a TorchScript archive",
        "tsc run executes its methods, tsc.load gives them to Python; neither needs PyTorch",
    ),
    Kind.MOBILE: (
        "a TorchScript archive with bytecode for mobile beside its code",
        "tsc runs its code as that of any TorchScript archive; the bytecode is not needed",
    ),
    Kind.MOBILE_BYTECODE: (
        "bytecode for PyTorch Mobile, without TorchScript code",
        "ask for the TorchScript archive that it was made of",
    ),
    Kind.OLD_TORCHSCRIPT: (
        "a TorchScript archive in the format of PyTorch 1.0 or 1.1 (model.json)",
        "load it with PyTorch 1.2 to 1.5 and save it again",
    ),
    Kind.STATE_DICT: ("tensors saved by torch.save, as a zip (state_dict or checkpoint)", _WEIGHTS),
    Kind.LEGACY_PICKLE: ("tensors saved by torch.save before PyTorch 1.6, as pickles", _WEIGHTS),
    Kind.LEGACY_TAR: (
        "tensors saved by a PyTorch of 2016 or 2017, as a tar archive",
        "load it with PyTorch and save it again",
    ),
    Kind.EXPORTED_PROGRAM: (
        "a program of torch.export (.pt2)",
        "tsc run runs it, tsc.load_exported gives it to Python; neither needs PyTorch",
    ),
    Kind.PACKAGE: (
        "a torch.package, with Python code",
        f"tsc.load_tensors takes out the tensors in its pickles; to run it, {_EXPORT}",
    ),
    Kind.SAFETENSORS: (
        "tensors in the safetensors format",
        "no program is in it; the package safetensors gives its tensors to Python",
    ),
    Kind.ONNX: ("an ONNX model", "run it with an ONNX runtime; it is no TorchScript"),
}


def identify(source: FileLike, *, limits: Limits = DEFAULT_LIMITS) -> FileKind:
    """What a file is.

    Raises:
        ArchiveError: it cannot be opened. Whatever its content is, that is an answer, not an error.
    """
    view = mapped(source)
    if len(view) == 0:
        return FileKind(Kind.NO_MODEL, "an empty file", "copy or download it again")
    if bytes(view[:4]) == LOCAL_SIGNATURE:
        return _zip_kind(view, source_name(source), limits)
    if bytes(view[: len(LEGACY_MAGIC)]) == LEGACY_MAGIC:
        return _pickled(lambda: read_legacy_file(view, limits=limits).value, Kind.LEGACY_PICKLE)
    if is_tar(view):
        return (
            _known(Kind.LEGACY_TAR) if is_legacy_tar(view) else _other("a tar archive", "unpack it")
        )
    return _unzipped_kind(view)


def not_torchscript(name: str, found: FileKind) -> ArchiveError:
    """What to say of a file that should have been a TorchScript archive."""
    if found.kind is Kind.DAMAGED:
        return ArchiveError(f"{name}: {found.description}", hint=found.advice)
    message = f"{name}: this is no TorchScript archive, but {found.description}"
    return ArchiveError(message, hint=found.advice)


def _known(kind: Kind) -> FileKind:
    return FileKind(kind, *_KNOWN[kind])


def _other(description: str, advice: str) -> FileKind:
    return FileKind(Kind.NO_MODEL, description, advice)


def _unzipped_kind(view: memoryview) -> FileKind:
    if is_safetensors(view):
        return _known(Kind.SAFETENSORS)
    found = foreign_format(view)
    if found is not None:
        kind = Kind.OTHER_MODEL if found.is_model else Kind.NO_MODEL
        return FileKind(kind, found.description, found.advice)
    if is_onnx(view):
        return _known(Kind.ONNX)
    if _is_text(bytes(view[:4096])):
        if _is_text_pickle(view):
            return _other(
                "a pickle of Python in its oldest form, a text",
                "only Python itself loads it, and runs what it says: see tsc audit",
            )
        return FileKind(
            Kind.TEXT, "a text", "if it is TorchScript source, tsc compiles and runs it"
        )
    return _other(_UNKNOWN, "ask its author what it is")


def _is_text(beginning: bytes) -> bool:
    try:
        text = beginning.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(beginning) - 4:
            return False
        text = beginning[: error.start].decode("utf-8")
    return all(letter >= " " or letter in "\t\n\r\f" for letter in text)


def _is_text_pickle(view: memoryview) -> bool:
    """A pickle of protocol 0: it ends in a dot, and can be read up to there."""
    if (
        len(view) > _LONGEST_TEXT_PICKLE
        or bytes(view[-1:]) != b"."
        or bytes(view[:1]) not in _OPCODES
    ):
        return False
    try:
        read_pickle(view)
    except RefusedName:
        return True
    except ArchiveError:
        return False
    return True


# Zip archives -----------------------------------------------------------------------------------


def _zip_kind(view: memoryview, name: str, limits: Limits) -> FileKind:
    try:
        reader = ZipReader(view, limits=limits)
    except ArchiveError as error:
        hint = error.hint or "copy or download it again"
        return FileKind(Kind.DAMAGED, f"a zip archive that is not read: {_reason(error)}", hint)
    names = set(reader)
    folder = next(iter(reader), "").partition("/")[0]
    inner = {each.removeprefix(f"{folder}/") for each in names}
    for kind, matches in _LAYOUTS:
        if matches(names, inner):
            return _known(kind)
    if "data.pkl" in inner and f"{folder}/data.pkl" in names:
        return _pickled(
            lambda: ArchiveReader(view, limits=limits).pickle("data.pkl"), Kind.STATE_DICT
        )
    return _ordinary_zip(names, name)


def _reason(error: ArchiveError) -> str:
    """What is wrong, without a name of the file, which whoever asked knows."""
    return error.message.removeprefix("<archive>: ")


def _is_exported(names: set[str], inner: set[str]) -> bool:
    return bool(
        inner & {"archive_format", "serialized_exported_program.json", "models/model.json"}
        or names & {"archive_format", "serialized_exported_program.json"}
    )


def _has_code(inner: set[str]) -> bool:
    return any(name.startswith("code/") for name in inner)


_LAYOUTS: tuple[tuple[Kind, Callable[[set[str], set[str]], bool]], ...] = (
    (Kind.EXPORTED_PROGRAM, _is_exported),
    (Kind.PACKAGE, lambda _, inner: ".data/extern_modules" in inner),
    (Kind.MOBILE, lambda _, inner: "bytecode.pkl" in inner and _has_code(inner)),
    (Kind.MOBILE_BYTECODE, lambda _, inner: "bytecode.pkl" in inner),
    (Kind.TORCHSCRIPT, lambda _, inner: {"data.pkl", "constants.pkl"} <= inner),
    (Kind.OLD_TORCHSCRIPT, lambda _, inner: "model.json" in inner),
)


def _ordinary_zip(names: set[str], name: str) -> FileKind:
    if names and all(each.endswith(".npy") for each in names):
        return _other(
            "an archive of NumPy arrays (.npz)", "pass it to a function as @FILE of tsc run"
        )
    if {"config.json", "model.weights.h5"} <= names:
        return FileKind(Kind.OTHER_MODEL, "a Keras model", "load it with Keras")
    if "META-INF/MANIFEST.MF" in names:
        inside = "a Java archive or a TorchServe model"
        return _other(inside, "unzip it and look for a .pt file in it")
    models = sorted(each for each in names if each.endswith((".pt", ".pth", ".ptl", ".ts")))
    if models:
        return _other(f"a zip archive with {models[0]} in it", f"unzip {name} first")
    return _other("a zip archive without a model of PyTorch", "unzip it to see what is in it")


# Pickles ----------------------------------------------------------------------------------------


def _pickled(read: Callable[[], Any], kind: Kind) -> FileKind:
    """What a pickle holds: tensors, or objects of Python that only their own code can load."""
    try:
        value = read()
    except RefusedName as error:
        return FileKind(
            Kind.PICKLED_OBJECTS,
            f"Python objects saved by torch.save; they need {error.name}",
            error.hint or _EXPORT,
        )
    except ArchiveError as error:
        hint = error.hint or "copy or download it again"
        return FileKind(
            Kind.DAMAGED, f"a file of torch.save that is not read: {_reason(error)}", hint
        )
    known = _known(kind)
    return FileKind(kind, f"{known.description}: {_content(value)}", known.advice)


def _content(value: RecordValue) -> str:
    """What is at the top: tensors, a dict of them, or what else there is."""
    if isinstance(value, AnyTensorRecord):
        return "one tensor"
    if isinstance(value, dict):
        if all(isinstance(each, AnyTensorRecord) for each in value.values()):
            return f"{_counted(len(value), 'tensor')} by name"
        return f"a dict with {_counted(len(value), 'key')}"
    return f"a {type(value).__name__}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
