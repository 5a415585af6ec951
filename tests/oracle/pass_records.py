"""What is recorded of PyTorch's passes: hashes of the graph texts that they make, and where to find graphs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .answers import normalize_graph

_TEXTS_OF_ERRORS = re.compile(r"""value="(?:[^"\\]|\\.)*[a-z] (?:[^"\\]|\\.)*"|warn_id=\d+""")
_VALUES = re.compile(r"%[\w.]+")
FOLDER = Path(__file__).parent.parent / "passes"
IR_GRAPHS = FOLDER / "graphs"
RECORDS = FOLDER / "recorded.txt"
FAILS = "fails"
"""Instead of a text: PyTorch's pass raised."""


@dataclass(frozen=True)
class StageTexts:
    """A graph's normalized text, and the texts of what passes change, by pass."""

    before: str
    after: dict[str, str]


def normalized(graph: object) -> str:
    """The text without names, places, and the texts of errors, which are ours."""
    return _TEXTS_OF_ERRORS.sub("…", normalize_graph(_in_order_of_use(str(graph))))


def _in_order_of_use(text: str) -> str:
    """The text, with inputs and constants of functional graphs in the order in which they are used.

    PyTorch takes what nested blocks use from outside in the order of a hash table of addresses.
    """
    whole, *groups = re.split(r"^(?=with prim::FunctionalGraph)", text, flags=re.MULTILINE)
    for group in groups:
        head, inputs, body = re.split(r" = graph\((.*?)\):\n", group, maxsplit=1, flags=re.DOTALL)
        constants = re.findall(r"^  %\S+ : .* = prim::Constant.*\n", body, re.MULTILINE)
        body = "".join(line for line in body.splitlines(True) if line not in constants)
        used = {name: place for place, name in enumerate(dict.fromkeys(_VALUES.findall(body)))}
        declared = inputs.split(",\n") if inputs else []
        order = sorted(range(len(declared)), key=lambda at: _place(declared[at], used))
        constants.sort(key=lambda line: _place(line, used))
        declared = [declared[at].strip() for at in order]
        call = head.removeprefix("with ")
        whole = re.sub(
            rf"(?<= = {call}\()(.*?)(?=\))",
            lambda found: _reordered(found[1], order),  # noqa: B023  called at once
            whole,
        )
        whole += f"{head} = graph({', '.join(declared)}):\n{''.join(constants)}{body}"
    return whole


def _reordered(names: str, order: list[int]) -> str:
    return ", ".join(names.split(", ")[at] for at in order)


def _place(declaration: str, used: dict[str, int]) -> int:
    """Where a value that a line declares is first used."""
    found = _VALUES.search(declaration)
    assert found is not None
    return used.get(found[0], len(used))


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def ir_graphs() -> Iterator[tuple[str, str]]:
    """The graphs that are written as IR text, by file and name."""
    for path in sorted(IR_GRAPHS.glob("*.txt")):
        for chunk in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, _, text = chunk.partition("\n")
            yield f"ir/{path.stem}/{name.strip()}", text


def write_records(texts: dict[str, StageTexts]) -> None:
    lines = ["\t".join((key, hashed(each.before), *_hashes(each))) for key, each in texts.items()]
    RECORDS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _hashes(texts: StageTexts) -> Iterator[str]:
    for name, text in texts.after.items():
        yield f"{name}={FAILS if text == FAILS else hashed(text)}"


def read_records() -> dict[str, tuple[str, dict[str, str]]]:
    """By graph: the hash of its text, and those of its texts after the passes that change it."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for line in RECORDS.read_text(encoding="utf-8").splitlines():
        key, before, *after = line.split("\t")
        found[key] = before, dict(each.split("=") for each in after)
    return found
