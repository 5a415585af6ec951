"""What is in a file, as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsc.runtime.inspection.inspection import ArchiveContent, Inspection
from tsc.runtime.inspection.module_tree import ModuleInfo, TensorInfo, Totals
from tsc.runtime.inspection.visible import counted, shortened, size_text, visible, visible_lines
from tsc.runtime.inspection.words import (
    attributes_worth_telling,
    class_in_words,
    made_from,
    mode_text,
    obstacles,
)

_INDENT = "  "
_WIDTH = 100


def text_report(found: Inspection, *, with_code: bool = False) -> str:
    """The report of a whole file; with the source of every method, if that is wanted."""
    lines = [f"{visible(found.name)}: {shortened(found.kind.description)}"]
    lines.append(f"{_INDENT}what to do  {shortened(found.kind.advice)}")
    if found.call is not None:
        lines.append(f"{_INDENT}try         {shortened(found.call, 400)}")
    lines.append(f"{_INDENT}size        {size_text(found.size)}{_entries(found)}")
    if found.archive is not None:
        lines += _archive(found.archive)
    if found.totals is not None:
        lines += _totals(found.totals)
    if found.archive is not None:
        lines += _sections(found.archive, with_code)
    elif found.tensors or found.values:
        lines += ["", "tensors", *_tensors(found.tensors, 1)]
        lines += _named("other values", found.values)
    for heading, facts in found.facts.items():
        lines += _named(heading, facts)
    return "\n".join(lines) + "\n"


def _entries(found: Inspection) -> str:
    return f" in {counted(found.entries, 'entry')}" if found.entries else ""


def _archive(archive: ArchiveContent) -> Iterator[str]:
    version = "unknown" if archive.version is None else archive.version
    traced = ", traced" if archive.is_traced else ""
    yield f"{_INDENT}format      version {version}, {archive.byte_order}-endian{traced}"
    mode = mode_text(archive.modules)
    if mode is not None:
        yield f"{_INDENT}mode        {mode}"
    if archive.origins:
        yield f"{_INDENT}made from   {shortened(made_from(archive.origins), 400)}"
    for obstacle in obstacles(archive.inventory):
        yield f"{_INDENT}in the way  {shortened(obstacle, 400)}"
    for problem in archive.problems:
        yield f"{_INDENT}problem     {shortened(problem, 400)}"


def _totals(found: Totals) -> Iterator[str]:
    yield (
        f"{_INDENT}tensors     {counted(found.tensors, 'tensor')}{under_names(found)}, "
        f"{size_text(found.storage_bytes)} in storages"
    )
    if found.parameters:
        yield (
            f"{_INDENT}parameters  {found.parameters:,} ({size_text(found.parameter_bytes)}), "
            f"buffers {size_text(found.buffer_bytes)}"
        )
    if found.by_dtype:
        each = ", ".join(f"{name} {count:,}" for name, count in found.by_dtype.items())
        yield f"{_INDENT}elements    {each}"
    devices = ", ".join(
        f"{visible(name)} ({counted(count, 'tensor')})" for name, count in found.devices.items()
    )
    if devices:
        yield f"{_INDENT}saved on    {devices}"


def under_names(found: Totals) -> str:
    """How many names the tensors have, if some are tied."""
    return "" if found.names == found.tensors else f" under {counted(found.names, 'name')}"


def _sections(archive: ArchiveContent, with_code: bool) -> Iterator[str]:
    yield from ("", "methods")
    for _, method in archive.entry_methods:
        yield f"{_INDENT}{visible(method.declaration)}"
    yield from ("", "modules")
    for row in archive.modules:
        yield from _module(row, archive.modules[0])
    if archive.constants:
        yield from ("", "constants of the code", *_tensors(archive.constants, 1))
    yield from _operators(archive)
    yield from _classes(archive)
    yield from _named(
        "extra files", {name: size_text(size) for name, size in archive.extra_files.items()}
    )
    if with_code:
        yield from _code(archive)


def _module(row: ModuleInfo, outermost: ModuleInfo) -> Iterator[str]:
    depth = row.depth + 1
    name = row.path.rpartition(".")[2] if row.path else "(the module)"
    head = f"{_INDENT * depth}{visible(name)}: {visible(class_in_words(row.class_name))}"
    if row.same_as is not None:
        yield f"{head}, the same object as {visible(row.same_as) or '(the module)'}"
        return
    sums = f", {counted(row.total_parameters, 'parameter')}" if row.total_parameters else ""
    yield f"{head}{sums}{f', {size_text(row.total_bytes)}' if row.total_bytes else ''}"
    yield from _tensors(row.tensors, depth + 1)
    attributes = attributes_worth_telling(row, outermost)
    items = [f"{shortened(name, 80)} = {shortened(value, 100)}" for name, value in attributes]
    yield from _in_lines(items, _INDENT * (depth + 1))


def _in_lines(items: Sequence[str], indent: str) -> Iterator[str]:
    """Items with commas between them, as many in a line as fit."""
    line = ""
    for item in items:
        if line and len(indent) + len(line) + len(item) > _WIDTH:
            yield f"{indent}{line}"
            line = ""
        line = f"{line}, {item}" if line else item
    if line:
        yield f"{indent}{line}"


def short_class_name(name: str) -> str:
    """The name of a class without the package that all of them are in."""
    return name.removeprefix("__torch__.")


def tensor_text(tensor: TensorInfo) -> str:
    """``float32[64, 3, 7, 7]``, with where it was saved if that was no main memory."""
    shape = ", ".join(str(extent) for extent in tensor.shape)
    device = "" if tensor.device == "cpu" else f" on {visible(tensor.device)}"
    return f"{tensor.dtype}[{shape}]{device}"


def _tensors(tensors: Sequence[TensorInfo], depth: int) -> Iterator[str]:
    for each in tensors:
        role = "" if each.role in ("tensor", "constant") else f"{each.role} "
        yield (
            f"{_INDENT * depth}{role}{shortened(each.name, 120)}: {tensor_text(each)}, "
            + (size_text(each.nbytes) if each.same_as is None else tied(each.same_as))
        )


def tied(other: str) -> str:
    """What to say of a tensor that was named before."""
    return f"the same as {shortened(other, 120)}"


def _operators(archive: ArchiveContent) -> Iterator[str]:
    inventory = archive.inventory
    yield from ("", f"operators ({len(inventory.counts)})")
    lacking = set(inventory.lacking)
    for name, count in inventory.counts.most_common():
        yield f"{_INDENT}{count:6} {visible(name)}{'  not in tsc' if name in lacking else ''}"
    for name, count in inventory.torchbind.items():
        yield f"{_INDENT}{count:6} {visible(name)}  a class of C++, not in tsc"
    for name, count in inventory.devices.items():
        yield f"{_INDENT}{count:6} device {shortened(name, 40)} baked into the code"


def _classes(archive: ArchiveContent) -> Iterator[str]:
    declared = archive.declarations
    others = [each for each in declared.classes.values() if each.kind != "module"]
    if not others and not declared.functions:
        return
    yield from ("", "classes and functions")
    for class_ in others:
        yield f"{_INDENT}{class_.kind} {visible(short_class_name(class_.name))}"
        for method in class_.methods.values():
            yield f"{_INDENT * 2}{visible(method.declaration)}"
    for name, method in declared.functions.items():
        module = short_class_name(name).rpartition(".")[0]
        yield f"{_INDENT}{visible(module)}.{visible(method.declaration)}"


def _named(title: str, values: dict[str, str]) -> Iterator[str]:
    if values:
        yield from ("", title)
    for name, value in values.items():
        yield f"{_INDENT}{shortened(name, 120)}: {shortened(value, 120)}"


def _code(archive: ArchiveContent) -> Iterator[str]:
    for path, code in archive.files.items():
        yield from ("", f"# code/{visible(path)}", visible_lines(code.text.rstrip()))
