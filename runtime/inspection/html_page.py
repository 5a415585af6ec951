"""What is in a file as one page of HTML: nothing is fetched, no script runs, and no weights are in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from runtime.inspection.declarations import Method
from runtime.inspection.inspection import ArchiveContent, Inspection
from runtime.inspection.module_tree import ModuleInfo, TensorInfo, Totals
from runtime.inspection.page_style import STYLE
from runtime.inspection.text_report import short_class_name, tensor_text
from runtime.inspection.visible import counted, shortened, size_text, visible, visible_lines

Graph = tuple[str, Method, str]
"""The qualified name of a method, the method, and the text of its graph."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_OPEN_DEPTH = 2


def html_page(found: Inspection, graphs: Iterable[Graph] = ()) -> str:
    """The whole page, in pieces of one string."""
    title = _text(found.name.replace("\\", "/").rpartition("/")[2])
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    )
    return "".join([head, *_body(found, title, graphs), "</body>\n</html>\n"])


def _body(found: Inspection, title: str, graphs: Iterable[Graph]) -> Iterator[str]:
    yield f"<header><h1>{title}</h1><p>{_text(found.kind.description)}</p></header>\n"
    archive = found.archive
    if archive is not None:
        yield _navigation(archive)
    yield "<main>\n"
    yield from _summary(found)
    if archive is not None:
        yield from _archive(archive, graphs)
    elif found.tensors or found.values:
        yield from _section("tensors", "Tensors", _tensor_table(found.tensors))
        yield from _section("values", "Other values", _pairs(found.values.items()))
    yield "</main>\n<footer>Written by tsc inspect. Nothing of the file was executed.</footer>\n"


def _text(text: str, longest: int = 400) -> str:
    """A text of the file, harmless in a page and in an attribute of it."""
    return escape(shortened(text, longest))


def _block(text: str) -> str:
    return f"<pre>{escape(visible_lines(text.rstrip()))}</pre>"


def _section(identity: str, title: str, content: Iterable[str]) -> Iterator[str]:
    yield f'<section id="{identity}"><h2>{title}</h2>\n'
    yield from content
    yield "</section>\n"


def _navigation(archive: ArchiveContent) -> str:
    names = [("summary", "Summary"), ("modules", "Modules"), ("code", "Code and IR")]
    names.append(("operators", f"Operators ({len(archive.inventory.counts)})"))
    links = "".join(f'<a href="#{identity}">{title}</a>' for identity, title in names)
    return f"<nav>{links}</nav>\n"


# Summary ----------------------------------------------------------------------------------------


def _summary(found: Inspection) -> Iterator[str]:
    rows = [("What to do", found.kind.advice), ("Size", size_text(found.size))]
    if found.entries:
        rows.append(("Entries", f"{found.entries:,}"))
    if found.archive is not None:
        rows += _archive_rows(found.archive)
    if found.totals is not None:
        rows += _total_rows(found.totals)
    yield from _section("summary", "Summary", _pairs(rows))


def _archive_rows(archive: ArchiveContent) -> Iterator[tuple[str, str]]:
    version = "unknown" if archive.version is None else str(archive.version)
    made = "torch.jit.trace" if archive.is_traced else "torch.jit.save"
    yield "Format", f"version {version}, {archive.byte_order}-endian, written by {made}"
    if archive.origins:
        yield "Made from", ", ".join(archive.origins[:20])
    for problem in archive.problems:
        yield "Problem", problem


def _total_rows(found: Totals) -> Iterator[tuple[str, str]]:
    stored = size_text(found.storage_bytes)
    yield "Tensors", f"{counted(found.tensors, 'tensor')}, {stored} in storages"
    if found.parameters:
        yield "Parameters", f"{found.parameters:,} ({size_text(found.parameter_bytes)})"
    if found.by_dtype:
        elements = (f"{name} {count:,}" for name, count in found.by_dtype.items())
        yield "Elements", ", ".join(elements)
    yield "Saved from", ", ".join(f"{name} ({count})" for name, count in found.devices.items())


