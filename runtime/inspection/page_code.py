"""The methods and the operators on the page of `html_page`: code and IR side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tsc.runtime.inspection.declarations import Method
from tsc.runtime.inspection.inspection import ArchiveContent
from tsc.runtime.inspection.operators_used import Inventory
from tsc.runtime.inspection.page_parts import block, escaped

Graph = tuple[str, Method, str]
"""The qualified name of a method, the method, and the text of its graph."""

_MOST_USERS = 8
_MOST_OPEN = 5


def method_sections(archive: ArchiveContent, methods: Sequence[Graph]) -> Iterator[str]:
    """Each method in the order given; those of the outermost module stand open."""
    if not methods:
        yield "<p>The archive declares no methods that could be read.</p>\n"
    own = {id(method) for _, method in archive.entry_methods[:_MOST_OPEN]}
    users = _users(archive)
    for number, (name, method, graph) in enumerate(methods):
        state = " open" if id(method) in own else ""
        owner = name.rpartition(".")[0]
        # The id stands inside, since browsers unfold what is around the place that a link leads to.
        yield (
            f'<details class="method"{state}><summary><code>{escaped(method.declaration)}</code> '
            f'<span class="soft">{escaped(owner)}</span></summary>\n<div id="c{number}">'
        )
        yield from users.get(owner, ())
        yield (
            f'<div class="pair" data-file="{escaped(f"code/{method.file}")}" data-line="{method.line}">'
            f"<div><h3>code: {escaped(f'code/{method.file}')}, line {method.line}</h3>"
            f"{block(method.source, f'code of {method.name}')}</div>\n"
            f"<div><h3>IR: before constants are folded</h3>"
            f"{block(graph, f'IR of {method.name}')}</div></div></div></details>\n"
        )


def _users(archive: ArchiveContent) -> dict[str, list[str]]:
    """For each class of a module, which modules are of it, as links."""
    found: dict[str, list[str]] = {}
    for number, row in enumerate(archive.modules):
        if row.same_as is None:
            label = escaped(row.path) if row.path else "the outermost module"
            found.setdefault(row.class_name, []).append(f'<a href="#m{number}">{label}</a>')
    return {
        name: [f'<p class="used soft">of {_listed(links)}</p>\n'] for name, links in found.items()
    }


def _listed(links: Sequence[str]) -> str:
    rest = len(links) - _MOST_USERS
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"{', '.join(links[:_MOST_USERS])}{more}"


def operator_list(inventory: Inventory) -> Iterator[str]:
    """Operators by the number of their mentions; those that tsc lacks come first."""
    lacking = set(inventory.lacking)
    items = [
        _item(name, count, "not in tsc" if name in lacking else "")
        for name, count in sorted(
            inventory.counts.most_common(), key=lambda each: each[0] not in lacking
        )
    ]
    items += [_item(*each, "a class of C++, not in tsc") for each in inventory.torchbind.items()]
    if items:
        yield f'<ul class="operators">\n{"".join(items)}</ul>\n'
    if inventory.devices:
        devices = ", ".join(
            f"{escaped(name)} ({count:,})" for name, count in inventory.devices.items()
        )
        yield f"<p>Devices that are baked into the code: {devices}</p>\n"


def _item(name: str, count: int, note: str) -> str:
    lack = f'<span class="lack">{note}</span>' if note else ""
    return (
        f'<li><code data-find="{escaped(name)}">{escaped(name)}</code>{lack}'
        f'<span class="number">{count:,}</span></li>\n'
    )
