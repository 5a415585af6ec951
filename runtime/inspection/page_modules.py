"""The module tree on the page of `html_page`: nested ``details``, which browsers fold without a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tsc.runtime.inspection.module_tree import ModuleInfo, TensorInfo
from tsc.runtime.inspection.page_parts import escaped, values
from tsc.runtime.inspection.text_report import tensor_text, tied
from tsc.runtime.inspection.visible import size_text
from tsc.runtime.inspection.words import attributes_worth_telling, class_in_words

_MOST_OPEN = 60
_MOST_SHAPES = 4
_HEADS = (
    '<div class="row heads"><span>module</span><span class="number">parameters</span>'
    '<span class="number">size</span><span>share</span></div>\n'
)


def module_tree(rows: Sequence[ModuleInfo], places: Mapping[str, str]) -> Iterator[str]:
    """All modules; `places` are the ids of methods on the page, by their qualified names."""
    if not rows:
        return
    yield f'{_HEADS}<div class="tree">\n'
    whole = max(row.total_bytes for row in rows)
    anchors = {row.path: number for number, row in enumerate(rows) if row.same_as is None}
    depth = 0
    for number, row in enumerate(rows):
        yield "</details>\n" * (depth - row.depth)
        depth = row.depth + 1
        has_inner = number + 1 < len(rows) and rows[number + 1].depth > row.depth
        is_open = row.depth == 0 or (has_inner and len(rows) <= _MOST_OPEN)
        yield (
            f'<details class="module" id="m{number}" data-path="{escaped(row.path)}"'
            f"{' open' if is_open else ''}><summary>{_head(row, whole)}</summary>\n"
        )
        yield from _own(row, rows[0], anchors, places)
    yield "</details>\n" * depth + "</div>\n"


def _head(row: ModuleInfo, whole: int) -> str:
    name = row.path.rpartition(".")[2] if row.path else "(the module)"
    shapes = ", ".join(f"{each.name} {list(each.shape)}" for each in row.tensors[:_MOST_SHAPES])
    more = ", …" if len(row.tensors) > _MOST_SHAPES else ""
    words = class_in_words(row.class_name).rpartition(".")[2]
    count = f"{row.total_parameters:,}" if row.total_parameters else ""
    size = size_text(row.total_bytes) if row.total_bytes else ""
    share = f"{100 * row.total_bytes / whole:.1f}%" if row.total_bytes else ""
    bar = f'<span class="share" title="{share}"><span style="width:{share}"></span></span>'
    return (
        f'<span class="row"><span class="name"><b>{escaped(name)}</b>'
        f'<span class="soft" title="{escaped(row.class_name)}">{escaped(words)}</span>'
        f'<span class="shapes">{escaped(shapes, 120)}{more}</span></span>'
        f'<span class="number size">{count}</span><span class="number size">{size}</span>'
        f"{bar if share else '<span></span>'}</span>"
    )


def _own(
    row: ModuleInfo, outermost: ModuleInfo, anchors: Mapping[str, int], places: Mapping[str, str]
) -> Iterator[str]:
    """What a module has besides its submodules."""
    yield '<div class="own">'
    if row.same_as is not None:
        target = row.same_as or "the outermost module"
        yield f'<p>the same object as <a href="#m{anchors[row.same_as]}">{escaped(target)}</a></p>\n'
    else:
        links = _method_links(row, places)
        yield f'<p><span class="soft">{escaped(row.class_name)}</span>{links}</p>\n'
        yield from tensor_table(row.tensors)
        yield from values(attributes_worth_telling(row, outermost))
    yield "</div>\n"


def _method_links(row: ModuleInfo, places: Mapping[str, str]) -> str:
    found = [(name, places.get(f"{row.class_name}.{name}")) for name in row.methods]
    links = [f'<a href="#{place}">{escaped(name)}</a>' for name, place in found if place]
    return f", code and IR of {', '.join(links)}" if links else ""


def tensor_table(tensors: Sequence[TensorInfo], *, alone: bool = False) -> Iterator[str]:
    """Tensors by their names; `alone` says that they are all that the page is about."""
    if not tensors:
        return
    yield f'<table class="tensors{" alone" if alone else ""}"><tr><th>name</th><th>kind</th>'
    yield '<th>type and shape</th><th class="number">size</th></tr>\n'
    for each in tensors:
        yield (
            f"<tr><td>{escaped(each.name)}</td><td>{each.role}</td><td><code>{escaped(tensor_text(each))}"
            f"</code></td>{_size(each)}</tr>\n"
        )
    yield "</table>\n"


def _size(tensor: TensorInfo) -> str:
    """Of one that was named before, whose it is: its bytes are counted there."""
    if tensor.same_as is None:
        return f'<td class="number">{size_text(tensor.nbytes)}</td>'
    return f"<td>{escaped(tied(tensor.same_as))}</td>"