def _pairs(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield "<dl>\n"
    for name, value in rows:
        yield f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>\n"
    yield "</dl>\n"


# The archive ------------------------------------------------------------------------------------


def _archive(archive: ArchiveContent, graphs: Iterable[Graph]) -> Iterator[str]:
    yield from _section("modules", "Modules", _module_tree(archive.modules))
    if archive.constants:
        constants = _tensor_table(archive.constants)
        yield from _section("constants", "Constants of the code", constants)
    yield from _section("code", "Code and IR", _code(archive, graphs))
    yield from _section("operators", "Operators", _operators(archive))
    if archive.extra_files:
        sizes = ((name, size_text(size)) for name, size in archive.extra_files.items())
        yield from _section("extra", "Extra files", _pairs(sizes))


def _module_tree(rows: Sequence[ModuleInfo]) -> Iterator[str]:
    """Nested ``details``: browsers fold them without a script."""
    whole = max((row.total_bytes for row in rows), default=0)
    anchors = {row.path: number for number, row in enumerate(rows) if row.same_as is None}
    depth = 0
    for number, row in enumerate(rows):
        yield "</details>\n" * (depth - row.depth)
        depth = row.depth
        state = " open" if row.depth < _OPEN_DEPTH else ""
        yield f'<details class="module" id="m{number}"{state}><summary>'
        yield from _module_head(row, whole)
        yield "</summary>\n"
        if row.same_as is not None:
            target = row.same_as or "the module itself"
            yield f'<p>the same object as <a href="#m{anchors[row.same_as]}">{_text(target)}</a></p>\n'
        yield from _tensor_table(row.tensors)
        values = [*row.attributes.items(), *row.constants.items()]
        if values:
            yield from _pairs(values)
        depth += 1
    yield "</details>\n" * depth


def _module_head(row: ModuleInfo, whole: int) -> Iterator[str]:
    name = row.path.rpartition(".")[2] if row.path else "(the module)"
    yield f"<b>{_text(name)}</b> <i>{_text(short_class_name(row.class_name))}</i>"
    if row.total_bytes:
        share = 100 * row.total_bytes / whole
        yield f' <span class="size">{size_text(row.total_bytes)}'
        if row.total_parameters:
            yield f", {counted(row.total_parameters, 'parameter')}"
        yield f'</span><span class="bar"><span style="width:{share:.1f}%"></span></span>'


def _tensor_table(tensors: Sequence[TensorInfo]) -> Iterator[str]:
    if not tensors:
        return
    yield "<table><tr><th>name</th><th>kind</th><th>type and shape</th><th>size</th></tr>\n"
    for each in tensors:
        yield (
            f"<tr><td>{_text(each.name)}</td><td>{each.role}</td><td><code>{_text(tensor_text(each))}"
            f'</code></td><td class="number">{size_text(each.nbytes)}</td></tr>\n'
        )
    yield "</table>\n"


def _code(archive: ArchiveContent, graphs: Iterable[Graph]) -> Iterator[str]:
    """The methods of the outermost module stand open and first."""
    own = {id(method) for _, method in archive.entry_methods}
    ordered = sorted(graphs, key=lambda graph: id(graph[1]) not in own)
    if not ordered:
        yield "<p>The archive declares no methods that could be read.</p>\n"
    for name, method, graph in ordered:
        state = " open" if id(method) in own else ""
        owner = short_class_name(name.rpartition(".")[0])
        yield f'<details class="method"{state}><summary><code>{_text(method.declaration)}</code>'
        yield f' <i>{_text(owner)}</i></summary>\n<div class="pair"><div><h3>code</h3>'
        yield f"<p>code/{_text(method.file)}, line {method.line}</p>{_block(method.source)}</div>\n"
        yield f"<div><h3>IR</h3><p>before constants are folded</p>{_block(graph)}</div></div></details>\n"


def _operators(archive: ArchiveContent) -> Iterator[str]:
    inventory = archive.inventory
    lacking = set(inventory.lacking)
    yield "<table><tr><th>operator</th><th>mentions</th><th></th></tr>\n"
    for name, count in inventory.counts.most_common():
        note = '<span class="lack">not in tsc</span>' if name in lacking else ""
        yield _operator_row(name, count, note)
    for name, count in inventory.torchbind.items():
        yield _operator_row(name, count, '<span class="lack">a class of C++, not in tsc</span>')
    for name, count in inventory.devices.items():
        yield _operator_row(f"device {visible(name)}", count, "baked into the code")
    yield "</table>\n"


def _operator_row(name: str, count: int, note: str) -> str:
    return (
        f'<tr><td><code>{_text(name)}</code></td><td class="number">{count:,}</td>'
        f"<td>{note}</td></tr>\n"
    )
