"""Programs with the graphs that PyTorch 2.13 makes of them, in ``graphs/*.txt``.

A file holds programs: ``===``, the source text, ``---``, and the normalized graph of its
function ``f``. ``python -m tests.oracle.record_graphs`` writes the graphs anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "graphs"


@dataclass(frozen=True, slots=True)
class RecordedGraph:
    """A program of a topic, and the graph of its function ``f``."""

    name: str
    source: str
    graph: str


def read_graphs(path: Path) -> Iterator[RecordedGraph]:
    """The programs of one file."""
    chunks = path.read_text(encoding="utf-8").split("===\n")[1:]
    for number, chunk in enumerate(chunks):
        source, _, graph = chunk.partition("---\n")
        yield RecordedGraph(f"{path.stem}/{number}", source, graph.rstrip())


def all_graphs() -> list[RecordedGraph]:
    return [recorded for path in sorted(FOLDER.glob("*.txt")) for recorded in read_graphs(path)]
