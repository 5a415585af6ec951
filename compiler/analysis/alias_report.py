"""What an AliasDb knows, as text to read and as a drawing for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tsc.compiler.analysis.alias_tracker import AliasTracker, Locations

if TYPE_CHECKING:
    from tsc.compiler.ir import Graph, Node


def report(
    graph: Graph, tracker: AliasTracker, names: Mapping[int, str], writes: Mapping[Node, Locations]
) -> str:
    """The graph, then what each value points to and contains, then what each node writes to."""
    points = [f"{name} points to: {', '.join(to)}" for name, to in _targets(tracker, names)]
    contains = [f"{name} contains: {', '.join(to)}" for name, to in _contents(tracker, names)]
    written = [
        line
        for node, locations in writes.items()
        for line in (repr(node), f"  {', '.join(_named(sorted(locations), names))}")
    ]
    sections = (
        ("1. GRAPH", [str(graph).rstrip()]),
        ("2. ALIAS DB", [*points, *contains]),
        ("3. Writes", written),
    )
    return "\n".join("\n".join((f"\n==={title}===", *lines)) for title, lines in sections) + "\n"


def graphviz_text(tracker: AliasTracker, names: Mapping[int, str]) -> str:
    """An edge for each "may be"; a dashed one for each "may contain"."""
    lines = ["digraph alias_db {", "  rankdir=LR", "  node [shape=rect, color=gray];"]
    lines.append("  edge [color=black];")
    for name, targets in _targets(tracker, names):
        lines += [f"  {_quoted(name)} -> {_quoted(each)}" for each in targets]
    for name, targets in _contents(tracker, names):
        dashed = "[style=dashed, color=blue]"
        lines += [f"  {_quoted(name)} -> {_quoted(each)} {dashed}" for each in targets]
    return "\n".join((*lines, "}\n"))


def _targets(tracker: AliasTracker, names: Mapping[int, str]) -> Iterator[tuple[str, list[str]]]:
    for element, name in names.items():
        targets = _named(tracker.targets(element), names)
        if targets:
            yield name, targets


def _contents(tracker: AliasTracker, names: Mapping[int, str]) -> Iterator[tuple[str, list[str]]]:
    for element, name in names.items():
        contents = _named(dict.fromkeys(tracker.contents(element)), names)
        if contents:
            yield name, contents


def _named(elements: Iterable[int], names: Mapping[int, str]) -> list[str]:
    return [names[each] for each in elements if each in names]


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("%", "\\%") + '"'
