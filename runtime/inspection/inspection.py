"""Everything that `tsc inspect` tells about a file, as data."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from typing import Any

from tsc.compiler.source import UsageError
from tsc.runtime.exported.loading import opened_program
from tsc.runtime.inspection.declarations import Declarations, Method, read_declarations
from tsc.runtime.inspection.exported_programs import add_exported_program
from tsc.runtime.inspection.likely_call import likely_call
from tsc.runtime.inspection.module_tree import (
    ModuleInfo,
    TensorInfo,
    Totals,
    describe,
    marked_ties,
    read_modules,
    tensor_info,
    tensors_of,
    torchbind_objects,
    totals,
)
from tsc.runtime.inspection.operators_used import Inventory, take_inventory
from tsc.runtime.inspection.visible import counted, size_text, visible_lines
from tsc.runtime.operators import load
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.code_text import CodeText
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.kinds import FileKind, Kind, identify
from tsc.runtime.serialization.legacy_files import read_legacy_file
from tsc.runtime.serialization.limits import DEFAULT_LIMITS
from tsc.runtime.serialization.records import AnyTensorRecord, ContainerRecord
from tsc.runtime.serialization.saved_values import read_objects
from tsc.runtime.serialization.zip_reader import mapped

WITH_CODE = frozenset((Kind.TORCHSCRIPT, Kind.MOBILE))
_EXPORT = "load it with PyTorch and write a TorchScript archive: torch.jit.save(torch.jit.script(model), ...)"
_XNNPACK = "__torch__.torch.classes.xnnpack."
_STORAGES = ("data/", "constants/", "tensors/")
_MOST_LISTED = 40
_MOST_ORIGIN_FILES = 20
_MOST_CODE = 32_000_000


@dataclass(slots=True)
class ArchiveContent:
    """What is in a TorchScript archive. `problems` are parts that could not be read."""

    version: int | None
    byte_order: str
    is_traced: bool
    declarations: Declarations
    files: dict[str, CodeText]
    modules: list[ModuleInfo]
    constants: list[TensorInfo]
    inventory: Inventory
    origins: list[str]
    extra_files: dict[str, int]
    problems: list[str] = field(default_factory=list)
    is_damaged: bool = False
    """Whether one of the problems is that bytes are missing or wrong."""

    @property
    def entry_methods(self) -> list[tuple[str, Method]]:
        """The methods of the outermost module."""
        name = self.modules[0].class_name if self.modules else ""
        class_ = self.declarations.classes.get(name)
        return [] if class_ is None else list(class_.methods.items())


@dataclass(slots=True)
class Inspection:
    """What a file is, and what is in it as far as it can be read."""

    name: str
    view: memoryview = field(repr=False)
    kind: FileKind
    entries: int = 0
    archive: ArchiveContent | None = None
    tensors: list[TensorInfo] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    facts: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    """Of an exported program, under headings."""
    texts: dict[str, str] = field(default_factory=dict[str, str])
    """Of an exported program: its graphs as Python, which tell the lines that they come from, and its signature."""
    call: str | None = None
    """A command that runs it, with inputs of shapes that are likely."""
    totals: Totals | None = None

    @property
    def size(self) -> int:
        return len(self.view)

    @property
    def is_readable(self) -> bool:
        """Whether the file is whole, as far as it was looked at."""
        return self.kind.kind is not Kind.DAMAGED and not (self.archive and self.archive.is_damaged)


def inspect_file(path: str) -> Inspection:
    """Look into a file. No method of it is run or compiled, and no tensor is read.

    Raises:
        UsageError: the file cannot be opened.
        ArchiveError: it changes while it is read.
    """
    view = open_file(path)
    kind = identify(view)
    found = Inspection(path, view, kind)
    if kind.kind in WITH_CODE:
        _add_archive(found, ArchiveReader(view, name=path))
    elif kind.kind is Kind.EXPORTED_PROGRAM:
        add_exported_program(found, opened_program(view, DEFAULT_LIMITS, path))
    elif kind.kind is Kind.STATE_DICT:
        archive = ArchiveReader(view, name=path)
        found.entries = len(archive.names())
        _add_values(found, archive.pickle("data.pkl"), _storage_bytes(archive))
    elif kind.kind is Kind.LEGACY_PICKLE:
        file = read_legacy_file(view)
        _add_values(found, file.value, sum(len(each) for each in file.storages.values()))
    elif kind.kind in (Kind.PICKLED_OBJECTS, Kind.PACKAGE):
        _add_objects(found)
    return found


def open_file(path: str) -> memoryview:
    """The content of a file, mapped, or of standard input for ``-``."""
    try:
        return mapped(sys.stdin.buffer if path == "-" else path)
    except ArchiveError as error:
        raise UsageError(str(error)) from None


def find_method(found: Inspection, name: str) -> tuple[str, Method]:
    """The method by its name, that of its module or class before it, or its qualified name.

    Raises `UsageError`, which lists what there is.
    """
    if found.archive is None:
        raise UsageError(
            f"{found.name}: there are no methods in {found.kind.description}\n"
            f"hint: {found.kind.advice}"
        )
    methods = list(found.archive.declarations.methods())
    own = dict(found.archive.entry_methods)
    if name in own:
        return name, own[name]
    by_path = _method_by_module_path(found.archive, name)
    if by_path is not None:
        return by_path
    fitting = [each for each in methods if each[0] == name or each[0].endswith(f".{name}")]
    if len(fitting) == 1:
        return fitting[0]
    names = [each for each, _ in fitting] or [*own, *(each for each, _ in methods)]
    close = get_close_matches(name, names, 1)
    hint = f"\nhint: did you mean {close[0]}?" if close else ""
    problem = "there are several methods" if fitting else "there is no method"
    listed = "\n".join(f"  {each}" for each in names[:_MOST_LISTED])
    more = f"\n  and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    raise UsageError(
        visible_lines(f"{found.name}: {problem} {name}; say one of\n{listed}{more}{hint}")
    )


def _method_by_module_path(archive: ArchiveContent, name: str) -> tuple[str, Method] | None:
    """``layer1.0.forward``: the method of a submodule."""
    path, _, method = name.rpartition(".")
    for row in archive.modules:
        class_ = archive.declarations.classes.get(row.class_name)
        if row.path == path and class_ is not None and method in class_.methods:
            return f"{row.class_name}.{method}", class_.methods[method]
    return None


# TorchScript archives ---------------------------------------------------------------------------


def _add_archive(found: Inspection, archive: ArchiveReader) -> None:
    damage: list[str] = []
    problems: list[str] = []
    files = _code_files(archive, damage, problems)
    declarations = read_declarations(files)
    problems += [f"code/{path}: {reason}" for path, reason in declarations.problems.items()]
    data = _read(archive, "data.pkl", damage)
    modules = read_modules(data, declarations)
    constants = _constants(_read(archive, "constants.pkl", damage))
    names = archive.names()
    found.entries = len(names)
    found.archive = ArchiveContent(
        _attempt(lambda: archive.version, None, archive, damage),
        _attempt(lambda: archive.byte_order, "unknown", archive, damage),
        "traced_inputs.pkl" in names,
        declarations,
        files,
        modules,
        constants,
        take_inventory(files.values(), load()),
        _origins(archive, files),
        {name[len("extra/") :]: archive.size(name) for name in names if name.startswith("extra/")},
        damage + problems,
        is_damaged=bool(damage),
    )
    for name in torchbind_objects(data):
        found.archive.inventory.torchbind[name] += 1
    tensors = [each for row in modules for each in row.tensors] + constants
    found.totals = totals(tensors, _storage_bytes(archive))
    found.kind = replace(found.kind, advice=_advice(found.kind, found.archive))
    inventory = found.archive.inventory
    if not found.archive.problems and not inventory.torchbind and not inventory.lacking:
        found.call = likely_call(found.name, found.archive.entry_methods, modules)


def _advice(kind: FileKind, archive: ArchiveContent) -> str:
    """What to do with an archive: to run it, unless something is in the way."""
    if archive.is_damaged:
        return "the file is damaged or was cut off: copy or download it again"
    if any(name.startswith(_XNNPACK) for name in archive.inventory.torchbind):
        return (
            "it was optimized for phones, its weights are packed for XNNPACK: "
            "ask for the archive as it was before optimize_for_mobile"
        )
    if archive.inventory.torchbind or archive.inventory.lacking:
        return "tsc cannot run all of it, see below; tsc print-code prints its code"
    return kind.advice


def _read(archive: ArchiveReader, name: str, problems: list[str]) -> Any:
    return _attempt(lambda: archive.pickle(name), None, archive, problems)


def _attempt(
    read: Callable[[], Any], otherwise: Any, archive: ArchiveReader, problems: list[str]
) -> Any:
    """What is read; what is wrong with it is a problem of the archive, and the rest is told all the same."""
    try:
        return read()
    except ArchiveError as error:
        problems.append(error.message.removeprefix(f"{archive.name}: "))
        return otherwise


def _code_files(
    archive: ArchiveReader, damage: list[str], problems: list[str]
) -> dict[str, CodeText]:
    names = [each for each in archive.names() if each.startswith("code/") and each.endswith(".py")]
    if sum(archive.size(each) for each in names) > _MOST_CODE:
        problems.append(f"the code has more than {size_text(_MOST_CODE)}; it is not read")
        return {}
    texts = {
        name[5:]: _attempt(partial(archive.text, name), None, archive, damage) for name in names
    }
    return {path: CodeText(path, text) for path, text in texts.items() if text is not None}


def _constants(value: Any) -> list[TensorInfo]:
    items = value if isinstance(value, (tuple, list)) else ()
    infos = [
        tensor_info(f"c{number}", each, "constant")
        for number, each in enumerate(items)
        if isinstance(each, AnyTensorRecord)
    ]
    return [replace(each, storage=f"constants/{each.storage}") for each in infos]


def _storage_bytes(archive: ArchiveReader) -> int:
    return sum(archive.size(name) for name in archive.names() if name.startswith(_STORAGES))


def _origins(archive: ArchiveReader, files: dict[str, CodeText]) -> list[str]:
    """The names of the source files that the code was made of, as far as the archive tells."""
    names: dict[str, None] = {}
    for path in list(files)[:_MOST_ORIGIN_FILES]:
        try:
            ranges = archive.source_ranges(path)
        except ArchiveError:
            continue
        for origin in () if ranges is None else ranges.origins:
            if origin.range is not None:
                names[origin.range.filename] = None
    return list(names)


# Files of torch.save ----------------------------------------------------------------------------


def _add_values(found: Inspection, value: Any, storage_bytes: int) -> None:
    """Tensors by the keys that lead to them, and the other values at the top."""
    seen: set[int] = set()
    if isinstance(value, ContainerRecord):
        value = value.value
    items = value.items() if isinstance(value, dict) else [("value", value)]
    for key, each in items:
        _add_value(found, str(key), each, seen)
    found.tensors = marked_ties((each.name, each) for each in found.tensors)
    found.totals = totals(found.tensors, storage_bytes)


def _add_objects(found: Inspection) -> None:
    """The tensors that can be taken out of objects of Python, and how."""
    try:
        saved = read_objects(found.view, found.kind.kind, found.name)
    except ArchiveError:
        return  # what is wrong is told by whoever takes them out
    if saved is None:
        return
    _add_values(found, saved.value, saved.storage_bytes)
    count = counted(len(found.tensors), "tensor")
    taken = f"tsc.load_tensors takes {count} out of it, without running anything of it"
    found.kind = replace(found.kind, advice=f"{taken}; to run the model, {_EXPORT}")


def _add_value(found: Inspection, name: str, value: Any, seen: set[int]) -> None:
    if isinstance(value, AnyTensorRecord):
        found.tensors.append(tensor_info(name, value))
        return
    if isinstance(value, dict) and id(value) not in seen:
        seen.add(id(value))
        inner = list(value.items())
        if any(isinstance(each, AnyTensorRecord) for _, each in inner):
            for key, each in inner:
                _add_value(found, f"{name}.{key}", each, seen)
            return
    found.values[name] = describe(value)
    found.tensors += [
        tensor_info(f"{name}[{number}]", each)
        for number, each in enumerate(tensors_of(value, seen))
    ]
