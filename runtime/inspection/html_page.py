"""What is in a file as one page of HTML: nothing is fetched, and no weights are in it.

The page is whole without a script. Its only one is the project's own, which the page's policy names by its hash,
so that a script in a name of the file would not run even if it got into the page.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tsc.runtime.inspection.declarations import Method
from tsc.runtime.inspection.inspection import ArchiveContent, Inspection
from tsc.runtime.inspection.module_tree import Totals
from tsc.runtime.inspection.page_code import Graph, method_sections, operator_list
from tsc.runtime.inspection.page_modules import module_tree, tensor_table
from tsc.runtime.inspection.page_parts import FOLD_BUTTONS, escaped, facts, section
from tsc.runtime.inspection.page_programs import program_links, program_sections
from tsc.runtime.inspection.text_report import under_names
from tsc.runtime.inspection.visible import counted, size_text
from tsc.runtime.inspection.words import made_from, mode_text, obstacles

_HERE = Path(__file__).parent


def html_page(found: Inspection, graphs: Iterable[Graph] = ()) -> str:
    """The whole page, in pieces of one string."""
    title = escaped(found.name.replace("\\", "/").rpartition("/")[2])
    script = _part("page.js")
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{_part('page.css')}</style>\n</head>\n<body>\n"
    )
    body = _body(found, title, graphs)
    return "".join([head, *body, f"<script>{script}</script>\n</body>\n</html>\n"])


@cache
def _part(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _body(found: Inspection, title: str, graphs: Iterable[Graph]) -> Iterator[str]:
    yield f"<header><h1>{title}</h1><p>{escaped(found.kind.description)}</p></header>\n"
    archive = found.archive
    if archive is not None or found.tensors or found.facts:
        yield _navigation(found)
    yield "<main>\n"
    yield from _summary(found)
    if archive is not None:
        yield from _archive(archive, graphs)
    else:
        yield from section("tensors", "Tensors", tensor_table(found.tensors, alone=True))
        yield from section("values", "Other values", facts(found.values.items()))
        yield from program_sections(found)
    yield "</main>\n<footer>Written by tsc inspect. Nothing of the file was executed.</footer>\n"


def _navigation(found: Inspection) -> str:
    archive = found.archive
    names = [("summary", "Summary")]
    if archive is None:
        names += [("tensors", "Tensors")] if found.tensors else []
        names += program_links(found)
    else:
        names += [("modules", "Modules"), ("code", "Code and IR")]
        names.append(("operators", f"Operators ({len(archive.inventory.counts)})"))
    links = "".join(f'<a href="#{identity}">{title}</a>' for identity, title in names)
    tools = (
        '<span class="tools" data-script hidden><output id="matches" for="filter"></output>'
        '<input id="filter" type="search" placeholder="Filter ( / )" '
        'aria-label="Filter by name, class or code" title="Filter by name, class or code" '
        'autocomplete="off" spellcheck="false"></span>'
    )
    return f'<nav><div class="bar">{links}{tools}</div></nav>\n'


# Summary ----------------------------------------------------------------------------------------


def _summary(found: Inspection) -> Iterator[str]:
    rows = [("What to do", found.kind.advice), ("Size", size_text(found.size))]
    if found.entries:
        rows[-1] = ("Size", f"{size_text(found.size)} in {counted(found.entries, 'entry')}")
    if found.call is not None:
        rows.insert(1, ("Try", found.call))
    if found.archive is not None:
        rows += _archive_rows(found.archive)
    if found.totals is not None:
        rows += _total_rows(found.totals)
    yield from section("summary", "Summary", facts(rows))


def _archive_rows(archive: ArchiveContent) -> Iterator[tuple[str, str]]:
    version = "unknown" if archive.version is None else str(archive.version)
    traced = ", traced" if archive.is_traced else ""
    yield "Format", f"version {version}, {archive.byte_order}-endian{traced}"
    mode = mode_text(archive.modules)
    if mode is not None:
        yield "Mode", mode
    if archive.origins:
        yield "Made from", made_from(archive.origins)
    for obstacle in obstacles(archive.inventory):
        yield "In the way", obstacle
    for problem in archive.problems:
        yield "Problem", problem


def _total_rows(found: Totals) -> Iterator[tuple[str, str]]:
    stored = size_text(found.storage_bytes)
    tensors = f"{counted(found.tensors, 'tensor')}{under_names(found)}"
    yield "Tensors", f"{tensors}, {stored} in storages"
    if found.parameters:
        yield "Parameters", f"{found.parameters:,} ({size_text(found.parameter_bytes)})"
    if found.buffer_bytes:
        yield "Buffers", size_text(found.buffer_bytes)
    if found.by_dtype:
        elements = (f"{name} {count:,}" for name, count in found.by_dtype.items())
        yield "Elements", ", ".join(elements)
    if found.devices:
        devices = (f"{name} ({counted(n, 'tensor')})" for name, n in found.devices.items())
        yield "Saved on", ", ".join(devices)


# The archive ------------------------------------------------------------------------------------


def _archive(archive: ArchiveContent, graphs: Iterable[Graph]) -> Iterator[str]:
    methods = _own_first(archive, graphs)
    places = {name: f"c{number}" for number, (name, _, _) in enumerate(methods)}
    tree = module_tree(archive.modules, places)
    yield from section("modules", f"Modules{FOLD_BUTTONS}", tree)
    if archive.constants:
        yield from section("constants", "Constants of the code", tensor_table(archive.constants))
    code = method_sections(archive, methods)
    yield from section("code", f"Code and IR{FOLD_BUTTONS if methods else ''}", code)
    yield from section("operators", "Operators", operator_list(archive.inventory))
    if archive.extra_files:
        sizes = ((name, size_text(size)) for name, size in archive.extra_files.items())
        yield from section("extra", "Extra files", facts(sizes))


def _own_first(archive: ArchiveContent, graphs: Iterable[Graph]) -> list[tuple[str, Method, str]]:
    """The methods of the outermost module come before all others."""
    own = {id(method) for _, method in archive.entry_methods}
    return sorted(graphs, key=lambda graph: id(graph[1]) not in own)
